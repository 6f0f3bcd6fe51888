"""Memory, goals and reminders of a session."""

from typing import Annotated

from fastapi import APIRouter, Body, Query
from starlette.requests import Request

from api.http.bodies import in_time
from api.http.dependencies import Caller, Identifier, TheExecutive, TheTasks
from api.http.route import KeyedRoute
from api.openapi import describe_answer, describe_problems
from api.schemas.common import InSession, SessionPageWish, page_of
from api.schemas.session import (
    ENTITY,
    FORGOTTEN,
    GOAL,
    GOAL_REQUESTS,
    GOAL_STEPS,
    REMINDER,
    REMINDER_REQUESTS,
    SAID,
    ForgetQuery,
    GoalPage,
    GoalStep,
    GoalWish,
    MemoryPage,
    MemoryQuery,
    ReminderPage,
    ReminderWish,
)
from graph.executive import Executive
from state.errors import BadInput, Forbidden, NotFound
from state.initiative import Reminder
from state.principal import Principal
from state.remembered import EntityMemory, Forgotten
from state.talk import TalkRequest
from tools.platform.texts import t

memory_router = APIRouter(route_class=KeyedRoute, tags=["memory"])


@memory_router.get(
    "/v1/memory",
    operation_id="recall",
    responses={
        200: describe_answer("MemoryPage", {"said": [SAID]}, t("api.answer.recall")),
        **describe_problems(401, 403, 422, 503),
    },
)
async def recall(
    wanted: Annotated[MemoryQuery, Query()], caller: Caller, executive: TheExecutive
) -> MemoryPage:
    """List what was said about something, by words and by meaning; without `about`, the newest.

    What others said is found in a session that you name; without one, what you said yourself and
    what you were answered. Ours (`said_by=us`) come with what they were, the traits they were said
    with, and how they were taken.
    """
    where, recollection = wanted.where(caller, executive.readers.of(caller)), executive.recall
    if wanted.about is None:
        said, following = await recollection.page(where, limit=wanted.limit, after=wanted.cursor)
        return MemoryPage(said=said, next_cursor=following)
    return MemoryPage(said=await recollection.about(wanted.about, where, limit=wanted.limit))


@memory_router.delete(
    "/v1/memory",
    operation_id="forget_me",
    responses={
        200: describe_answer("Forgotten", FORGOTTEN, t("api.answer.forget_me")),
        **describe_problems(401, 403, 422, 429, 503),
    },
)
async def forget_me(
    request: Request,
    wanted: Annotated[ForgetQuery, Query()],
    caller: Caller,
    executive: TheExecutive,
    work: TheTasks,
) -> Forgotten:
    """Remove what memory holds of the caller: words, answers, goals, reminders, manner, rapport.

    Records of decisions, the journal and the ledger stay: they say what was done, and go by the
    days of `retention`. Somebody else's is removed by `prefrontal memory forget` alone. It cannot
    be undone, so a name that is not the caller's (403), another parameter or a body (422) ends it.
    """
    wanted.demand(caller)
    async with in_time():
        async for part in request.stream():
            if part:
                raise BadInput(t("problem.memory.no_body"))
    return await work.finish(executive.recall.forget(caller.user, caller.tenant_id))


@memory_router.get(
    "/v1/memory/entities/{entity}",
    operation_id="recall_entity",
    responses={
        200: describe_answer("EntityMemory", ENTITY, t("api.answer.recall_entity")),
        **describe_problems(401, 403, 404, 422, 503),
    },
)
async def recall_entity(
    entity: Identifier,
    wanted: Annotated[InSession, Query()],
    caller: Caller,
    executive: TheExecutive,
) -> EntityMemory:
    """Gather what was said of a thing in a session, what happened to it, and what packs keep."""
    return await executive.recall.entity(entity, caller.tenant_id, wanted.session_id)


@memory_router.get(
    "/v1/goals",
    operation_id="list_goals",
    responses={
        200: describe_answer("GoalPage", {"goals": [GOAL]}, t("api.answer.list_goals")),
        **describe_problems(401, 403, 422, 503),
    },
)
async def list_goals(
    wanted: Annotated[SessionPageWish, Query()], caller: Caller, executive: TheExecutive
) -> GoalPage:
    """List the goals of a session; events about the open ones matter more."""
    found = await executive.controls.goals(caller.tenant_id, wanted.session_id)
    page, following = page_of(found, wanted, lambda one: one.goal_id)
    return GoalPage(goals=page, next_cursor=following)


@memory_router.post(
    "/v1/goals",
    operation_id="declare_goal",
    responses={
        200: describe_answer("GoalPage", {"goals": [GOAL]}, t("api.answer.declare_goal")),
        **describe_problems(400, 401, 403, 413, 415, 422, 429, 503),
    },
)
async def declare_goal(
    wish: Annotated[GoalWish, Body(openapi_examples=GOAL_REQUESTS)],
    caller: Caller,
    executive: TheExecutive,
    work: TheTasks,
) -> GoalPage:
    """Declare a goal of the caller's; of theirs the five newest are open at a time."""
    change = executive.controls.change(caller, wish.session_id, wish.request(caller.user))
    await work.finish(change)
    return await _page(executive, caller, wish.session_id)


@memory_router.post(
    "/v1/goals/{goal_id}",
    operation_id="move_goal",
    responses={
        200: describe_answer("GoalPage", {"goals": [GOAL]}, t("api.answer.move_goal")),
        **describe_problems(400, 401, 403, 404, 413, 415, 422, 429, 503),
    },
)
async def move_goal(
    goal_id: Identifier,
    step: Annotated[GoalStep, Body(openapi_examples=GOAL_STEPS)],
    caller: Caller,
    executive: TheExecutive,
    work: TheTasks,
) -> GoalPage:
    """Note progress, that it is reached, or that it is dropped; one that is over stays so (404).

    One of somebody else's stays as they have it (403).
    """
    page = await _page(executive, caller, step.session_id)
    named = [one for one in page.goals if one.goal_id == goal_id and one.standing == "open"]
    if not named:
        raise NotFound("open goal", goal_id)
    if not named[0].is_of(caller.user):
        raise Forbidden(t("problem.memory.other_goal"))
    request = TalkRequest(kind=step.kind, topic=goal_id, value=step.progress)
    await work.finish(executive.controls.change(caller, step.session_id, request))
    return await _page(executive, caller, step.session_id)


async def _page(executive: Executive, caller: Principal, session_id: str) -> GoalPage:
    return GoalPage(goals=await executive.controls.goals(caller.tenant_id, session_id))


reminders_router = APIRouter(route_class=KeyedRoute, tags=["reminders"])


@reminders_router.get(
    "/v1/reminders",
    operation_id="list_reminders",
    responses={
        200: describe_answer(
            "ReminderPage", {"reminders": [REMINDER]}, t("api.answer.list_reminders")
        ),
        **describe_problems(401, 403, 422, 503),
    },
)
async def list_reminders(
    wanted: Annotated[SessionPageWish, Query()], caller: Caller, executive: TheExecutive
) -> ReminderPage:
    """List the reminders of a session that have not been told."""
    found = await executive.reminders.page(
        caller.tenant_id, wanted.session_id, limit=wanted.limit, after=wanted.cursor
    )
    following = found[-1].reminder_id if len(found) == wanted.limit else None
    return ReminderPage(reminders=found, next_cursor=following)


@reminders_router.post(
    "/v1/reminders",
    operation_id="ask_reminder",
    responses={
        200: describe_answer("Reminder", REMINDER, t("api.answer.ask_reminder")),
        **describe_problems(400, 401, 403, 413, 415, 422, 429, 503),
    },
)
async def ask_reminder(
    wish: Annotated[ReminderWish, Body(openapi_examples=REMINDER_REQUESTS)],
    caller: Caller,
    executive: TheExecutive,
    work: TheTasks,
) -> Reminder:
    """Put a reminder down: told at its time, after the quiet if there is one, late if need be.

    Whoever may change nothing here cannot ask for it (403). 422: it lies too far ahead, or too
    many wait.
    """
    reminding = executive.controls.remind(caller, wish.session_id, wish.text, wish.due)
    return await work.finish(reminding)


@reminders_router.delete(
    "/v1/reminders/{reminder_id}",
    operation_id="cancel_reminder",
    responses={
        200: describe_answer("ReminderPage", {"reminders": []}, t("api.answer.cancel_reminder")),
        **describe_problems(401, 403, 404, 422, 429, 503),
    },
)
async def cancel_reminder(
    reminder_id: Identifier,
    wanted: Annotated[InSession, Query()],
    caller: Caller,
    executive: TheExecutive,
    work: TheTasks,
) -> ReminderPage:
    """Call one off that you asked for and that was not told yet; one of somebody else's: 403."""
    reminders = executive.reminders
    waiting = await reminders.waiting(caller.tenant_id, wanted.session_id)
    named = [one for one in waiting if one.reminder_id == reminder_id]
    if not named:
        raise NotFound("reminder", reminder_id)
    if not named[0].is_of(caller.user):
        raise Forbidden(t("problem.memory.other_reminder"))
    request = TalkRequest(kind="no_reminder", topic=reminder_id)
    await work.finish(executive.controls.change(caller, wanted.session_id, request))
    return ReminderPage(reminders=await reminders.waiting(caller.tenant_id, wanted.session_id))
