"""Events: one, a list, or a stream of lines; decided at once or, if preferred, afterwards."""

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial

from fastapi import APIRouter
from pydantic import JsonValue
from starlette.requests import Request
from starlette.responses import Response

from api.dependencies import Caller, TheAdmission, TheExecutive, TheWork
from api.examples.common import ACK, EVENT, EVENT_LINES, RECORD
from api.http.admission import Admission
from api.http.bodies import JSON, MAX_LINE_BYTES, NDJSON, media_type, parse_json, refuse_other_types
from api.http.describing import answers, problems, takes
from api.http.lines import Line, LinesResponse
from api.http.problems import TOO_LARGE, Problem, encode, problem_of
from api.http.route import KeyedRoute, instance_of, request_id_of
from api.payloads.common import Ack
from api.speaking import event_of
from api.work import Work
from graph.runner import Executive
from graph.running.accepted import Accepted
from state.event import Event
from state.principal import Principal
from state.record import DecisionRecord

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
    summary="Send what happened and learn what was decided",
    responses={
        200: answers("DecisionRecord", RECORD, "A record an event, in order", many=True),
        202: answers("Ack", ACK, "On disk; the decisions follow", many=True),
        **problems(400, 401, 403, 409, 413, 415, 422, 429, 503),
    },
    openapi_extra={
        "parameters": [_PREFER],
        "requestBody": takes("Event", {"event": EVENT}, many=True, lines=EVENT_LINES),
    },
)
async def send_events(
    request: Request,
    caller: Caller,
    executive: TheExecutive,
    work: TheWork,
    admission: TheAdmission,
) -> Response:
    """Take one event or a list (`application/json`), or a stream (`application/x-ndjson`).

    Give every event an `event_id`: sending it again returns the first decision. A list is taken
    whole or not at all. Of a stream every line is answered by itself, with its number and a
    decision or a problem, while the rest goes on.
    """
    refuse_other_types(request, JSON, NDJSON)
    desk = _Desk(caller, executive, work, admission, later=_prefers_later(request))
    status = 202 if desk.later else 200
    headers = {"Preference-Applied": "respond-async"} if desk.later else {}
    if media_type(request) == NDJSON:
        return LinesResponse(request.stream(), _Lines(desk, request), status, headers)
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
class _Desk:
    """Where one request's events are taken."""

    caller: Principal
    executive: Executive
    work: Work
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

    desk: _Desk
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
            raise Problem(TOO_LARGE, f"a line may hold {MAX_LINE_BYTES} bytes")
        event = event_of(parse_json(line.raw), self.desk.caller, self.desk.executive)
        with self.desk.admission.under_way(self.desk.caller.tenant_id):
            (made,) = await self.desk.handle([event])
        key = "accepted" if self.desk.later else "decision"
        return f'{{"line":{line.number},"{key}":{made.model_dump_json()}}}'


def _events_of(sent: JsonValue, caller: Principal, executive: Executive) -> list[Event]:
    if not isinstance(sent, list):
        return [event_of(sent, caller, executive)]
    if len(sent) > MAX_LIST:
        raise Problem(TOO_LARGE, f"a list may hold {MAX_LIST} events; send NDJSON, one a line")
    return [event_of(each, caller, executive, f"[{place}]") for place, each in enumerate(sent)]


def _prefers_later(request: Request) -> bool:
    # RFC 7240: several headers, commas, parameters behind a semicolon, any case.
    preferences = ",".join(request.headers.getlist("prefer")).split(",")
    names = {preference.partition(";")[0].strip().lower() for preference in preferences}
    return "respond-async" in names
