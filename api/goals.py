"""Goals: what people want to reach, and how far they are."""

from typing import Annotated

from fastapi import APIRouter, Body, Query

from api.dependencies import Caller, Identifier, TheExecutive, TheWork
from api.http.describing import answers, problems
from api.http.paging import SessionPageWish, page_of
from api.http.route import KeyedRoute
from api.payloads.goals import GOAL, STEPS, WISHES, GoalPage, GoalStep, GoalWish
from graph.runner import Executive
from state.errors import Forbidden, NotFound
from state.principal import Principal
from state.talk import TalkRequest

router = APIRouter(route_class=KeyedRoute, tags=["memory"])


@router.get(
    "/v1/goals",
    operation_id="list_goals",
    summary="List goals",
    responses={
        200: answers("GoalPage", {"goals": [GOAL]}, "Open and ended, the newest last"),
        **problems(401, 403, 422, 503),
    },
)
async def list_goals(
    wanted: Annotated[SessionPageWish, Query()], caller: Caller, executive: TheExecutive
) -> GoalPage:
    """List the goals of a session; events about the open ones matter more."""
    found = await executive.attention.goals(caller.tenant_id, wanted.session_id)
    page, following = page_of(found, wanted, lambda one: one.goal_id)
    return GoalPage(goals=page, next_cursor=following)


@router.post(
    "/v1/goals",
    operation_id="declare_goal",
    summary="Declare a goal",
    responses={
        200: answers("GoalPage", {"goals": [GOAL]}, "The goals now"),
        **problems(400, 401, 403, 413, 415, 422, 429, 503),
    },
)
async def declare_goal(
    wish: Annotated[GoalWish, Body(openapi_examples=WISHES)],
    caller: Caller,
    executive: TheExecutive,
    work: TheWork,
) -> GoalPage:
    """Declare a goal of the caller's; of theirs the five newest are open at a time."""
    change = executive.attention.change(caller, wish.session_id, wish.request(caller.user))
    await work.finish(change)
    return await _page(executive, caller, wish.session_id)


@router.post(
    "/v1/goals/{goal_id}",
    operation_id="move_goal",
    summary="Say how far a goal is, or that it is over",
    responses={
        200: answers("GoalPage", {"goals": [GOAL]}, "The goals now"),
        **problems(400, 401, 403, 404, 413, 415, 422, 429, 503),
    },
)
async def move_goal(
    goal_id: Identifier,
    step: Annotated[GoalStep, Body(openapi_examples=STEPS)],
    caller: Caller,
    executive: TheExecutive,
    work: TheWork,
) -> GoalPage:
    """Note progress, that it is reached, or that it is dropped; one that is over stays so (404).

    One of somebody else's stays as they have it (403).
    """
    page = await _page(executive, caller, step.session_id)
    named = [one for one in page.goals if one.goal_id == goal_id and one.standing == "open"]
    if not named:
        raise NotFound("open goal", goal_id)
    if not named[0].is_of(caller.user):
        raise Forbidden("it is somebody else's goal; who declared it says how far it is")
    request = TalkRequest(kind=step.kind, topic=goal_id, value=step.progress)
    await work.finish(executive.attention.change(caller, step.session_id, request))
    return await _page(executive, caller, step.session_id)


async def _page(executive: Executive, caller: Principal, session_id: str) -> GoalPage:
    return GoalPage(goals=await executive.attention.goals(caller.tenant_id, session_id))
