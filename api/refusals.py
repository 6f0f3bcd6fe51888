"""Standing refusals: what is refused without asking anybody, until it is withdrawn."""

from typing import Annotated

from fastapi import APIRouter, Body, Query

from api.dependencies import Caller, Identifier, TheExecutive, TheWork
from api.examples.common import NEW_REFUSAL, REFUSAL, WITHDRAWN
from api.http.describing import answers, problems
from api.http.route import KeyedRoute
from api.payloads.common import RefusalFilter, RefusalList
from state.refusal import NewRefusal, Refusal

router = APIRouter(route_class=KeyedRoute, tags=["approvals"])


@router.get(
    "/v1/refusals",
    operation_id="list_refusals",
    summary="List what is refused beforehand",
    responses={
        200: answers("RefusalList", {"refusals": [REFUSAL]}, "Those that stand"),
        **problems(401, 422, 503),
    },
)
async def list_refusals(
    wanted: Annotated[RefusalFilter, Query()], caller: Caller, executive: TheExecutive
) -> RefusalList:
    """List the standing refusals of the actions that your roles may approve."""
    found = await executive.refusals(caller, limit=wanted.limit, after=wanted.cursor)
    following = found[-1].refusal_id if len(found) == wanted.limit else None
    return RefusalList(refusals=tuple(found), next_cursor=following)


@router.post(
    "/v1/refusals",
    operation_id="add_refusal",
    summary="Refuse beforehand",
    responses={
        200: answers("Refusal", REFUSAL, "It stands"),
        **problems(400, 401, 403, 404, 413, 415, 422, 429, 503),
    },
)
async def add_refusal(
    wanted: Annotated[NewRefusal, Body(openapi_examples={"refusal": {"value": NEW_REFUSAL}})],
    caller: Caller,
    executive: TheExecutive,
    work: TheWork,
) -> Refusal:
    """Refuse an action from now on: always, with some arguments, or to one person.

    Whoever may approve the action may do this. It never allows anything.
    """
    return await work.finish(executive.refuse(wanted, caller))


@router.delete(
    "/v1/refusals/{refusal_id}",
    operation_id="withdraw_refusal",
    summary="Let people be asked again",
    responses={
        200: answers("Refusal", WITHDRAWN, "It has ended"),
        **problems(401, 403, 404, 409, 429, 503),
    },
)
async def withdraw_refusal(
    refusal_id: Identifier, caller: Caller, executive: TheExecutive, work: TheWork
) -> Refusal:
    """Withdraw a standing refusal; what it covered is asked again like anything else."""
    return await work.finish(executive.withdraw_refusal(refusal_id, caller))
