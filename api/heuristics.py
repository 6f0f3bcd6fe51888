"""Heuristics: what was learned, and what people say of responses."""

from typing import Annotated

from fastapi import APIRouter, Body, Query, Response, status

from api.dependencies import Caller, Identifier, Teacher, TheExecutive, TheWork
from api.examples.common import SHOWN
from api.http.describing import answers, problems
from api.http.paging import PageWish, page_of
from api.http.route import KeyedRoute
from api.payloads.heuristics import (
    CHANGES,
    HEURISTIC,
    RATINGS,
    TRACED,
    HeuristicChange,
    HeuristicPage,
)
from state.dialog import ShownApproval
from state.heuristic import Feedback, KnownHeuristic
from tools.heuristics.store import Traced

router = APIRouter(route_class=KeyedRoute, tags=["heuristics"])


@router.post(
    "/v1/feedback",
    operation_id="rate",
    summary="Say how a response was",
    responses={
        200: answers("Traced", TRACED, "The response, and what is said of it now"),
        **problems(400, 401, 403, 404, 413, 415, 422, 429, 503),
    },
)
async def rate(
    given: Annotated[Feedback, Body(openapi_examples=RATINGS)],
    caller: Caller,
    executive: TheExecutive,
    work: TheWork,
) -> Traced:
    """Rate a response by its id, which stands in its record: good, meh or bad.

    Said again it counts once, and the last word counts. A good one of a model becomes a heuristic.
    """
    return await work.finish(executive.rating.rate(caller, given))


@router.get(
    "/v1/responses/{response_id}",
    operation_id="read_response",
    summary="How did a response come about?",
    responses={
        200: answers("Traced", TRACED, "Its trace, and what was said of it"),
        **problems(401, 404, 503),
    },
)
async def read_response(response_id: Identifier, caller: Caller, executive: TheExecutive) -> Traced:
    """Read the reasoning trace of a response: the event, the path, the heuristic, the model."""
    return await executive.rating.heuristics.response(response_id, executive.reader(caller))


@router.get(
    "/v1/heuristics",
    operation_id="list_heuristics",
    summary="List what is said without a model",
    responses={
        200: answers("HeuristicPage", {"heuristics": [HEURISTIC]}, "Moved ones first"),
        **problems(401, 422, 503),
    },
)
async def list_heuristics(
    wanted: Annotated[PageWish, Query()], caller: Caller, executive: TheExecutive
) -> HeuristicPage:
    """List the heuristics, learned and shipped, each with every number behind its confidence."""
    found = await executive.rating.heuristics.list(executive.reader(caller))
    page, following = page_of(found, wanted, lambda one: one.heuristic.heuristic_id)
    return HeuristicPage(heuristics=page, next_cursor=following)


@router.get(
    "/v1/heuristics/{heuristic_id}",
    operation_id="read_heuristic",
    summary="Look at a heuristic",
    responses={
        200: answers("KnownHeuristic", HEURISTIC, "The heuristic"),
        **problems(401, 404, 503),
    },
)
async def read_heuristic(
    heuristic_id: Identifier, caller: Caller, executive: TheExecutive
) -> KnownHeuristic:
    """Read one heuristic."""
    return await executive.rating.heuristics.get(heuristic_id, executive.reader(caller))


@router.patch(
    "/v1/heuristics/{heuristic_id}",
    operation_id="edit_heuristic",
    summary="Change a heuristic",
    responses={
        200: answers("KnownHeuristic", HEURISTIC, "As it is now"),
        202: answers("ShownApproval", SHOWN, "Shipped or locked: the approval that it waits for"),
        **problems(400, 401, 403, 404, 409, 413, 415, 422, 429, 503),
    },
)
async def edit_heuristic(
    heuristic_id: Identifier,
    change: Annotated[HeuristicChange, Body(openapi_examples=CHANGES)],
    caller: Teacher,
    executive: TheExecutive,
    work: TheWork,
    response: Response,
) -> KnownHeuristic | ShownApproval:
    """Change its words, its bounds, its weight, or put it out of use; it counts for the next event.

    A learned one is changed at once. One that a pack ships, or that is locked, is changed when
    `[changes] approvers` have said yes to it, and not by its asker alone. A shipped one's words may
    hold {text} and {source}, as in its pack. Persons only, who may change something here (403).
    """
    fields = change.model_dump(exclude_unset=True)
    changed = await work.finish(executive.changing.heuristic(heuristic_id, caller, fields))
    if isinstance(changed, KnownHeuristic):
        return changed
    response.status_code = status.HTTP_202_ACCEPTED
    return executive.show(changed)
