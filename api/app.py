"""The application: `api.app:app` for a server, `create_app` for a test or an embedding program."""

from collections import Counter
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from typing import Any

from fastapi import FastAPI
from starlette.routing import BaseRoute

from api.http.dependencies import TaskRunner
from api.http.load_shedding import LoadShedding
from api.http.route import fallback_routes, install_problem_handlers
from api.http.trusted_origins import TrustedOrigins
from api.mcp import http as mcp
from api.openapi import describe_api
from api.resources import (
    ag_ui,
    approvals,
    attention,
    decisions,
    events,
    grants,
    health,
    heuristics,
    ingest,
    journal,
    memory,
    personality,
    proposals,
    queries,
    stream,
)
from api.resources.health import PRODUCT_VERSION
from graph.executive import Executive

DRAIN_SECONDS = 4.0
"""How long decisions under way may take at shutdown; the others are resumed at the next start."""

_DESCRIPTION = """The executive for agents and assistants: events in, decisions out.

Policy is code, a model only phrases, and a dangerous action never runs without a person's yes.
Every refusal is an `application/problem+json` with a `request_id`. A request for a host that is not
ours is 421, and one from a page of another site 403, on every route."""


def create_app(
    executive: Executive | None = None,
    *,
    heartbeat_seconds: float = 15.0,
    has_console: bool = True,
) -> FastAPI:
    """Build the application; without an Executive it opens its own at startup, and closes it."""
    app = FastAPI(
        title="Prefrontal",
        version=PRODUCT_VERSION,
        description=_DESCRIPTION,
        lifespan=_lifespan,
        redirect_slashes=False,
        openapi_url=None,  # served by api/resources/health.py
        docs_url=None,  # those pages would load scripts from elsewhere
        redoc_url=None,
    )
    app.state.executive = executive
    app.state.work = TaskRunner()
    app.state.admission = None  # api/http/dependencies.py makes it of the Executive's thresholds
    app.state.heartbeat_seconds = heartbeat_seconds
    app.state.listening = Counter[
        tuple[str, str]
    ]()  # streams of api/resources/stream.py, by their holder
    app.state.polling = Counter[tuple[str, str]]()  # requests that wait for a proposal
    known: list[BaseRoute] = []
    for router in (
        events.router,
        ingest.router,
        ag_ui.router,
        decisions.decisions_router,
        proposals.router,
        approvals.router,
        grants.router,
        decisions.offers_router,
        decisions.actions_router,
        queries.queries_router,
        journal.router,
        attention.quiet_router,
        memory.reminders_router,
        attention.output_router,
        personality.state_router,
        personality.personality_router,
        memory.memory_router,
        heuristics.router,
        queries.metrics_router,
        stream.router,
        approvals.slack_router,
    ):
        known.extend(router.routes)
    # As they were made: including a router makes its routes anew, at the first request of an app.
    app.router.routes.extend(
        [*known, *fallback_routes(known).routes, *mcp.router.routes, *health.router.routes]
    )
    if has_console:
        from api.console.routes import serve_console

        serve_console(app)
    install_problem_handlers(app)
    app.add_middleware(LoadShedding)
    app.add_middleware(
        TrustedOrigins
    )  # the outermost: also around the routes of a LangGraph server
    app.openapi = lambda: _described(app)  # type: ignore[method-assign]  # as FastAPI documents
    return app


@asynccontextmanager
async def _lifespan(app: FastAPI) -> AsyncIterator[None]:
    async with AsyncExitStack() as stack:
        given = app.state.executive
        if given is None:
            from graph.service import open_service

            app.state.executive = await stack.enter_async_context(open_service())
        app.state.work = TaskRunner()
        try:
            yield
        finally:
            await app.state.work.drain(DRAIN_SECONDS)
            app.state.executive = given


def _described(app: FastAPI) -> dict[str, Any]:  # an OpenAPI document
    """Draw it once: anybody may ask for it, and drawing it keeps everybody else waiting."""
    if getattr(app.state, "described", None) is None:
        app.state.described = describe_api(app)
    described: dict[str, Any] = app.state.described
    return described


def __getattr__(name: str) -> FastAPI:
    """Build `app` when a server asks for it: who calls us in process needs no console."""
    if name != "app":
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    built = globals()[name] = create_app()
    return built
