"""Output: what is spoken and queued, saying something, and cutting it off."""

from typing import Annotated

from fastapi import APIRouter, Body

from api.dependencies import Caller, TheExecutive, TheWork
from api.examples.common import RECORD
from api.http.describing import answers, problems
from api.http.route import KeyedRoute
from api.payloads.output import EMITS, INTERRUPTS, STATE, Emission, Interrupted, Interruption
from state.output import OutputState
from state.record import DecisionRecord

router = APIRouter(route_class=KeyedRoute, tags=["output"])


@router.get(
    "/v1/output",
    operation_id="read_output",
    summary="What is being said?",
    responses={200: answers("OutputState", STATE, "How the outputs stand"), **problems(401, 503)},
)
async def read_output(caller: Caller, executive: TheExecutive) -> OutputState:
    """Tell which engine speaks, or why none does, and what you may read of what is spoken."""
    return executive.speaking.state(executive.reader(caller))


@router.post(
    "/v1/output",
    operation_id="emit",
    summary="Have something said",
    responses={
        200: answers("DecisionRecord", RECORD, "Said, or kept for a better moment"),
        **problems(400, 401, 403, 413, 415, 422, 429, 503),
    },
)
async def emit(
    wanted: Annotated[Emission, Body(openapi_examples=EMITS)],
    caller: Caller,
    executive: TheExecutive,
    work: TheWork,
) -> DecisionRecord:
    """Say a text in a session: at once, at the next break of who is busy, or after the quiet.

    It is a decision with its record like all that is said; only threats pass a mute. Whoever may
    change nothing here cannot ask for it (403).
    """
    return await work.finish(executive.initiating.emit(caller, wanted.session_id, wanted.text))


@router.post(
    "/v1/output/interrupt",
    operation_id="interrupt",
    summary="Cut off what is being said",
    responses={
        200: answers("Interrupted", {"dropped": 1}, "How many utterances that ended"),
        **problems(400, 401, 403, 413, 415, 422, 429, 503),
    },
)
async def interrupt(
    wanted: Annotated[Interruption, Body(openapi_examples=INTERRUPTS)],
    caller: Caller,
    executive: TheExecutive,
) -> Interrupted:
    """Stop the voice in a session, after the shortest time of an utterance, and drop its queue.

    What was said stays in the records and on the live stream; only the voice falls silent. Whoever
    may change nothing here cannot ask for it (403).
    """
    dropped = executive.attention.interrupt(caller, wanted.session_id)
    return Interrupted(dropped=dropped)
