"""Webhook bodies of other tools, as those post them: read into events, and decided like those."""

import asyncio
from typing import Annotated, Any, Literal

from fastapi import APIRouter, Query
from pydantic import JsonValue
from starlette.requests import Request
from starlette.responses import Response

from api.http.bodies import JSON, MAX_BODY_BYTES, JsonRequest
from api.http.dependencies import Caller, TheAdmission, TheExecutive, TheTasks
from api.http.problems import INVALID, NOT_FOUND, TOO_LARGE, Problem
from api.http.route import KeyedRoute
from api.openapi import describe_list, describe_problems
from api.resources.events import MAX_LIST, EventDesk, parse_event, prefers_later
from api.schemas.examples import ACK, ALERTS, RECORD
from graph.executive import Executive
from state.event import Event
from state.noun import LONGEST_NAME
from state.principal import Principal
from tools.ingest import Misfit, Received, UnknownKind
from tools.platform.texts import t

CLOUD_EVENTS = ("application/cloudevents+json", "application/cloudevents-batch+json")
MOST_BYTES_INLINE = 16_384
"""A longer body is read beside the event loop."""


class IngestRequest(JsonRequest):
    """A request with JSON, under the content types of CloudEvents as well."""

    accepted = (JSON, *CLOUD_EVENTS)

    def too_large(self) -> str:
        """Say how a sender makes its body shorter."""
        return t("ingest.large", size=MAX_BODY_BYTES)


class IngestRoute(KeyedRoute):
    """A route for tools that may only write a key into the URL, as name and password."""

    takes_basic = True

    def read(self, plain: Request) -> Request:
        """Read what is sent as bounded, strict JSON."""
        return IngestRequest(plain.scope, plain.receive)


router = APIRouter(route_class=IngestRoute, tags=["events"])

_BODY: dict[str, Any] = {
    "required": True,
    "content": {
        JSON: {
            "schema": {"anyOf": [{"type": "object"}, {"type": "array"}]},
            "examples": {"alertmanager": {"value": ALERTS}},
        }
    },
}
Later = Annotated[
    Literal["respond-async"] | None,
    Query(
        alias="prefer",
        description="as the header `Prefer`, for tools that send no headers of your choice",
    ),
]
SessionName = Annotated[
    str,
    Query(min_length=1, max_length=LONGEST_NAME, description="the session that is told of it"),
]


@router.post(
    "/v1/ingest/{kind}",
    operation_id="ingest",
    responses={
        200: describe_list("DecisionRecord", RECORD, t("api.answer.ingest")),
        202: describe_list("Ack", ACK, t("api.answer.send_events_202")),
        **describe_problems(400, 401, 403, 404, 409, 413, 415, 422, 429, 503),
    },
    openapi_extra={"requestBody": _BODY},
)
async def ingest(
    kind: str,
    request: Request,
    caller: Caller,
    executive: TheExecutive,
    work: TheTasks,
    admission: TheAdmission,
    session_id: SessionName = "default",
    later: Later = None,
) -> Response:
    """Take the body of Alertmanager, Grafana, PagerDuty, GitHub, CloudEvents or Home Assistant.

    Also `generic` JSON, and kinds of your own (docs/how-to/receive-alerts.md). Each item of the
    body becomes an event, with an id of its item and state: sent again it returns the first
    decision. The key may be a Bearer token, or the password of HTTP Basic.
    """
    received = Received(await request.json(), {**request.headers})
    is_long = len(await request.body()) > MOST_BYTES_INLINE
    made = await _read(executive, kind, received, is_long=is_long)
    if len(made) > MAX_LIST:
        raise Problem(TOO_LARGE, t("ingest.many", count=MAX_LIST))
    events = [
        _event(fields | {"session_id": session_id}, caller, executive, place)
        for place, fields in enumerate(made)
    ]
    is_later = later is not None or prefers_later(request)
    desk = EventDesk(caller, executive, work, admission, later=is_later)
    answers = await desk.handle(events) if events else ()
    body = f"[{','.join(each.model_dump_json() for each in answers)}]"
    headers = {"Preference-Applied": "respond-async"} if is_later else {}
    return Response(body, 202 if is_later else 200, headers, JSON)


async def _read(
    executive: Executive, kind: str, received: Received, *, is_long: bool
) -> list[dict[str, JsonValue]]:
    try:
        if is_long:
            return await asyncio.to_thread(executive.ingest.events, kind, received)
        return executive.ingest.events(kind, received)
    except UnknownKind as error:
        raise Problem(NOT_FOUND, str(error)) from error
    except Misfit as error:
        raise Problem(INVALID, str(error)) from error


def _event(
    fields: dict[str, JsonValue], caller: Principal, executive: Executive, place: int
) -> Event:
    """Make an event; a key of one source speaks as that source, whatever the body names."""
    if len(caller.sources) == 1 and not caller.may_send_as(str(fields["source"])):
        fields = {name: value for name, value in fields.items() if name != "source"}
    return parse_event(fields, caller, executive, f"[{place}]")
