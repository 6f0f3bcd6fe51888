"""Approvals: dangerous actions that wait for a person's yes, and the answers."""

from typing import Annotated, Any

from fastapi import APIRouter, Body, Query
from starlette.requests import Request

from api.answering import answer_in_any_form
from api.dependencies import Caller, Identifier, TheExecutive, TheWork
from api.examples.common import (
    APPROVE,
    EDIT,
    EVIDENCE,
    FINISHED,
    REJECT,
    RESPOND,
    SHOWN,
    SHOWN_SETTLED,
)
from api.http.describing import answers, problems, takes
from api.http.route import KeyedRoute
from api.payloads.common import ApprovalFilter, ApprovalList, Evidence
from state.dialog import ShownApproval

router = APIRouter(route_class=KeyedRoute, tags=["approvals"])

_FORMS = {"approve": APPROVE, "reject": REJECT, "edit": EDIT, "respond": RESPOND}


@router.get(
    "/v1/approvals",
    operation_id="list_approvals",
    summary="List what waits for a yes, or how it ended",
    responses={
        200: answers("ApprovalList", {"approvals": [SHOWN]}, "The approvals"),
        **problems(401, 422, 503),
    },
)
async def list_approvals(
    wanted: Annotated[ApprovalFilter, Query()], caller: Caller, executive: TheExecutive
) -> ApprovalList:
    """List the actions of your tenant that stand as `state` says; `proposed` ones are queued.

    What waits comes by what runs out first, what has ended newest first.
    """
    found = await executive.approvals(
        executive.reader(caller), state=wanted.state, limit=wanted.limit, after=wanted.cursor
    )
    return ApprovalList(
        approvals=tuple(map(executive.show, found)),
        next_cursor=found[-1].action_id if len(found) == wanted.limit else None,
    )


@router.get(
    "/v1/approvals/{action_id}",
    operation_id="read_approval",
    summary="Read one approval",
    responses={
        200: answers("ShownApproval", SHOWN, "As it stands"),
        **problems(401, 404, 503),
    },
)
async def read_approval(
    action_id: Identifier, caller: Caller, executive: TheExecutive
) -> ShownApproval:
    """Read exactly what would run, in a dialog drawn by code, and the digest an answer repeats."""
    return executive.show(await executive.approval(action_id, executive.reader(caller)))


@router.post(
    "/v1/approvals/{action_id}",
    operation_id="answer_approval",
    summary="Approve, reject, edit or respond",
    response_model=ShownApproval,
    responses={
        200: answers("ShownApproval", SHOWN_SETTLED, "As it stands now"),
        **problems(400, 401, 403, 404, 409, 413, 415, 422, 429, 503),
    },
    openapi_extra={"requestBody": takes("ApprovalAnswer", _FORMS)},
)
async def answer_approval(
    action_id: Identifier,
    request: Request,
    caller: Caller,
    executive: TheExecutive,
    work: TheWork,
) -> ShownApproval:
    """Answer with the digest you were shown; who answers is the key's owner, a person.

    The first answer that decides wins; a later one gets 409 with how it stands. An edit carries
    all arguments, and what runs is exactly what was approved. Answers in the forms of Agent Inbox,
    LangChain's HITL middleware and AG-UI are taken too; a yes without the digest (`payload_hash`)
    or the action with all its arguments is none.
    """
    sent: Any = await request.json()
    return await work.finish(answer_in_any_form(action_id, sent, caller, executive))


@router.post(
    "/v1/approvals/{action_id}/settle",
    operation_id="settle_action",
    summary="Say what became of an action that nobody could tell",
    responses={
        200: answers("ShownApproval", FINISHED, "As it stands now"),
        **problems(400, 401, 403, 404, 409, 413, 415, 422, 429, 503),
    },
)
async def settle_action(
    action_id: Identifier,
    evidence: Annotated[Evidence, Body(openapi_examples={"evidence": {"value": EVIDENCE}})],
    caller: Caller,
    executive: TheExecutive,
    work: TheWork,
) -> ShownApproval:
    """Settle an `unknown` action with what you saw at its target; nothing is run again."""
    settled = executive.settle(action_id, caller, evidence.happened, evidence.evidence)
    return executive.show(await work.finish(settled))
