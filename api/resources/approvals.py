"""Approvals: list and answer them one by one, in a batch, or by a click in Slack.

Standing refusals, and review of pinned tools.
"""

import time
from functools import partial
from typing import Annotated, Any

from fastapi import APIRouter, Body, Query
from starlette.requests import Request
from starlette.responses import Response

from api.http.bodies import MAX_LINE_BYTES, in_time, validated
from api.http.dependencies import Caller, Identifier, TheExecutive, TheTasks
from api.http.problems import (
    FORBIDDEN,
    INVALID,
    NOT_FOUND,
    TOO_LARGE,
    UNAUTHENTICATED,
    Fault,
    Problem,
    problem_of,
)
from api.http.route import KeyedRoute, OpenRoute, instance_of, request_id_of
from api.openapi import describe_answer, describe_body, describe_problems
from api.schemas.common import (
    ACCEPTANCES,
    ACCEPTED,
    CHANGED,
    ApprovalFilter,
    ApprovalList,
    Batch,
    BatchAnswered,
    BatchItem,
    BatchResult,
    Evidence,
    PageWish,
    ProblemDetails,
    RefusalFilter,
    RefusalList,
    ToolPage,
    page_of,
)
from api.schemas.examples import (
    APPROVE,
    BATCH,
    BATCH_ANSWERED,
    EDIT,
    EVIDENCE,
    FINISHED,
    NEW_REFUSAL,
    REFUSAL,
    REJECT,
    RESPOND,
    SHOWN,
    SHOWN_SETTLED,
    WITHDRAWN,
)
from graph.executive import Executive
from state.approval import ApprovalAnswer, LedgerAction
from state.dialog import ShownApproval
from state.errors import Forbidden
from state.principal import Principal
from state.refusal import NewRefusal, Refusal
from state.tool_pin import PinnedTool, ToolAcceptance
from tools.notifications import Click, is_from_slack
from tools.platform.texts import t


async def answer_from_body(
    action_id: str, sent: Any, caller: Principal, executive: Executive
) -> ShownApproval:
    """Read an answer to an approval and have it decided.

    Raises:
        Problem: 422, it is no answer.
        AgentError: see ApprovalDecider.decide.
    """
    if caller.kind != "person":
        raise Forbidden(t("gate.only_people_answer"))
    standing = await executive.approvals.get(action_id, executive.readers.of(caller))
    answer = _read(sent, standing, executive)
    return executive.approvals.show(await executive.approvals.answer(standing, answer, caller))


def _read(sent: Any, standing: LedgerAction, executive: Executive) -> ApprovalAnswer:
    answer = executive.approvals.read_answer(sent, standing)
    if answer is not None:
        return answer
    if isinstance(sent, dict) and "decision" in sent:
        validated(ApprovalAnswer, sent)  # names the field that is wrong
        sentence = t("gate.edit_arguments")
        raise Problem(INVALID, sentence, faults=[Fault("arguments", sentence)])
    raise Problem(INVALID, t("problem.approval.unreadable"))


router = APIRouter(route_class=KeyedRoute, tags=["approvals"])


@router.post(
    "/v1/approvals/decide",
    operation_id="answer_approvals",
    responses={
        200: describe_answer("BatchAnswered", BATCH_ANSWERED, t("api.answer.answer_approvals")),
        **describe_problems(400, 401, 403, 413, 415, 422, 429, 503),
    },
)
async def answer_approvals(
    batch: Annotated[Batch, Body(openapi_examples={"batch": {"value": BATCH}})],
    request: Request,
    caller: Caller,
    executive: TheExecutive,
    work: TheTasks,
) -> BatchAnswered:
    """Answer up to 50 approvals, in order; one that is refused does not stop the others."""
    if caller.kind != "person":
        raise Problem(FORBIDDEN, t("gate.only_people_answer"))
    return await work.finish(answer_all(batch, request, caller, executive))


async def answer_all(
    batch: Batch, request: Request, caller: Principal, executive: Executive
) -> BatchAnswered:
    """Answer each in turn, by whichever door they came; what is refused is told in its place."""
    results = [await _answer(item, request, caller, executive) for item in batch.answers]
    return BatchAnswered(results=tuple(results))


async def _answer(
    item: BatchItem, request: Request, caller: Principal, executive: Executive
) -> BatchResult:
    sent: dict[str, Any] = item.model_dump(exclude_unset=True, exclude={"action_id"})
    try:
        approval = await answer_from_body(item.action_id, sent, caller, executive)
    except Exception as error:  # noqa: BLE001 - told in its place; the others go on
        problem = problem_of(error)
        body = problem.body(instance=instance_of(request), request_id=request_id_of(request))
        return BatchResult(
            action_id=item.action_id,
            status=problem.kind.status,
            problem=ProblemDetails.model_validate(body),
        )
    return BatchResult(action_id=item.action_id, status=200, approval=approval)


_FORMS = {"approve": APPROVE, "reject": REJECT, "edit": EDIT, "respond": RESPOND}


@router.get(
    "/v1/approvals",
    operation_id="list_approvals",
    responses={
        200: describe_answer(
            "ApprovalList", {"approvals": [SHOWN]}, t("api.answer.list_approvals")
        ),
        **describe_problems(401, 422, 503),
    },
)
async def list_approvals(
    wanted: Annotated[ApprovalFilter, Query()], caller: Caller, executive: TheExecutive
) -> ApprovalList:
    """List the actions of your tenant that stand as `state` says; `proposed` ones are queued.

    What waits comes by what runs out first, what has ended newest first.
    """
    found = await executive.approvals.list(
        executive.readers.of(caller), state=wanted.state, limit=wanted.limit, after=wanted.cursor
    )
    return ApprovalList(
        approvals=tuple(map(executive.approvals.show, found)),
        next_cursor=found[-1].action_id if len(found) == wanted.limit else None,
    )


@router.get(
    "/v1/approvals/{action_id}",
    operation_id="read_approval",
    responses={
        200: describe_answer("ShownApproval", SHOWN, t("api.answer.read_approval")),
        **describe_problems(401, 404, 503),
    },
)
async def read_approval(
    action_id: Identifier, caller: Caller, executive: TheExecutive
) -> ShownApproval:
    """Read exactly what would run, in a dialog drawn by code, and the digest an answer repeats."""
    return executive.approvals.show(
        await executive.approvals.get(action_id, executive.readers.of(caller))
    )


@router.post(
    "/v1/approvals/{action_id}",
    operation_id="answer_approval",
    response_model=ShownApproval,
    responses={
        200: describe_answer("ShownApproval", SHOWN_SETTLED, t("api.answer.answer_approval")),
        **describe_problems(400, 401, 403, 404, 409, 413, 415, 422, 429, 503),
    },
    openapi_extra={"requestBody": describe_body("ApprovalAnswer", _FORMS)},
)
async def answer_approval(
    action_id: Identifier,
    request: Request,
    caller: Caller,
    executive: TheExecutive,
    work: TheTasks,
) -> ShownApproval:
    """Answer with the digest you were shown; who answers is the key's owner, a person.

    The first answer that decides wins; a later one gets 409 with how it stands. An edit carries
    all arguments, and what runs is exactly what was approved. Answers in the forms of Agent Inbox,
    LangChain's HITL middleware and AG-UI are taken too; a yes without the digest (`payload_hash`)
    or the action with all its arguments is none.
    """
    sent: Any = await request.json()
    return await work.finish(answer_from_body(action_id, sent, caller, executive))


@router.post(
    "/v1/approvals/{action_id}/settle",
    operation_id="settle_action",
    responses={
        200: describe_answer("ShownApproval", FINISHED, t("api.answer.settle_action")),
        **describe_problems(400, 401, 403, 404, 409, 413, 415, 422, 429, 503),
    },
)
async def settle_action(
    action_id: Identifier,
    evidence: Annotated[Evidence, Body(openapi_examples={"evidence": {"value": EVIDENCE}})],
    caller: Caller,
    executive: TheExecutive,
    work: TheTasks,
) -> ShownApproval:
    """Settle an `unknown` action with what you saw at its target; nothing is run again."""
    settled = executive.approvals.settle(action_id, caller, evidence.happened, evidence.evidence)
    return executive.approvals.show(await work.finish(settled))


@router.get(
    "/v1/refusals",
    operation_id="list_refusals",
    responses={
        200: describe_answer("RefusalList", {"refusals": [REFUSAL]}, t("api.answer.list_refusals")),
        **describe_problems(401, 422, 503),
    },
)
async def list_refusals(
    wanted: Annotated[RefusalFilter, Query()], caller: Caller, executive: TheExecutive
) -> RefusalList:
    """List the standing refusals of the actions that your roles may approve."""
    found = await executive.refusals.list(caller, limit=wanted.limit, after=wanted.cursor)
    following = found[-1].refusal_id if len(found) == wanted.limit else None
    return RefusalList(refusals=tuple(found), next_cursor=following)


@router.post(
    "/v1/refusals",
    operation_id="add_refusal",
    responses={
        200: describe_answer("Refusal", REFUSAL, t("api.answer.add_refusal")),
        **describe_problems(400, 401, 403, 404, 413, 415, 422, 429, 503),
    },
)
async def add_refusal(
    wanted: Annotated[NewRefusal, Body(openapi_examples={"refusal": {"value": NEW_REFUSAL}})],
    caller: Caller,
    executive: TheExecutive,
    work: TheTasks,
) -> Refusal:
    """Refuse an action from now on: always, with some arguments, or to one person.

    Whoever may approve the action may do this. It never allows anything.
    """
    return await work.finish(executive.refusals.add(wanted, caller))


@router.delete(
    "/v1/refusals/{refusal_id}",
    operation_id="withdraw_refusal",
    responses={
        200: describe_answer("Refusal", WITHDRAWN, t("api.answer.withdraw_refusal")),
        **describe_problems(401, 403, 404, 409, 429, 503),
    },
)
async def withdraw_refusal(
    refusal_id: Identifier, caller: Caller, executive: TheExecutive, work: TheTasks
) -> Refusal:
    """Withdraw a standing refusal; what it covered is asked again like anything else."""
    return await work.finish(executive.refusals.withdraw(refusal_id, caller))


@router.get(
    "/v1/tools",
    operation_id="list_tools",
    responses={
        200: describe_answer("ToolPage", {"tools": [CHANGED]}, t("api.answer.list_tools")),
        **describe_problems(401, 422, 503),
    },
)
async def list_tools(
    wanted: Annotated[PageWish, Query()], caller: Caller, executive: TheExecutive
) -> ToolPage:
    """List every tool that was seen, with what its server says of it by now.

    A tool that is `changed` is not used until somebody accepts `changes`. MCP servers are the
    deployment's, and every key sees them; the tools of agents are their tenant's.
    """
    found = await executive.tools.list(caller)
    page, following = page_of(found, wanted, lambda one: one.id)
    return ToolPage(tools=page, next_cursor=following)


@router.post(
    "/v1/tools/accept",
    operation_id="accept_tool",
    responses={
        200: describe_answer("PinnedTool", ACCEPTED, t("api.answer.accept_tool")),
        **describe_problems(400, 401, 403, 404, 409, 413, 415, 422, 429, 503),
    },
)
async def accept_tool(
    given: Annotated[ToolAcceptance, Body(openapi_examples=ACCEPTANCES)],
    caller: Caller,
    executive: TheExecutive,
    work: TheTasks,
) -> PinnedTool:
    """Pin a changed tool anew, by the hash of the change that was read.

    It is used from the next start, an agent's own tool at once. Whoever may approve what the tool
    does may do this, and the acceptance is kept for good.
    """
    return await work.finish(executive.tools.accept(given, caller))


class SlackRoute(OpenRoute):
    """A route for whoever signs as Slack does; what is sent is a form, read as bytes."""

    def read(self, plain: Request) -> Request:
        """Leave the body to the endpoint: its signature is over the very bytes."""
        return plain

    async def admit(self, request: Request) -> None:
        """Let anybody come as far as the signature."""


slack_router = APIRouter(route_class=SlackRoute, include_in_schema=False)


@slack_router.post("/v1/channels/slack/actions")
async def take_click(request: Request, executive: TheExecutive, work: TheTasks) -> Response:
    """Take a click; Slack waits three seconds, so what came of it is told to it afterwards.

    Raises:
        Problem: 401, it is not signed by our app just now; 404, there is no such app.
    """
    slack = executive.channels.slack
    if slack is None:
        raise Problem(NOT_FOUND, t("problem.no_resource"))
    body = b""
    async with in_time():
        async for chunk in request.stream():
            body += chunk
            if len(body) > MAX_LINE_BYTES:
                raise Problem(TOO_LARGE, t("console.form.too_large", size=MAX_LINE_BYTES))
    secret = slack.signing_secret.get_secret_value()
    if not is_from_slack(secret, request.headers, body, now=time.time()):
        raise Problem(UNAUTHENTICATED, t("problem.slack_signature"))
    click = Click.read(body)
    if click is not None:
        await work.later(("slack", click.action_id), partial(executive.channels.click, click))
    return Response(status_code=200)
