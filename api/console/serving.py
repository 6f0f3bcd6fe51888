"""Every page of the console, in the order in which an address is looked up."""

from fastapi import APIRouter, FastAPI

from api.console import (
    approvals,
    decisions,
    door,
    journal,
    live,
    measures,
    offers,
    personality,
    quiet,
    refusals,
    stream,
    succession,
    talk,
    together,
)
from api.console.sessions import Sessions

ROUTERS: tuple[APIRouter, ...] = (
    door.router,
    door.inside,
    door.polled,
    stream.router,
    approvals.polled,
    together.router,
    approvals.router,
    offers.router,
    refusals.router,
    talk.polled,
    talk.router,
    live.router,
    decisions.router,
    quiet.polled,
    quiet.router,
    succession.router,
    journal.router,
    personality.router,
    measures.router,
    door.nowhere,
)
"""Every page; the last one takes what none of them is."""


def serve_console(app: FastAPI) -> None:
    """Put the console into an app."""
    app.state.console_sessions = Sessions()
    for router in ROUTERS:
        app.router.routes.extend(router.routes)  # as they were made (api/app.py)
