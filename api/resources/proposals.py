"""The door for agents: the catalog of actions, and proposals of calls.

Permit mode is part of it: the tools that agents keep, permits for them, and what came of them.
"""

import asyncio
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from re import fullmatch
from typing import Annotated

import structlog
from fastapi import APIRouter, Body, Query
from pydantic import JsonValue
from starlette.requests import ClientDisconnect, Request
from starlette.responses import Response

from api.http.admission import MOST_POLLS, Admission
from api.http.bodies import JSON, refuse_other_types, validated
from api.http.dependencies import Caller, Identifier, TheAdmission, TheExecutive, TheTasks
from api.http.problems import INVALID, INVALID_ARGUMENTS, TOO_LARGE, TOO_MANY, Fault, Problem
from api.http.route import KeyedRoute
from api.openapi import describe_answer, describe_problems
from api.schemas.proposals import (
    CATALOG,
    DECLARATIONS,
    DONE,
    EXAMPLES,
    KEPT,
    MOST_PROPOSALS,
    OUTCOMES,
    PENDING,
    PERMIT,
    PERMIT_REQUEST,
    REPORTED,
    WITHDRAWN,
    Catalog,
    Declarations,
    KeptTools,
    NewProposal,
    OneProposal,
    PermitRequest,
    ProposalFilter,
    ProposalPage,
    ProposalWait,
)
from graph.executive import Executive
from state.declared_tool import Permit, PermitOutcome
from state.errors import BadInput, Conflict, InvalidArguments
from state.event import TRACEPARENT, Event
from state.principal import Principal
from state.proposal_view import ProposalView
from tools.access.permissions import attribute_event
from tools.platform.texts import t

_log = structlog.get_logger("api.proposals")
router = APIRouter(route_class=KeyedRoute, tags=["proposals"])

_OK, _ACCEPTED = 200, 202


@router.get(
    "/v1/catalog",
    operation_id="read_catalog",
    responses={
        200: describe_answer("Catalog", CATALOG, t("api.answer.read_catalog")),
        **describe_problems(401, 503),
    },
)
async def read_catalog(caller: Caller, executive: TheExecutive) -> Catalog:
    """List the actions that you may propose, with the JSON Schema of their arguments."""
    return Catalog(actions=executive.proposals.catalog(caller))


@router.post(
    "/v1/proposals",
    operation_id="propose",
    responses={
        200: describe_answer("ProposalView", DONE, t("api.answer.propose"), many=True),
        202: describe_answer("ProposalView", PENDING, t("api.answer.propose_202"), many=True),
        **describe_problems(400, 401, 403, 409, 413, 415, 422, 429, 503),
    },
    openapi_extra={
        "requestBody": {
            "required": True,
            "content": {
                JSON: {
                    "schema": {
                        "anyOf": [
                            {"$ref": "#/components/schemas/OneProposal"},
                            {
                                "type": "array",
                                "items": {"$ref": "#/components/schemas/NewProposal"},
                                "maxItems": MOST_PROPOSALS,
                            },
                        ]
                    },
                    "examples": EXAMPLES,
                }
            },
        }
    },
)
async def propose(
    request: Request,
    caller: Caller,
    executive: TheExecutive,
    work: TheTasks,
    admission: TheAdmission,
) -> Response:
    """Propose a call of an action, or a list of calls; 202 while a person has to decide.

    A read runs at once. A write waits for one click of a person, unless policy lets it run. A
    dangerous action waits for an approval. A list is taken whole or not at all, and each call in
    it is decided by itself. The same call of the same asker that waits already is answered with
    that one (`duplicate_of`).
    """
    refuse_other_types(request, JSON)
    sent = await request.json()
    if isinstance(sent, list):
        if len(sent) > MOST_PROPOSALS:
            raise Problem(TOO_LARGE, t("proposal.too_many", count=MOST_PROPOSALS))
        if not sent:
            raise Problem(INVALID, t("proposal.none"))
        wanted = [validated(NewProposal, each, f"[{n}]") for n, each in enumerate(sent)]
        places = [f"[{n}]." for n in range(len(sent))]
    else:
        wanted, places = [validated(OneProposal, sent)], [""]
    parent = request.headers.get("traceparent", "")
    traced = {"traceparent": parent if fullmatch(TRACEPARENT, parent) else None}
    events = [
        _event(one, caller, executive, place).model_copy(update=traced)
        for one, place in zip(wanted, places, strict=True)
    ]
    admission.charge(caller.tenant_id, len(events))
    ids = await work.finish(_decided(events, executive))
    seconds = wanted[0].wait_seconds if isinstance(wanted[0], OneProposal) else 0.0
    if isinstance(sent, list):
        views = [await executive.proposals.view(each, caller) for each in ids]
        body = f"[{','.join(each.model_dump_json(by_alias=True) for each in views)}]"
        status = _ACCEPTED if any(each.is_open for each in views) else _OK
        return Response(body, status, media_type=JSON)
    view = await _waited(request, executive, admission, caller, ids[0], seconds)
    root = request.scope.get("root_path", "")
    return Response(
        view.model_dump_json(by_alias=True),
        _ACCEPTED if view.is_open else _OK,
        {"Location": f"{root}/v1/proposals/{view.proposal_id}"},
        JSON,
    )


@router.get(
    "/v1/proposals",
    operation_id="list_proposals",
    responses={
        200: describe_answer(
            "ProposalPage", {"proposals": [PENDING]}, t("api.answer.list_proposals")
        ),
        **describe_problems(401, 422, 503),
    },
)
async def list_proposals(
    wanted: Annotated[ProposalFilter, Query()], caller: Caller, executive: TheExecutive
) -> ProposalPage:
    """List the proposals of your tenant in the sessions that you may read, newest first."""
    found, following = await executive.proposals.list(
        caller,
        status=wanted.status,
        agent=wanted.agent,
        limit=wanted.limit,
        after=wanted.cursor,
    )
    return ProposalPage(proposals=tuple(found), next_cursor=following)


@router.get(
    "/v1/proposals/{proposal_id}",
    operation_id="read_proposal",
    responses={
        200: describe_answer("ProposalView", PENDING, t("api.answer.read_proposal")),
        **describe_problems(401, 404, 422, 429, 503),
    },
)
async def read_proposal(
    request: Request,
    proposal_id: Identifier,
    wanted: Annotated[ProposalWait, Query()],
    caller: Caller,
    executive: TheExecutive,
    admission: TheAdmission,
) -> ProposalView:
    """Read where a proposal stands; with `wait`, as soon as that is final."""
    return await _waited(request, executive, admission, caller, proposal_id, wanted.wait)


@router.delete(
    "/v1/proposals/{proposal_id}",
    operation_id="withdraw_proposal",
    responses={
        200: describe_answer("ProposalView", WITHDRAWN, t("api.answer.withdraw_proposal")),
        **describe_problems(401, 403, 404, 409, 429, 503),
    },
)
async def withdraw_proposal(
    proposal_id: Identifier, caller: Caller, executive: TheExecutive, work: TheTasks
) -> ProposalView:
    """Withdraw what has not begun; 409 once it has, or is over."""
    return await work.finish(executive.proposals.withdraw(proposal_id, caller))


@router.get(
    "/v1/catalog/tools",
    operation_id="list_declared_tools",
    responses={
        200: describe_answer("KeptTools", KEPT, t("api.answer.list_declared_tools")),
        **describe_problems(401, 503),
    },
)
async def list_declared_tools(caller: Caller, executive: TheExecutive) -> KeptTools:
    """List the tools that the agents of your tenant keep, as they count."""
    return KeptTools(tools=await executive.declared.list(caller))


@router.put(
    "/v1/catalog/tools",
    operation_id="declare_tools",
    responses={
        200: describe_answer("KeptTools", KEPT, t("api.answer.declare_tools")),
        **describe_problems(400, 401, 403, 409, 413, 415, 422, 429, 503),
    },
)
async def declare_tools(
    given: Annotated[Declarations, Body(openapi_examples=DECLARATIONS)],
    caller: Caller,
    executive: TheExecutive,
    work: TheTasks,
) -> KeptTools:
    """Declare tools that you keep and run yourself, all of them or none.

    A new tool counts at once, as grave as its name gives away if that is graver than its effect.
    A change of one that was used, and a lower effect, waits for a person (`GET /v1/tools`). Say
    the same again as often as you like.
    """
    return KeptTools(tools=await work.finish(executive.declared.declare(given.tools, caller)))


@router.delete(
    "/v1/catalog/tools/{name}",
    operation_id="remove_declared_tool",
    responses={
        200: describe_answer("KeptTools", KEPT, t("api.answer.remove_declared_tool")),
        **describe_problems(401, 403, 404, 429, 503),
    },
)
async def remove_declared_tool(
    name: Identifier, caller: Caller, executive: TheExecutive, work: TheTasks
) -> KeptTools:
    """Remove a tool; declared again, it is held against what it was."""
    await work.finish(executive.declared.remove(name, caller))
    return KeptTools(tools=await executive.declared.list(caller))


@router.post(
    "/v1/proposals/{proposal_id}/permit",
    operation_id="take_permit",
    responses={
        200: describe_answer("Permit", PERMIT, t("api.answer.take_permit")),
        **describe_problems(400, 401, 403, 404, 409, 413, 415, 422, 429, 503),
    },
)
async def take_permit(
    request: Request,
    proposal_id: Identifier,
    given: Annotated[PermitRequest, Body(openapi_examples=PERMIT_REQUEST)],
    caller: Caller,
    executive: TheExecutive,
    work: TheTasks,
) -> Permit:
    """Take the permit of a `permitted` proposal, once, and run your tool with its arguments.

    It is bound to your key, the digest and the proposal. Report the outcome before `expires_at`;
    after that the action is `unknown`, and a person settles it. The permit is kept nowhere: sent
    again, even with its `Idempotency-Key`, this is answered with 409.
    """
    request.state.is_secret = True
    return await work.finish(executive.permits.take(proposal_id, given.digest, caller))


@router.post(
    "/v1/proposals/{proposal_id}/outcome",
    operation_id="report_outcome",
    responses={
        200: describe_answer("ProposalView", REPORTED, t("api.answer.report_outcome")),
        **describe_problems(400, 401, 403, 404, 409, 413, 415, 422, 429, 503),
    },
)
async def report_outcome(
    proposal_id: Identifier,
    given: Annotated[PermitOutcome, Body(openapi_examples=OUTCOMES)],
    caller: Caller,
    executive: TheExecutive,
    work: TheTasks,
) -> ProposalView:
    """Report what came of a tool that you ran with a permit; it is recorded as your word."""
    return await work.finish(executive.permits.report(proposal_id, given, caller))


def _event(wanted: NewProposal, caller: Principal, executive: Executive, place: str) -> Event:
    """Make an event of a proposal.

    Raises:
        Problem: 422, naming the argument, with the schema of the action.
        Forbidden: it names another tenant, a person the caller may not speak for, or a session
            that is closed to the caller.
    """
    try:
        call = executive.proposals.read(wanted.call(), caller)
    except InvalidArguments as fault:
        faults = [Fault(f"{place}arguments", one) for one in fault.faults]
        schema = {"schema": executive.proposals.argument_schema(wanted.action, caller)}
        raise Problem(INVALID_ARGUMENTS, str(fault), faults=faults, members=schema) from fault
    except BadInput as fault:
        raise Problem(INVALID, str(fault), faults=[Fault(f"{place}action", str(fault))]) from fault
    given: dict[str, JsonValue] = {
        "kind": "proposal",
        "text": executive.proposals.text(call, caller),
        "call": call.model_dump(),
        "session_id": wanted.session_id,
        "event_id": wanted.idempotency_key,
        "tenant_id": wanted.tenant_id,
        "user": wanted.on_behalf_of,
        "role": wanted.role,
    }
    if not caller.sources:  # else its own, see attribute_event
        given["source"] = f"agent:{caller.user}"
    said: JsonValue = {name: value for name, value in given.items() if value is not None}
    event = validated(Event, said, place.removesuffix("."))
    named = attribute_event(event, caller)
    executive.readers.demand(caller, [named.session_id])
    return named


async def _decided(events: Sequence[Event], executive: Executive) -> list[str]:
    """Accept all, then decide each; one that breaks off is told as accepted and tried again."""
    try:
        accepted = await executive.accept_all(list(events))
    except Conflict as conflict:  # says it in words of events, which a caller never sent
        raise Conflict(t("proposal.key_taken"), conflict.standing) from conflict
    done = await asyncio.gather(*map(executive.decide_accepted, accepted), return_exceptions=True)
    for each in done:
        if isinstance(each, BaseException):
            _log.warning("proposal_broke_off", error=type(each).__name__)
    return [each.decision_id for each in accepted]


async def _waited(
    request: Request,
    executive: Executive,
    admission: Admission,
    caller: Principal,
    proposal_id: str,
    seconds: float,
) -> ProposalView:
    if not seconds:
        return await executive.proposals.view(proposal_id, caller)
    with _counted(request, admission, caller):
        # Who waits for a person keeps no place from those who work.
        request.state.release()
        waiting = asyncio.ensure_future(executive.proposals.wait(proposal_id, caller, seconds))
        gone = asyncio.ensure_future(_gone(request))
        try:
            await asyncio.wait((waiting, gone), return_when=asyncio.FIRST_COMPLETED)
            if not waiting.done():
                raise ClientDisconnect
            return await waiting
        finally:
            waiting.cancel()
            gone.cancel()


async def _gone(request: Request) -> None:
    """Return once whoever asked has hung up: nobody waits on for nobody."""
    while (await request.receive())["type"] != "http.disconnect":
        pass


@contextmanager
def _counted(request: Request, admission: Admission, caller: Principal) -> Iterator[None]:
    polling: Counter[tuple[str, str]] = request.app.state.polling
    who = (caller.tenant_id, caller.user)
    if polling[who] >= MOST_POLLS:
        admission.refused.count(caller.tenant_id, "reads")
        raise Problem(TOO_MANY, t("proposal.polls"), headers={"Retry-After": "1"})
    polling[who] += 1
    try:
        yield
    finally:
        polling[who] -= 1
        if not polling[who]:
            del polling[who]
