"""Quiet: why a session is silent now, and how to change that."""

from typing import Annotated

from fastapi import APIRouter, Body, Query

from api.dependencies import Caller, TheExecutive, TheWork
from api.examples.quiet import MUTED, STANDING, WISHES
from api.http.describing import answers, problems
from api.http.route import KeyedRoute
from api.payloads.quiet import QuietEnd, QuietWish
from api.payloads.sessions import InSession
from state.quietness import Quietness

router = APIRouter(route_class=KeyedRoute, tags=["quiet"])


@router.get(
    "/v1/quiet",
    operation_id="read_quiet",
    summary="Why is it silent now?",
    responses={
        200: answers("Quietness", STANDING, "How the session stands"),
        **problems(401, 403, 422, 503),
    },
)
async def read_quiet(
    wanted: Annotated[InSession, Query()], caller: Caller, executive: TheExecutive
) -> Quietness:
    """Say what keeps a session silent and until when, what waits, and what would be told now."""
    return await executive.attention.standing(caller.tenant_id, wanted.session_id)


@router.post(
    "/v1/quiet",
    operation_id="ask_quiet",
    summary="Ask for quiet",
    responses={
        200: answers("Quietness", MUTED, "How the session stands now"),
        **problems(400, 401, 403, 413, 415, 422, 429, 503),
    },
)
async def ask_quiet(
    wish: Annotated[QuietWish, Body(openapi_examples=WISHES)],
    caller: Caller,
    executive: TheExecutive,
    work: TheWork,
) -> Quietness:
    """Be quiet for some minutes or in some hours of the day, or leave one topic alone.

    Threats still get through; `counterfactual` says of which level. What else matters is kept, and
    told at the end in one digest. Whoever may change nothing here cannot ask for it (403).
    """
    change = executive.attention.change(caller, wish.session_id, wish.request())
    return await work.finish(change)


@router.delete(
    "/v1/quiet",
    operation_id="end_quiet",
    summary="End the quiet",
    responses={
        200: answers("Quietness", STANDING, "How the session stands now"),
        **problems(401, 403, 422, 429, 503),
    },
)
async def end_quiet(
    end: Annotated[QuietEnd, Query()], caller: Caller, executive: TheExecutive, work: TheWork
) -> Quietness:
    """End a mute and "be quiet", the quiet hours, or the rule about one topic.

    What was kept is told at once, in one digest of what is still true.
    """
    change = executive.attention.change(caller, end.session_id, end.request())
    return await work.finish(change)
