"""The application: `api.app:app` for a server, `create_app` for a test or a program of your own."""

from collections import Counter
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from typing import Any

from fastapi import FastAPI
from starlette.routing import BaseRoute

from api import (
    actions,
    approvals,
    batches,
    decisions,
    events,
    goals,
    health,
    heuristics,
    journal,
    journal_links,
    memory,
    messages,
    metrics,
    modulations,
    offers,
    output,
    personality,
    queries,
    quiet,
    refusals,
    reminders,
    skills,
    state,
    stream,
    tools,
)
from api.console.serving import serve_console
from api.health import PRODUCT_VERSION
from api.http.describing import describe
from api.http.door import Door
from api.http.trusted_sites import TrustedSites
from api.http.unknown import refuse_in_our_manner, unknown_under_v1
from api.work import Work
from graph.runner import Executive
from graph.serving import open_service

DRAIN_SECONDS = 4.0
"""How long decisions under way may take at shutdown; the others are resumed at the next start."""

_DESCRIPTION = """The executive for agents and assistants: events in, decisions out.

Policy is code, a model only phrases, and a dangerous action never runs without a person's yes.
Every refusal is an `application/problem+json` with a `request_id`. A request for a host that is not
ours is 421, and one from a page of another site 403, on every route."""


def create_app(executive: Executive | None = None, *, heartbeat_seconds: float = 15.0) -> FastAPI:
    """Build the application; without an Executive it opens its own at startup, and closes it."""
    app = FastAPI(
        title="Prefrontal",
        version=PRODUCT_VERSION,
        description=_DESCRIPTION,
        lifespan=_lifespan,
        redirect_slashes=False,
        openapi_url=None,  # served by api/health.py
        docs_url=None,  # those pages would load scripts from elsewhere
        redoc_url=None,
    )
    app.state.executive = executive
    app.state.work = Work()
    app.state.admission = None  # api/dependencies.py makes it of the Executive's thresholds
    app.state.heartbeat_seconds = heartbeat_seconds
    app.state.listening = Counter[tuple[str, str]]()  # streams of api/stream.py, by their holder
    known: list[BaseRoute] = []
    for resource in (
        events,
        messages,
        decisions,
        batches,
        approvals,
        refusals,
        tools,
        offers,
        actions,
        queries,
        journal,
        journal_links,
        quiet,
        reminders,
        modulations,
        output,
        state,
        personality,
        skills,
        goals,
        memory,
        heuristics,
        metrics,
        stream,
    ):
        known.extend(resource.router.routes)
    # As they were made: including a router makes its routes anew, at the first request of an app.
    app.router.routes.extend([*known, *unknown_under_v1(known).routes, *health.router.routes])
    serve_console(app)
    refuse_in_our_manner(app)
    app.add_middleware(Door)
    app.add_middleware(TrustedSites)  # the outermost: also around the routes of a LangGraph server
    app.openapi = lambda: _described(app)  # type: ignore[method-assign]  # as FastAPI documents
    return app


@asynccontextmanager
async def _lifespan(app: FastAPI) -> AsyncIterator[None]:
    async with AsyncExitStack() as stack:
        given = app.state.executive
        if given is None:
            app.state.executive = await stack.enter_async_context(open_service())
        app.state.work = Work()
        try:
            yield
        finally:
            await app.state.work.drain(DRAIN_SECONDS)
            app.state.executive = given


def _described(app: FastAPI) -> dict[str, Any]:  # an OpenAPI document
    """Draw it once: anybody may ask for it, and drawing it keeps everybody else waiting."""
    if getattr(app.state, "described", None) is None:
        app.state.described = describe(app)
    described: dict[str, Any] = app.state.described
    return described


app = create_app()
