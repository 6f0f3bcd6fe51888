"""Actions: what was done or asked to be done, and the way back from it."""

from typing import Annotated

from fastapi import APIRouter, Query

from api.dependencies import Caller, Identifier, TheExecutive, TheWork
from api.details import details_of
from api.examples.common import ASKED, SETTLED
from api.http.describing import answers, problems
from api.http.route import KeyedRoute
from api.payloads.common import ActionFilter, ActionList, DecisionDetails
from state.dialog import ShownApproval
from state.errors import NotFound

router = APIRouter(route_class=KeyedRoute, tags=["actions"])


@router.get(
    "/v1/actions",
    operation_id="list_actions",
    summary="List what was done, or asked to be done",
    responses={
        200: answers("ActionList", {"actions": [SETTLED]}, "The actions"),
        **problems(401, 422, 503),
    },
)
async def list_actions(
    wanted: Annotated[ActionFilter, Query()], caller: Caller, executive: TheExecutive
) -> ActionList:
    """List the changes of your tenant: chosen, approved, undone; reads are not among them."""
    found = await executive.actions(
        executive.reader(caller),
        undoable_only=wanted.undoable,
        limit=wanted.limit,
        after=wanted.cursor,
    )
    return ActionList(
        actions=tuple(executive.show(one) for one in found),
        next_cursor=found[-1].action_id if len(found) == wanted.limit else None,
    )


@router.get(
    "/v1/actions/{action_id}",
    operation_id="read_action",
    summary="Read one action",
    responses={200: answers("ShownApproval", SETTLED, "As it stands"), **problems(401, 404, 503)},
)
async def read_action(
    action_id: Identifier, caller: Caller, executive: TheExecutive
) -> ShownApproval:
    """Read how an action stands, until when it can be undone, and who undid it."""
    try:
        return executive.show(await executive.approval(action_id, executive.reader(caller)))
    except NotFound:
        raise NotFound("action", action_id) from None


@router.post(
    "/v1/actions/{action_id}/undo",
    operation_id="undo_action",
    summary="Take an action back",
    responses={
        200: answers("DecisionDetails", ASKED, "The decision on the undo"),
        **problems(401, 403, 404, 409, 415, 429, 503),
    },
)
async def undo_action(
    action_id: Identifier, caller: Caller, executive: TheExecutive, work: TheWork
) -> DecisionDetails:
    """Undo what succeeded, once, while its time runs (`undo_until`); no body is needed.

    An undo is an action too: it runs at once, or leads to an approval when it is dangerous
    itself. One that was refused or failed leaves the action as it was, to be undone again.
    """
    record = await work.finish(executive.undo(action_id, caller))
    return await details_of(record, executive, caller)
