"""Every page of the console, in the order in which an address is looked up."""

from fastapi import FastAPI

from api.console import (
    approvals,
    decisions,
    door,
    journal,
    live,
    measures,
    personality,
    quiet,
    stream,
    talk,
)
from api.console.sessions import Sessions


def serve_console(app: FastAPI) -> None:
    """Put the console into an app."""
    app.state.console_sessions = Sessions()
    for router in (
        door.router,
        door.inside,
        stream.router,
        approvals.polled,
        approvals.router,
        talk.router,
        live.router,
        decisions.router,
        quiet.polled,
        quiet.router,
        journal.router,
        personality.router,
        measures.router,
        door.nowhere,
    ):
        app.include_router(router)
