"""Approvals: dangerous actions that wait for a person's yes, and the answers."""

from typing import Annotated

from fastapi import APIRouter, Body, Query

from api.dependencies import Caller, Identifier, TheExecutive, TheWork
from api.describing import answers, problems
from api.examples import APPROVAL, APPROVE, EDIT, REJECT, SETTLED
from api.payloads import ApprovalFilter, ApprovalList
from api.problems import INVALID, Fault, Problem
from api.route import KeyedRoute
from state.approval import ApprovalAnswer, LedgerAction
from state.errors import Forbidden

router = APIRouter(route_class=KeyedRoute, tags=["approvals"])


@router.get(
    "/v1/approvals",
    operation_id="list_approvals",
    summary="List what waits for a yes, or how it ended",
    responses={
        200: answers("ApprovalList", {"approvals": [APPROVAL]}, "The approvals"),
        **problems(401, 422, 503),
    },
)
async def list_approvals(
    wanted: Annotated[ApprovalFilter, Query()], caller: Caller, executive: TheExecutive
) -> ApprovalList:
    """List the actions of your tenant that stand as `state` says."""
    found = await executive.approvals(caller.tenant_id, state=wanted.state, limit=wanted.limit)
    return ApprovalList(approvals=tuple(found))


@router.get(
    "/v1/approvals/{action_id}",
    operation_id="read_approval",
    summary="Read one approval",
    responses={200: answers("LedgerAction", APPROVAL, "As it stands"), **problems(401, 404, 503)},
)
async def read_approval(
    action_id: Identifier, caller: Caller, executive: TheExecutive
) -> LedgerAction:
    """Read exactly what would run, who asked, and the digest that an answer must repeat."""
    return await executive.approval(action_id, caller.tenant_id)


@router.post(
    "/v1/approvals/{action_id}",
    operation_id="answer_approval",
    summary="Approve, reject or edit",
    responses={
        200: answers("LedgerAction", SETTLED, "As it stands now"),
        **problems(400, 401, 403, 404, 409, 413, 415, 422, 503),
    },
)
async def answer_approval(
    action_id: Identifier,
    answer: Annotated[
        ApprovalAnswer,
        Body(
            openapi_examples={
                "approve": {"value": APPROVE},
                "reject": {"value": REJECT},
                "edit": {"value": EDIT},
            }
        ),
    ],
    caller: Caller,
    executive: TheExecutive,
    work: TheWork,
) -> LedgerAction:
    """Answer with the digest you were shown; who answers is the key's owner, a person.

    The first answer that decides wins; a later one gets 409 with how it stands. An edit carries
    all arguments, and what runs is exactly what was approved.
    """
    if caller.kind != "person":
        raise Forbidden("only a person may answer an approval, never a service")
    if (answer.decision == "edit") != (answer.arguments is not None):
        sentence = "an edit carries all arguments of the action; approve and reject carry none"
        raise Problem(INVALID, sentence, faults=[Fault("arguments", sentence)])
    return await work.finish(executive.answer(action_id, answer, caller))
