"""Decisions: what was made of every event, and why."""

from typing import Annotated

from fastapi import APIRouter, Query

from api.dependencies import Caller, Identifier, TheExecutive
from api.examples.common import PAGE, TRACE
from api.http.describing import answers, problems
from api.http.route import KeyedRoute
from api.payloads.common import DecisionFilter, DecisionPage
from state.cursor import cursor_of
from state.record import DecisionTrace

router = APIRouter(route_class=KeyedRoute, tags=["decisions"])


@router.get(
    "/v1/decisions",
    operation_id="list_decisions",
    summary="List decisions, newest first",
    responses={
        200: answers("DecisionPage", PAGE, "A page"),
        **problems(401, 403, 422, 503),
    },
)
async def list_decisions(
    wanted: Annotated[DecisionFilter, Query()], caller: Caller, executive: TheExecutive
) -> DecisionPage:
    """List the records of your tenant; follow `next_cursor` for older ones."""
    records = await executive.decisions(
        executive.reader(caller),
        session_id=wanted.session_id,
        outcome=wanted.outcome,
        before=wanted.cursor,
        limit=wanted.limit,
    )
    full = len(records) == wanted.limit
    return DecisionPage(
        decisions=tuple(records), next_cursor=cursor_of(records[-1]) if full else None
    )


@router.get(
    "/v1/decisions/{decision_id}",
    operation_id="read_decision",
    summary="Read one decision with every stage behind it",
    responses={200: answers("DecisionTrace", TRACE, "The trace"), **problems(401, 404, 503)},
)
async def read_decision(
    decision_id: Identifier, caller: Caller, executive: TheExecutive
) -> DecisionTrace:
    """Read the record, the event, and what each stage added; 404 until it is decided."""
    return await executive.decision(decision_id, executive.reader(caller))
