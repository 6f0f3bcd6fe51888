"""Tool calls as OpenTelemetry has them: a span `execute_tool NAME` for each, once it has ended.

It is made from the ledger alone, so that a call that waited for days and over a restart has one
too. Source: OpenTelemetry, semantic conventions for generative AI, "execute tool span".
"""

import asyncio
import json
from collections.abc import Mapping
from datetime import datetime
from typing import TYPE_CHECKING, Any

import structlog

from graph.presenters.proposal import status_without_action
from graph.telemetry import context_of_caller, now_ns
from graph.toolbox import Toolbox
from state.approval import LedgerAction
from state.errors import NotFound
from state.notice import NoticeKind
from state.stored_call import StoredCall
from tools.gate import masked_arguments

if TYPE_CHECKING:
    from opentelemetry.trace import Tracer

_log = structlog.get_logger("graph.call_spans")
_TOLD_BY: frozenset[NoticeKind] = frozenset({"decision", "proposal", "action_unknown"})
_OPEN = frozenset({"proposed", "pending", "approved", "started"})
_OPEN_STATUSES = frozenset({"accepted", "needs_choice", "running"})
_MOST_TOLD = 10_000
_NS = 1_000_000_000
_LONGEST_CONTENT = 8_000
"""Characters of a result or a reason in a span."""


class CallSpans:
    """Sends one span for each tool call that ended: run, refused, expired or withdrawn."""

    def __init__(self, box: Toolbox, tracer: "Tracer") -> None:
        self._box, self._tracer = box, tracer
        self._with_content = box.settings.otlp_content
        self._loop = asyncio.get_running_loop()
        self._reading: set[asyncio.Task[None]] = set()
        self._told: dict[str, None] = {}

    @classmethod
    def of(cls, box: Toolbox) -> "CallSpans | None":
        """Build it; None where no spans are sent."""
        return None if box.tracing.tracer is None else cls(box, box.tracing.tracer)

    def hear(self, kind: NoticeKind, tenant_id: str, data: Mapping[str, Any]) -> None:
        """Look at the call that a notice is about; it waits for nothing, on any thread."""
        decision_id = data.get("proposal_id") or data.get("decision_id")
        is_call = data.get("action_id") or kind == "proposal" or data.get("intent") == "proposal"
        if kind in _TOLD_BY and is_call and isinstance(decision_id, str):
            self._loop.call_soon_threadsafe(
                self._look, tenant_id, decision_id, data.get("action_id")
            )

    async def close(self) -> None:
        """Wait until what was heard of is sent."""
        await asyncio.sleep(0)  # what another thread told is taken first
        await asyncio.gather(*self._reading, return_exceptions=True)

    def _look(self, tenant_id: str, decision_id: str, action_id: str | None) -> None:
        task = asyncio.create_task(self._send(tenant_id, decision_id, action_id))
        self._reading.add(task)
        task.add_done_callback(self._done)

    def _done(self, task: "asyncio.Task[None]") -> None:
        self._reading.discard(task)
        if not task.cancelled() and (error := task.exception()) is not None:
            _log.warning("call_span_failed", error=type(error).__name__, exc_info=error)

    async def _send(self, tenant_id: str, decision_id: str, action_id: str | None) -> None:
        stored = await self._box.ledger.calls.find(decision_id, tenant_id)
        standing = None
        if action_id is not None:
            try:
                standing = await self._box.ledger.newest(action_id)
            except NotFound:  # its session was forgotten
                return
        state = _state(stored, standing)
        if state is None:
            return
        call_id = stored.event.decision_id if stored else standing.action_id if standing else ""
        if call_id in self._told:
            return
        self._told[call_id] = None
        if len(self._told) > _MOST_TOLD:
            del self._told[next(iter(self._told))]
        self._draw(call_id, state, stored, standing)

    def _draw(
        self, call_id: str, state: str, stored: StoredCall | None, standing: LedgerAction | None
    ) -> None:
        from opentelemetry.trace import Status, StatusCode

        name = stored.call.action if stored else standing.action if standing else ""
        began = stored.accepted_at if stored else standing.proposed_at if standing else None
        ended = standing.finished_at if standing and standing.finished_at else None
        parent = stored.event.traceparent if stored else None
        decision_id = standing.decision_id if standing else call_id
        span = self._tracer.start_span(
            f"execute_tool {name}",
            context=context_of_caller(parent)
            if parent
            else self._box.tracing.context_of_run(decision_id),
            start_time=_ns(began) if began else None,
        )
        agent = stored.event.sender if stored else None
        told: dict[str, Any] = {
            "gen_ai.operation.name": "execute_tool",
            "gen_ai.tool.name": name,
            "gen_ai.tool.call.id": call_id,
            "gen_ai.tool.type": "function",
            "gen_ai.agent.id": agent,
            "gen_ai.agent.name": agent,
            "prefrontal.decision_id": decision_id,
            "prefrontal.action_id": standing.action_id if standing else None,
            "prefrontal.state": state,
            "prefrontal.execution_class": standing.execution_class if standing else None,
            "prefrontal.raised": standing.raised if standing else None,
        }
        if state not in ("succeeded", "withdrawn"):
            told["error.type"] = state
            span.set_status(Status(StatusCode.ERROR, state))
        elif state == "succeeded":
            span.set_status(Status(StatusCode.OK))
        if self._with_content:
            told |= self._content(name, stored, standing)
        span.set_attributes({each: value for each, value in told.items() if value is not None})
        decided = (standing.started_at or ended) if standing else None
        said = self._decision(state, stored, standing)
        span.add_event("prefrontal.decision", said, _ns(decided) if decided else now_ns())
        span.end(_ns(ended) if ended else now_ns())

    def _decision(
        self, state: str, stored: StoredCall | None, standing: LedgerAction | None
    ) -> dict[str, Any]:
        """Say in codes what was decided, and by what; in words only with content."""
        record = (stored.chosen or stored.record) if stored else None
        said: dict[str, Any] = {
            "prefrontal.decision": state,
            "prefrontal.reason": record.reason if record and standing is None else None,
        }
        if standing is not None and standing.started_at is not None:
            said["prefrontal.decision"] = _allowed_by(stored, standing)
        if standing is not None:
            said["prefrontal.edited"] = standing.editor is not None
            if self._with_content and standing.reason:
                said["prefrontal.reason_text"] = standing.reason[:_LONGEST_CONTENT]
        return {each: value for each, value in said.items() if value is not None}

    def _content(
        self, name: str, stored: StoredCall | None, standing: LedgerAction | None
    ) -> dict[str, Any]:
        """Give arguments and result, secrets covered; nothing of an action that is not loaded."""
        tenant = stored.event.tenant_id if stored else standing.tenant_id if standing else ""
        action = self._box.governed.of_tenant(tenant).actions.get(name)
        if action is None:
            return {}
        given = standing.arguments if standing else stored.call.arguments if stored else {}
        shown = json.dumps(masked_arguments(action, given), ensure_ascii=False, default=str)
        result = (standing.result or {}).get("text") if standing else None
        return {
            "gen_ai.tool.call.arguments": shown[:_LONGEST_CONTENT],
            "gen_ai.tool.call.result": result and str(result)[:_LONGEST_CONTENT],
        }


def _state(stored: StoredCall | None, standing: LedgerAction | None) -> str | None:
    """Tell how a call ended; None: it is no call, or has not ended."""
    if standing is None:
        status = status_without_action(stored) if stored else "accepted"
        return None if status in _OPEN_STATUSES else status
    if standing.state in _OPEN:
        return None
    is_own = stored is not None and standing.decided_by == stored.event.sender
    return "withdrawn" if standing.state == "rejected" and is_own else standing.state


def _allowed_by(stored: StoredCall | None, standing: LedgerAction) -> str:
    if standing.grant_id is not None:
        return "granted"
    if standing.execution_class == "C":
        return "approved"
    return "chosen" if stored is not None and stored.chosen_decision_id else "allowed"


def _ns(at: datetime) -> int:
    return int(at.timestamp() * _NS)
