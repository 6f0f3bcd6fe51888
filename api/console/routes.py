"""Every router of the console, in the order in which an address is looked up."""

from fastapi import APIRouter, FastAPI

from api.console import (
    answer_link,
    approvals,
    batch_approval,
    conversation,
    decisions,
    grants,
    journal,
    measures,
    session_settings,
    sign_in,
    stream,
)
from api.console.sessions import Sessions

ROUTERS: tuple[APIRouter, ...] = (
    sign_in.router,
    answer_link.router,
    sign_in.inside,
    sign_in.polled,
    stream.router,
    approvals.polled,
    batch_approval.router,
    approvals.router,
    grants.router,
    conversation.polled,
    conversation.router,
    decisions.router,
    session_settings.polled,
    session_settings.router,
    journal.router,
    measures.router,
    sign_in.nowhere,
)
"""Every page; the last one takes what none of them is."""


def serve_console(app: FastAPI) -> None:
    """Put the console into an app."""
    app.state.console_sessions = Sessions()
    for router in ROUTERS:
        app.router.routes.extend(router.routes)  # as they were made (api/app.py)
