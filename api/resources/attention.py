"""Quiet, modulations and outputs: whether and how a session speaks now."""

from typing import Annotated

from fastapi import APIRouter, Body, Path, Query

from api.http.dependencies import Caller, TheExecutive, TheTasks
from api.http.route import KeyedRoute
from api.openapi import describe_answer, describe_problems
from api.schemas.attention import (
    MODULATION,
    MODULATION_REQUESTS,
    MUTED,
    QUIET_REQUESTS,
    QUIETNESS,
    ModulationPage,
    ModulationWish,
    QuietEnd,
    QuietWish,
)
from api.schemas.common import (
    EMITS,
    INTERRUPTS,
    OUTPUT_STATE,
    Emission,
    InSession,
    Interrupted,
    Interruption,
    SessionPageWish,
    page_of,
)
from api.schemas.examples import RECORD
from state.noun import LONGEST_NAME
from state.output import OutputState
from state.quietness import Quietness
from state.record import DecisionRecord
from tools.platform.texts import t

quiet_router = APIRouter(route_class=KeyedRoute, tags=["quiet"])


@quiet_router.get(
    "/v1/quiet",
    operation_id="read_quiet",
    responses={
        200: describe_answer("Quietness", QUIETNESS, t("api.answer.read_quiet")),
        **describe_problems(401, 403, 422, 503),
    },
)
async def read_quiet(
    wanted: Annotated[InSession, Query()], caller: Caller, executive: TheExecutive
) -> Quietness:
    """Say what keeps a session silent and until when, what waits, and what would be told now."""
    return await executive.controls.standing(caller.tenant_id, wanted.session_id)


@quiet_router.post(
    "/v1/quiet",
    operation_id="ask_quiet",
    responses={
        200: describe_answer("Quietness", MUTED, t("api.answer.ask_quiet")),
        **describe_problems(400, 401, 403, 413, 415, 422, 429, 503),
    },
)
async def ask_quiet(
    wish: Annotated[QuietWish, Body(openapi_examples=QUIET_REQUESTS)],
    caller: Caller,
    executive: TheExecutive,
    work: TheTasks,
) -> Quietness:
    """Be quiet for some minutes or in some hours of the day, or leave one topic alone.

    Threats still get through; `counterfactual` says of which level. What else matters is kept, and
    told at the end in one digest. Whoever may change nothing here cannot ask for it (403).
    """
    change = executive.controls.change(caller, wish.session_id, wish.request())
    return await work.finish(change)


@quiet_router.delete(
    "/v1/quiet",
    operation_id="end_quiet",
    responses={
        200: describe_answer("Quietness", QUIETNESS, t("api.answer.end_quiet")),
        **describe_problems(401, 403, 422, 429, 503),
    },
)
async def end_quiet(
    end: Annotated[QuietEnd, Query()], caller: Caller, executive: TheExecutive, work: TheTasks
) -> Quietness:
    """End a mute and "be quiet", the quiet hours, or the rule about one topic.

    What was kept is told at once, in one digest of what is still true.
    """
    change = executive.controls.change(caller, end.session_id, end.request())
    return await work.finish(change)


_PAGE = describe_answer("ModulationPage", {"modulations": [MODULATION]}, "What holds now")


@quiet_router.get(
    "/v1/modulations",
    operation_id="list_modulations",
    responses={200: _PAGE, **describe_problems(401, 403, 422, 503)},
)
async def list_modulations(
    wanted: Annotated[SessionPageWish, Query()], caller: Caller, executive: TheExecutive
) -> ModulationPage:
    """List rules that people asked for or agreed to, the threshold, and what it is used to."""
    found = await executive.controls.modulations(caller.tenant_id, wanted.session_id)
    page, following = page_of(found, wanted, lambda one: one.modulation_id)
    return ModulationPage(modulations=page, next_cursor=following)


@quiet_router.post(
    "/v1/modulations",
    operation_id="modulate",
    responses={200: _PAGE, **describe_problems(400, 401, 403, 413, 415, 422, 429, 503)},
)
async def modulate(
    wish: Annotated[ModulationWish, Body(openapi_examples=MODULATION_REQUESTS)],
    caller: Caller,
    executive: TheExecutive,
    work: TheTasks,
) -> ModulationPage:
    """Change what gets attention in a session; a suppression is the same as that of /v1/quiet.

    Whoever may change nothing here cannot ask for it (403).
    """
    await work.finish(executive.controls.change(caller, wish.session_id, wish.request()))
    found = await executive.controls.modulations(caller.tenant_id, wish.session_id)
    return ModulationPage(modulations=found)


@quiet_router.delete(
    "/v1/modulations/{modulation_id}",
    operation_id="take_back_modulation",
    responses={200: _PAGE, **describe_problems(401, 403, 404, 422, 429, 503)},
)
async def take_back(
    modulation_id: Annotated[str, Path(max_length=3 * LONGEST_NAME)],
    wanted: Annotated[InSession, Query()],
    caller: Caller,
    executive: TheExecutive,
    work: TheTasks,
) -> ModulationPage:
    """Undo one: the topic is judged as ever, the threshold is the usual one, the thing is fresh."""
    change = executive.controls.take_back(caller, wanted.session_id, modulation_id)
    return ModulationPage(modulations=await work.finish(change))


output_router = APIRouter(route_class=KeyedRoute, tags=["output"])


@output_router.get(
    "/v1/output",
    operation_id="read_output",
    responses={
        200: describe_answer("OutputState", OUTPUT_STATE, t("api.answer.read_output")),
        **describe_problems(401, 503),
    },
)
async def read_output(caller: Caller, executive: TheExecutive) -> OutputState:
    """Tell which engine speaks, or why none does, and what you may read of what is spoken."""
    return executive.voice.state(executive.readers.of(caller))


@output_router.post(
    "/v1/output",
    operation_id="emit",
    responses={
        200: describe_answer("DecisionRecord", RECORD, t("api.answer.emit")),
        **describe_problems(400, 401, 403, 413, 415, 422, 429, 503),
    },
)
async def emit(
    wanted: Annotated[Emission, Body(openapi_examples=EMITS)],
    caller: Caller,
    executive: TheExecutive,
    work: TheTasks,
) -> DecisionRecord:
    """Say a text in a session: at once, at the next break of who is busy, or after the quiet.

    It is a decision with its record like all that is said; only threats pass a mute. Whoever may
    change nothing here cannot ask for it (403).
    """
    return await work.finish(executive.initiative.emit(caller, wanted.session_id, wanted.text))


@output_router.post(
    "/v1/output/interrupt",
    operation_id="interrupt",
    responses={
        200: describe_answer("Interrupted", {"dropped": 1}, t("api.answer.interrupt")),
        **describe_problems(400, 401, 403, 413, 415, 422, 429, 503),
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
    dropped = executive.controls.interrupt(caller, wanted.session_id)
    return Interrupted(dropped=dropped)
