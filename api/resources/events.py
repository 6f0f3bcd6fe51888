"""Events and messages: one, a list or a stream of lines, decided at once or, if preferred.

Afterwards.
"""

import asyncio
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import partial

from fastapi import APIRouter
from pydantic import JsonValue
from starlette.requests import Request
from starlette.responses import Response

from api.http.admission import Admission
from api.http.bodies import (
    JSON,
    MAX_LINE_BYTES,
    NDJSON,
    media_type,
    parse_json,
    refuse_other_types,
    validated,
)
from api.http.dependencies import Caller, TaskRunner, TheAdmission, TheExecutive, TheTasks
from api.http.ndjson import Line, NdjsonResponse
from api.http.problems import INVALID, TOO_LARGE, Problem, encode, problem_of
from api.http.route import KeyedRoute, instance_of, request_id_of
from api.openapi import describe_answer, describe_body, describe_problems
from api.schemas.common import Ack, DecisionDetails, Message
from api.schemas.examples import ACK, ASKED, EVENT, EVENT_LINES, MESSAGE, RECORD
from graph.execution.run_limiter import Accepted
from graph.executive import Executive
from state.errors import NotFound
from state.event import MAX_TEXT_BYTES, Event
from state.principal import Principal
from state.record import DecisionRecord
from tools.access.permissions import attribute_event, require_reporter
from tools.platform.texts import t


def parse_event(sent: JsonValue, caller: Principal, executive: Executive, place: str = "") -> Event:
    """Make an event of what `caller` sent; `place` says where in the body it stood.

    Raises:
        Problem: 413 for a text that is too long, 422 for what is no event.
        Forbidden: it names another tenant, a session that is closed to the caller, or a user or
            role the caller is not, or is not the caller's to tell.
    """
    if not isinstance(sent, dict):
        raise Problem(INVALID, t("problem.event.shape", place=place or "body"))
    refuse_long_text(sent)
    event = validated(Event, sent, place)
    if event.call is not None:
        raise Problem(INVALID, t("proposal.elsewhere"))
    event = attribute_event(event, caller)
    executive.readers.demand(caller, [event.session_id])
    require_reporter(event, caller, executive.catalogue)
    return event


def refuse_long_text(sent: JsonValue) -> None:
    """Refuse a text beyond the limit by size, before its content is looked at.

    Raises:
        Problem: 413.
    """
    text = sent.get("text") if isinstance(sent, dict) else None
    if isinstance(text, str) and len(text.encode()) > MAX_TEXT_BYTES:
        raise Problem(TOO_LARGE, t("problem.event.text_large", size=MAX_TEXT_BYTES))


async def details_of(
    record: DecisionRecord, executive: Executive, caller: Principal
) -> DecisionDetails:
    """Put the offer and the approval of a caller's record beside it, as they may read them."""
    offer = approval = None
    if record.offer_id:
        offer = await executive.offers.get(record.offer_id, record.tenant_id)
    if record.outcome == "awaiting_approval" and record.action_id:
        with suppress(NotFound):  # it waits in a session that is closed to them
            standing = await executive.approvals.get(record.action_id, executive.readers.of(caller))
            approval = executive.approvals.show(standing)
    return DecisionDetails.model_validate(
        record.model_dump() | {"offer": offer, "approval": approval}
    )


MAX_LIST = 1_000
"""Most events in one JSON list; a stream of lines has no end."""

router = APIRouter(route_class=KeyedRoute, tags=["events"])

_PREFER = {
    "name": "Prefer",
    "in": "header",
    "schema": {"type": "string"},
    "description": "`respond-async`: answer 202 as soon as the events are on disk.",
    "example": "respond-async",
}


@router.post(
    "/v1/events",
    operation_id="send_events",
    responses={
        200: describe_answer("DecisionRecord", RECORD, t("api.answer.send_events"), many=True),
        202: describe_answer("Ack", ACK, t("api.answer.send_events_202"), many=True),
        **describe_problems(400, 401, 403, 409, 413, 415, 422, 429, 503),
    },
    openapi_extra={
        "parameters": [_PREFER],
        "requestBody": describe_body("Event", {"event": EVENT}, many=True, lines=EVENT_LINES),
    },
)
async def send_events(
    request: Request,
    caller: Caller,
    executive: TheExecutive,
    work: TheTasks,
    admission: TheAdmission,
) -> Response:
    """Take one event or a list (`application/json`), or a stream (`application/x-ndjson`).

    Give every event an `event_id`: sending it again returns the first decision. A list is taken
    whole or not at all. Of a stream every line is answered by itself, with its number and a
    decision or a problem, while the rest goes on.
    """
    refuse_other_types(request, JSON, NDJSON)
    desk = EventDesk(caller, executive, work, admission, later=prefers_later(request))
    status = 202 if desk.later else 200
    headers = {"Preference-Applied": "respond-async"} if desk.later else {}
    if media_type(request) == NDJSON:
        return NdjsonResponse(request.stream(), _Lines(desk, request), status, headers)
    sent = await request.json()
    made = await desk.handle(_events_of(sent, caller, executive))
    if isinstance(sent, list):
        body = f"[{','.join(each.model_dump_json() for each in made)}]"
    else:
        body = made[0].model_dump_json()
        root = request.scope.get("root_path", "")
        headers["Location"] = f"{root}/v1/decisions/{made[0].decision_id}"
    return Response(body, status, headers, JSON)


@dataclass(frozen=True)
class EventDesk:
    """Where one request's events are taken."""

    caller: Principal
    executive: Executive
    work: TaskRunner
    admission: Admission
    later: bool

    async def handle(self, events: Sequence[Event]) -> Sequence[DecisionRecord | Ack]:
        """Put all on disk at once, then decide them in their sessions' turns, now or later."""
        self.admission.charge(self.caller.tenant_id, len(events))
        if len(events) == 1 and not self.later:
            return [await self.work.finish(self.executive.submit(events[0]))]
        accepted = await self.executive.accept_all(list(events))
        if self.later:
            return [await self._acknowledge(each) for each in accepted]
        deciding = (self.work.finish(self.executive.decide_accepted(each)) for each in accepted)
        made = await asyncio.gather(*deciding, return_exceptions=True)
        for each in made:
            if isinstance(each, BaseException):
                raise each
        return [each for each in made if not isinstance(each, BaseException)]

    async def _acknowledge(self, accepted: Accepted) -> Ack:
        event = accepted.event
        await self.work.later(
            (event.tenant_id, event.session_id),
            partial(self.executive.decide_accepted, accepted),
        )
        return Ack(
            event_id=event.event_id,
            decision_id=accepted.decision_id,
            duplicate=accepted.duplicate,
        )


@dataclass(frozen=True)
class _Lines:
    """Answers the lines of one stream."""

    desk: EventDesk
    request: Request

    async def __call__(self, line: Line) -> str:
        """Answer one line, whatever is in it."""
        try:
            return await self.desk.work.finish(self._answer(line))
        except Exception as error:  # noqa: BLE001 - one bad line must not end the stream
            problem = problem_of(error).body(
                instance=instance_of(self.request), request_id=request_id_of(self.request)
            )
            return encode({"line": line.number, "problem": problem}).decode()

    async def _answer(self, line: Line) -> str:
        if line.raw is None:
            raise Problem(TOO_LARGE, t("problem.event.line_large", size=MAX_LINE_BYTES))
        event = parse_event(parse_json(line.raw), self.desk.caller, self.desk.executive)
        with self.desk.admission.under_way(self.desk.caller.tenant_id):
            (made,) = await self.desk.handle([event])
        key = "accepted" if self.desk.later else "decision"
        return f'{{"line":{line.number},"{key}":{made.model_dump_json()}}}'


def _events_of(sent: JsonValue, caller: Principal, executive: Executive) -> list[Event]:
    if not isinstance(sent, list):
        return [parse_event(sent, caller, executive)]
    if len(sent) > MAX_LIST:
        raise Problem(TOO_LARGE, t("problem.event.list_long", count=MAX_LIST))
    return [parse_event(each, caller, executive, f"[{place}]") for place, each in enumerate(sent)]


def prefers_later(request: Request) -> bool:
    """Tell whether the sender asks for an answer before the decision."""
    # RFC 7240: several headers, commas, parameters behind a semicolon, any case.
    preferences = ",".join(request.headers.getlist("prefer")).split(",")
    names = {preference.partition(";")[0].strip().lower() for preference in preferences}
    return "respond-async" in names


@router.post(
    "/v1/messages",
    operation_id="send_message",
    response_model=DecisionDetails,
    responses={
        200: describe_answer("DecisionDetails", ASKED, t("api.answer.send_message")),
        **describe_problems(400, 401, 403, 409, 413, 415, 422, 429, 503),
    },
    openapi_extra={"requestBody": describe_body("Message", {"message": MESSAGE})},
)
async def send_message(
    request: Request,
    caller: Caller,
    executive: TheExecutive,
    work: TheTasks,
    admission: TheAdmission,
) -> DecisionDetails:
    """Take a person's message, decide, and answer with chips or the approval it waits for."""
    return await say(await request.json(), caller, executive, work, admission)


async def say(
    sent: JsonValue, caller: Principal, executive: Executive, work: TaskRunner, admission: Admission
) -> DecisionDetails:
    """Decide a message of `caller`, whichever door it came through.

    Raises:
        Problem: 413 or 422, it is no message; 429, too many came.
        Forbidden: it names another tenant, or a user or role the caller is not.
    """
    refuse_long_text(sent)
    message = validated(Message, sent)
    spoken = message.model_dump(exclude_unset=True, exclude_none=True) | {"kind": "message"}
    event = parse_event(spoken, caller, executive)
    admission.charge(caller.tenant_id)
    record = await work.finish(executive.submit(event))
    return await details_of(record, executive, caller)
