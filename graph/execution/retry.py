"""Retry decisions that nobody waits for, with backoff.

After the last attempt end them as dead letters.

A dead letter is written on record, told where it was asked, and leaves nothing open.
"""

import re
import time
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from functools import partial
from typing import TYPE_CHECKING

import structlog
from sqlalchemy import Connection

from graph.execution.run_limiter import RunLimiter
from graph.toolbox import Toolbox
from nodes.compose import outcome_text
from state.approval import LedgerAction
from state.classification import Classification
from state.errors import Busy, NotFound
from state.event import Event
from state.gave_up import GaveUp
from state.record import DecisionRecord, DecisionTrace
from tools.gate.ledger.claim import AbandonedActions
from tools.gate.ledger.rows import to_outcome
from tools.platform.texts import t
from tools.storage import SqlDecisions, SqlRecords
from tools.storage.decisions import record_dead_letter

if TYPE_CHECKING:
    from nodes.write_record import WriteRecord

AT_ONCE = 3
"""Failures that cost no wait: most are a store that was busy, and over by the next second."""
LONGEST_SECONDS = 60.0


@dataclass
class Backoff:
    """Remembers what failed, of one process; a start tries everything anew.

    Without it one event that breaks a stage is tried, and its fault logged, every second.
    """

    read: Callable[[], float] = time.monotonic
    _failed: dict[str, tuple[int, float]] = field(default_factory=dict)

    def is_due(self, decision_id: str) -> bool:
        """Tell whether it may be tried now."""
        _times, again = self._failed.get(decision_id, (0, 0.0))
        return again <= self.read()

    def note(self, decision_id: str) -> int:
        """Remember that a try failed; tell how many have."""
        times = self._failed.get(decision_id, (0, 0.0))[0] + 1
        wait = 0.0 if times < AT_ONCE else min(LONGEST_SECONDS, 2.0 ** min(times, 20))
        self._failed[decision_id] = (times, self.read() + wait)
        return times

    def forget(self, decision_id: str) -> None:
        """Let it be tried at once the next time: it went well, or it is over."""
        self._failed.pop(decision_id, None)


GAVE_UP = "gave_up"
_NODE = re.compile(r"task with name '(\w+)'")
"""How LangGraph notes on an error which node it came from."""

log = structlog.get_logger()


@dataclass(frozen=True)
class DeadLetters:
    """Writes the last record of a decision without a run of the graph."""

    decisions: SqlDecisions
    records: SqlRecords
    abandoning: AbandonedActions
    writing: "WriteRecord"

    async def end(self, event: Event, thread_id: str, error: BaseException, times: int) -> bool:
        """Record that it failed; False: it stays as it is, for the ledger is still at it."""
        why = GaveUp(times=times, error=type(error).__name__, stage=_stage_of(error))
        before = await self._before(event.decision_id)
        stages = {**(before.stages if before else {}), GAVE_UP: why.model_dump(mode="json")}

        def closing(connection: Connection) -> DecisionRecord | None:
            actions = self.abandoning.close(connection, event.decision_id)
            if actions is None:
                return None
            return self._record(event, why, before, actions[0] if actions else None)

        recorded = partial(record_dead_letter, self.decisions, closing, stages, thread_id=thread_id)
        try:
            record = await recorded(speaker=event.speaker)
        except Exception:  # what breaks it may be what is written beside the record
            log.exception("giving_up_alone", decision_id=event.decision_id)
            record = await recorded(alone=True)
        if record is not None:
            self.writing.told(record, stages)
        return record is not None

    async def _before(self, decision_id: str) -> DecisionTrace | None:
        try:
            return await self.records.trace(decision_id)
        except NotFound:  # it never came as far as a record
            return None

    def _record(
        self,
        event: Event,
        why: GaveUp,
        before: DecisionTrace | None,
        action: LedgerAction | None,
    ) -> DecisionRecord:
        text = _words(why, action) if event.is_addressed else ""
        is_done = action is not None and action.state == "succeeded"
        found: dict[str, object] = {
            "outcome": "executed" if is_done else "failed",
            "reason": GAVE_UP,
            "text": text,
            "spoke": bool(text),
            "output": "text" if text else "silent",
            "response_type": "answer" if text else "none",
            "counterfactual": None,
            "recorded_at": self.writing.clock.now(),
        }
        if action is not None:
            found |= {
                "action": action.action,
                "action_id": action.action_id,
                "arguments": action.arguments,
                "execution_class": action.execution_class,
            }
        known = (
            before.record.model_dump()
            if before
            else {
                "event_id": event.event_id,
                "decision_id": event.decision_id,
                "session_id": event.session_id,
                "tenant_id": event.tenant_id,
            }
        )
        return DecisionRecord.model_validate(known | found)


def build_dead_letters(box: Toolbox) -> DeadLetters:
    """Build it on the stores that the graph writes to."""
    from graph.flow import build_write_record

    abandoning = AbandonedActions(box.ledger.executing.claiming)
    return DeadLetters(box.decisions, box.records, abandoning, build_write_record(box))


def _words(why: GaveUp, action: LedgerAction | None) -> str:
    fields = {"times": why.times, "error": why.error}
    if action is None:
        return t("answer.gave_up.nothing_done", **fields)
    if action.state == "expired":
        came = t("answer.gave_up.expired", summary=action.summary, reason=action.reason)
    else:
        came = outcome_text(to_outcome(action), Classification(verdict="none", reason=GAVE_UP))
    return t("answer.gave_up.came_of_it", came=came, **fields)


def _stage_of(error: BaseException) -> str | None:
    found = [_NODE.search(note) for note in getattr(error, "__notes__", ())]
    return next((one[1] for one in found if one), None)


Run = Callable[[Event, str], Awaitable[object]]


@dataclass(frozen=True)
class Retrier:
    """Runs what was left over; one decision that breaks off keeps no other from being decided."""

    giving_up: Callable[[], DeadLetters]
    """Builds what ends a decision; it takes the graph, which nobody who only reads loads."""
    turns: RunLimiter
    most: int
    """After so many failures a decision is ended."""
    patience: Backoff = field(default_factory=Backoff)

    async def attempt(self, run: Run, event: Event, thread_id: str) -> None:
        """Try it if it is due; what goes wrong is in the log, and counted."""
        named = event.decision_id
        if not self.patience.is_due(named):
            return
        try:
            await run(event, thread_id)
            self.patience.forget(named)
        except Busy as busy:
            log.info("decision_left", decision_id=named, reason=str(busy))
        except Exception as error:  # one poisoned event must not keep the others from being decided
            times = self.patience.note(named)
            log.exception("decision_failed", decision_id=named, times=times)
            if times >= self.most:
                await self._give_up(event, thread_id, error, times)

    async def _give_up(
        self, event: Event, thread_id: str, error: BaseException, times: int
    ) -> None:
        named = event.decision_id
        try:
            is_ended = await self.turns.instead(
                event, lambda: self.giving_up().end(event, thread_id, error, times)
            )
        except Exception:  # a store that takes no record either: it is tried again, as before
            log.exception("giving_up_failed", decision_id=named)
            return
        if is_ended:
            self.patience.forget(named)
            log.error("decision_given_up", decision_id=named, times=times)
