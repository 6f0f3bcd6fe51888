"""Conversations in AG-UI front ends: the input of a run comes in, its events go out.

An action that waits for the caller's approval ends a run with an interrupt, and the `resume` of a
later run answers it like any other answer to an approval. A run remembers nothing: questions that
are still open are found by the tool calls in its messages that have no result.

Source: AG-UI 1.0, docs.ag-ui.com/spec/1.0.
"""

import hashlib
import json
from collections.abc import Iterator, Mapping, Sequence
from typing import Annotated, Any, Literal

from fastapi import APIRouter, Body
from pydantic import BaseModel, ConfigDict, Field, JsonValue
from pydantic.alias_generators import to_camel
from pydantic_core import to_json
from starlette.responses import Response

from api.http.dependencies import Caller, TheAdmission, TheExecutive, TheTasks
from api.http.problems import INTERNAL, Problem, problem_of
from api.http.route import KeyedRoute
from api.openapi import describe_problems
from api.resources.approvals import answer_from_body
from api.resources.events import say
from api.schemas.common import DecisionDetails
from graph.executive import Executive
from state.dialog import ShownApproval
from state.errors import Forbidden, NotFound
from state.noun import CleanText, Name
from state.principal import Principal, roles_in_words
from tools.gate.approvals.approval_rules import demand_approver
from tools.platform.texts import section, t
from tools.platform.unicode_safety import escape_json_controls

VERSION = "1.0"
"""Of the protocol, as RUN_STARTED says it."""
MOST_ANSWERS = 50
_MOST_OPEN = 100
"""Tool calls without a result that are looked up, the last ones of a conversation."""
Json = dict[str, Any]  # an event, or a part of one


class _Wire(BaseModel):
    """What a front end sends; other fields of the protocol are taken and not used."""

    model_config = ConfigDict(alias_generator=to_camel, frozen=True, extra="ignore")


class RunToolCall(_Wire):
    """A tool call of an earlier run."""

    id: CleanText


class RunMessage(_Wire):
    """A message of the conversation."""

    id: CleanText
    role: str
    content: JsonValue = Field(default=None, description="text, or a list of parts")
    tool_calls: tuple[RunToolCall, ...] | None = None
    tool_call_id: CleanText | None = None

    @property
    def text(self) -> str:
        """Return its words, without pictures and the like."""
        parts = self.content if isinstance(self.content, list) else [{"text": self.content}]
        texts = [part.get("text") for part in parts if isinstance(part, dict)]
        return "\n".join(one for one in texts if isinstance(one, str))


class ResumeEntry(_Wire):
    """The answer to one interrupt."""

    interrupt_id: Name
    status: Literal["resolved", "cancelled"]
    payload: JsonValue = Field(
        default=None, description="`{approved, payload_hash, editedArgs?, reason?, typed?}`"
    )


class RunInput(_Wire):
    """The input of a run."""

    thread_id: Name = Field(description="the session")
    run_id: Name
    messages: tuple[RunMessage, ...]
    resume: tuple[ResumeEntry, ...] | None = Field(default=None, max_length=MOST_ANSWERS)


class _Run:
    """The events of one run, as they come about."""

    def __init__(self, given: RunInput, caller: Principal, executive: Executive) -> None:
        self._given, self._caller, self._executive = given, caller, executive
        self._called = {one.id for each in given.messages for one in each.tool_calls or ()}
        self._told = {one.tool_call_id for one in given.messages if one.role == "tool"}
        self._interrupts: list[Json] = []
        self.events: list[Json] = []

    def unanswered(self) -> Iterator[str]:
        """Name what may be open: what is answered now, and tool calls that have no result."""
        yield from (one.interrupt_id for one in self._given.resume or ())
        calls = [one.id for each in self._given.messages for one in each.tool_calls or ()]
        yield from [one for one in calls if one not in self._told][-_MOST_OPEN:]

    def say(self, text: str, message_id: str | None = None) -> None:
        """Say something as the assistant."""
        if not text:
            return
        one = message_id or f"{self._given.run_id}:{len(self.events)}"
        self._add("TEXT_MESSAGE_START", messageId=one, role="assistant")
        self._add("TEXT_MESSAGE_CONTENT", messageId=one, delta=text)
        self._add("TEXT_MESSAGE_END", messageId=one)

    def decided(self, details: DecisionDetails) -> None:
        """Tell what was decided about a message."""
        call_id = details.action_id or details.decision_id
        if details.approval is not None:
            self.stands(details.approval)
        elif details.action and details.outcome in ("executed", "failed", "awaiting_approval"):
            self._call(call_id, details.action, details.arguments or {})
            self._result(call_id, details.text or details.outcome)
        if details.offer is not None:
            self._add("CUSTOM", name="prefrontal.offer", value=details.offer.model_dump())
        self.say(details.text, details.decision_id)

    async def look_up(self, action_id: str, *, was_answered: bool) -> None:
        """Tell how an action stands that may have waited; whatever else the id names is left."""
        approvals, reader = self._executive.approvals, self._executive.readers.of(self._caller)
        while action_id not in self._told:
            try:
                shown = approvals.show(await approvals.get(action_id, reader))
            except NotFound:
                return
            told = self.stands(shown)
            if was_answered and told:
                self.say(told)
            if shown.replaced_by is None:
                return
            action_id = shown.replaced_by

    def stands(self, shown: ShownApproval) -> str:
        """Ask the caller for an answer, or close the call with how it stands and return that."""
        self._call(shown.action_id, shown.action, shown.arguments)
        if shown.state == "pending" and self._may_answer(shown):
            self._told.add(shown.action_id)
            self._interrupts.append(self._interrupt(shown))
            return ""
        told = _words(shown)
        self._result(shown.action_id, told)
        return told

    def body(self, failure: Problem | None = None) -> str:
        """Write the whole run as server-sent events."""
        ids = {"threadId": self._given.thread_id, "runId": self._given.run_id}
        outcome: Json = {"type": "success"}
        if self._interrupts:
            outcome = {"type": "interrupt", "interrupts": self._interrupts}
        end = {"type": "RUN_FINISHED", **ids, "outcome": outcome}
        if failure is not None:
            end = {"type": "RUN_ERROR", "message": failure.detail, "code": failure.kind.slug}
        start = {"type": "RUN_STARTED", **ids, "protocolVersion": VERSION}
        written = (to_json(one, inf_nan_mode="null").decode() for one in (start, *self.events, end))
        return "".join(f"data: {escape_json_controls(one)}\n\n" for one in written)

    def _add(self, type_: str, **fields: Any) -> None:  # an event's own fields
        self.events.append({"type": type_, **fields})

    def _call(self, call_id: str, name: str, arguments: Mapping[str, Any]) -> None:
        if call_id in self._called:
            return
        self._called.add(call_id)
        self._add("TOOL_CALL_START", toolCallId=call_id, toolCallName=name)
        given = json.dumps(dict(arguments), ensure_ascii=False, default=str)
        self._add("TOOL_CALL_ARGS", toolCallId=call_id, delta=given)
        self._add("TOOL_CALL_END", toolCallId=call_id)

    def _result(self, call_id: str, content: str) -> None:
        self._told.add(call_id)
        message_id = f"{call_id}:{self._given.run_id}"
        self._add("TOOL_CALL_RESULT", messageId=message_id, toolCallId=call_id, content=content)

    def _may_answer(self, shown: ShownApproval) -> bool:
        try:
            demand_approver(shown, self._caller)
        except Forbidden:
            return False
        return self._caller.user not in shown.said_yes

    def _interrupt(self, shown: ShownApproval) -> Json:
        dialog = shown.dialog
        answers: Json = {
            "approved": {"type": "boolean"},
            "payload_hash": {"const": shown.digest},
            "reason": {"type": "string", "maxLength": 2_000},
        }
        if dialog is not None:
            proposals = self._executive.proposals
            answers["editedArgs"] = proposals.argument_schema(shown.action, self._caller)
            if dialog.type_to_approve is not None:
                # No constant: a form that fills in itself would say it for a person.
                asked = t("gate.typed_missing", phrase=dialog.type_to_approve)
                answers["typed"] = {"type": "string", "maxLength": 200, "description": asked}
        needed = [name for name in ("payload_hash", "typed") if name in answers]
        expires = {} if shown.expires_at is None else {"expiresAt": shown.expires_at.isoformat()}
        return {
            "id": shown.action_id,
            "reason": "tool_call",
            "message": "\n".join(dialog.lines) if dialog else shown.summary,
            "toolCallId": shown.action_id,
            "responseSchema": {
                "type": "object",
                "properties": answers,
                "required": ["approved"],
                "if": {"properties": {"approved": {"const": True}}},
                "then": {"required": needed},
            },
            **expires,
            "metadata": {"prefrontal": {"digest": shown.digest, "class": shown.execution_class}},
        }


def _words(shown: ShownApproval) -> str:
    """Say how an action stands: its result, or its state and why."""
    if shown.state == "succeeded" and shown.result and shown.result.get("text"):
        return str(shown.result["text"])
    if shown.state == "pending":
        who = roles_in_words(shown.approver_roles)
        return t("approval.run.waits", who=who, summary=shown.summary)
    state = section("approval.state")[shown.state]
    return t("approval.run.stands", state=state, summary=shown.summary, reason=shown.reason)


router = APIRouter(route_class=KeyedRoute, tags=["events"])
_INPUT: Json = {
    "threadId": "engine-room",
    "runId": "run-1",
    "messages": [
        {"id": "m-1", "role": "user", "content": "close WO-1042, the filter is changed"},
    ],
}
_RESUMED: Json = {
    "threadId": "engine-room",
    "runId": "run-2",
    "messages": [],
    "resume": [
        {
            "interruptId": "8a1d5f52-90c4-5b0c-8d53-5a7f11d90c7e",
            "status": "resolved",
            "payload": {"approved": False, "reason": "not before the inspection"},
        }
    ],
}
_EVENTS = (
    'data: {"type":"RUN_STARTED","threadId":"engine-room","runId":"run-2","protocolVersion":"1.0"}'
    '\n\ndata: {"type":"RUN_FINISHED","threadId":"engine-room","runId":"run-2",'
    '"outcome":{"type":"success"}}\n\n'
)


@router.post(
    "/v1/ag-ui",
    operation_id="run_ag_ui",
    response_class=Response,
    responses={
        200: {
            "description": t("api.answer.run_ag_ui"),
            "content": {"text/event-stream": {"schema": {"type": "string"}, "example": _EVENTS}},
        },
        **describe_problems(400, 401, 403, 409, 413, 415, 422, 429, 503),
    },
)
async def run_ag_ui(
    given: Annotated[
        RunInput,
        Body(openapi_examples={"message": {"value": _INPUT}, "answer": {"value": _RESUMED}}),
    ],
    caller: Caller,
    executive: TheExecutive,
    work: TheTasks,
    admission: TheAdmission,
) -> Response:
    """Run one turn of a conversation for an AG-UI front end, as server-sent events.

    A last message of the user is decided like any message. An action that you may approve ends the
    run with an interrupt; answer it in the `resume` of the next run, a yes with the digest as
    `payload_hash`. An answer that does not count is told in words, and the interrupt stays.
    """
    executive.readers.demand(caller, [given.thread_id])
    answers = given.resume or ()
    if answers and caller.kind != "person":
        raise Forbidden(t("gate.only_people_answer"))
    run = _Run(given, caller, executive)
    for one in answers:
        sent = [one.model_dump(by_alias=True, exclude_unset=True)]
        try:
            await work.finish(answer_from_body(one.interrupt_id, sent, caller, executive))
        except Exception as error:  # noqa: BLE001 - told in the run; the other answers go on
            run.say(_foreseen(error).detail)
    failure = None
    try:
        if message := _message(given.messages):
            told: JsonValue = {
                "text": message.text,
                "session_id": given.thread_id,
                "event_id": _event_id(given.thread_id, message),
            }
            run.decided(await say(told, caller, executive, work, admission))
    except Exception as error:
        if not answers:
            raise
        failure = _foreseen(error)
    answered = {one.interrupt_id for one in answers}
    for action_id in run.unanswered():
        await run.look_up(action_id, was_answered=action_id in answered)
    return Response(run.body(failure), media_type="text/event-stream")


def _foreseen(error: Exception) -> Problem:
    problem = problem_of(error)
    if problem.kind is INTERNAL:
        raise error
    return problem


def _message(messages: Sequence[RunMessage]) -> RunMessage | None:
    """Return the last message if it is the user's: the others were answered by earlier runs."""
    return messages[-1] if messages and messages[-1].role == "user" else None


def _event_id(thread_id: str, message: RunMessage) -> str:
    """Name a message by what it is and says: sent again in another run it is decided once."""
    told = json.dumps([thread_id, message.id, message.text])
    return f"ag-ui-{hashlib.sha256(told.encode()).hexdigest()[:40]}"
