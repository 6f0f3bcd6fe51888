"""A front end that speaks AG-UI, with the protocol's own types."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import count
from typing import Any

import httpx
from ag_ui.core import (
    AssistantMessage,
    CustomEvent,
    Event,
    FunctionCall,
    Interrupt,
    Message,
    ResumeEntry,
    RunAgentInput,
    RunErrorEvent,
    RunFinishedEvent,
    RunFinishedInterruptOutcome,
    RunStartedEvent,
    TextMessageContentEvent,
    TextMessageEndEvent,
    TextMessageStartEvent,
    ToolCall,
    ToolCallArgsEvent,
    ToolCallEndEvent,
    ToolCallResultEvent,
    ToolCallStartEvent,
    ToolMessage,
    UserMessage,
)
from httpx_sse import EventSource
from jsonschema import Draft202012Validator
from pydantic import TypeAdapter

EVENT: TypeAdapter[Any] = TypeAdapter(Event)
_NUMBERS = count(1)


@dataclass
class FrontEnd:
    """A front end as the protocol wants it: it keeps the messages, and every sequence rule."""

    client: httpx.AsyncClient
    thread_id: str = field(default_factory=lambda: f"thread-{next(_NUMBERS)}")
    messages: list[Message] = field(default_factory=list)
    interrupts: Sequence[Interrupt] = ()
    told: list[str] = field(default_factory=list)
    """What the assistant said in the last run."""
    results: dict[str, str] = field(default_factory=dict)
    """Results of tool calls, of all runs."""
    custom: list[CustomEvent] = field(default_factory=list)
    _open: dict[str, str] = field(default_factory=dict)
    _names: dict[str, str] = field(default_factory=dict)

    def input(self, text: str | None = None, resume: Sequence[ResumeEntry] = ()) -> RunAgentInput:
        if text is not None:
            self.messages.append(UserMessage(id=f"m-{next(_NUMBERS)}", content=text))
        return RunAgentInput(
            thread_id=self.thread_id,
            run_id=f"run-{next(_NUMBERS)}",
            protocol_version="1.0",
            messages=self.messages,
            tools=[],
            context=[],
            state={},
            forwarded_props={},
            resume=list(resume) or None,
        )

    async def post(self, given: RunAgentInput, **headers: str) -> httpx.Response:
        sent = given.model_dump_json(by_alias=True)
        accepted = {"Accept": "text/event-stream", "Content-Type": "application/json", **headers}
        return await self.client.post("/v1/ag-ui", content=sent, headers=accepted)

    async def run(self, text: str | None = None, resume: Sequence[ResumeEntry] = ()) -> list[Any]:
        given = self.input(text, resume)
        answer = await self.post(given)
        assert answer.status_code == 200, answer.text
        events = [EVENT.validate_json(one.data) for one in EventSource(answer).iter_sse()]
        self.read(given, events)
        return events

    def read(self, given: RunAgentInput, events: Sequence[Any]) -> None:
        """Take the events of a run in; each that breaks a rule of the protocol fails the test."""
        first, *inner, last = events
        assert isinstance(first, RunStartedEvent)
        assert (first.thread_id, first.run_id) == (given.thread_id, given.run_id)
        assert first.protocol_version == "1.0"
        self.told, self.custom, self.interrupts, self._open = [], [], (), {}
        for one in inner:
            if isinstance(one, CustomEvent):
                self.custom.append(one)
            elif not self._said(one):
                self._called(one)
        assert self._open == {}
        if isinstance(last, RunErrorEvent):
            return
        assert isinstance(last, RunFinishedEvent)
        if isinstance(last.outcome, RunFinishedInterruptOutcome):
            self.interrupts = last.outcome.interrupts
        # A call without a result is a question that was asked, and nothing else.
        asked = {one.tool_call_id for one in self.interrupts}
        assert set(self.calls()) - set(self.results) == asked

    def _said(self, one: Any) -> bool:
        match one:
            case TextMessageStartEvent():
                assert one.message_id not in self._open
                self._open[one.message_id] = ""
            case TextMessageContentEvent():
                self._open[one.message_id] += one.delta
            case TextMessageEndEvent():
                text = self._open.pop(one.message_id)
                self.told.append(text)
                self.messages.append(AssistantMessage(id=one.message_id, content=text))
            case _:
                return False
        return True

    def _called(self, one: Any) -> None:
        match one:
            case ToolCallStartEvent():
                assert one.tool_call_id not in {*self.calls(), *self._open}
                self._open[one.tool_call_id] = ""
                self._names[one.tool_call_id] = one.tool_call_name
            case ToolCallArgsEvent():
                self._open[one.tool_call_id] += one.delta
            case ToolCallEndEvent():
                call_id, arguments = one.tool_call_id, self._open.pop(one.tool_call_id)
                call = FunctionCall(name=self._names[call_id], arguments=arguments)
                made = [ToolCall(id=call_id, function=call)]
                self.messages.append(AssistantMessage(id=call_id, tool_calls=made))
            case ToolCallResultEvent():
                assert one.tool_call_id in self.calls()
                assert isinstance(one.content, str)
                self.results[one.tool_call_id] = one.content
                told = ToolMessage(
                    id=one.message_id, content=one.content, tool_call_id=one.tool_call_id
                )
                self.messages.append(told)
            case _:
                raise AssertionError(f"{one.type} has no place here")

    def calls(self) -> dict[str, FunctionCall]:
        return {
            call.id: call.function
            for one in self.messages
            if isinstance(one, AssistantMessage)
            for call in one.tool_calls or ()
        }

    def answer(self, interrupt: Interrupt, **payload: Any) -> ResumeEntry:
        return ResumeEntry(interrupt_id=interrupt.id, status="resolved", payload=payload)

    def approval(self, interrupt: Interrupt, **payload: Any) -> ResumeEntry:
        """Say yes as the schema of the interrupt wants it."""
        assert interrupt.response_schema is not None
        given = {"approved": True, "payload_hash": hash_of(interrupt), **payload}
        Draft202012Validator(interrupt.response_schema).validate(given)
        return self.answer(interrupt, **given)


def hash_of(interrupt: Interrupt) -> str:
    assert interrupt.response_schema is not None
    return str(interrupt.response_schema["properties"]["payload_hash"]["const"])
