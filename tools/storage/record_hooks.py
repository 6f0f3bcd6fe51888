"""What runs in the transaction that records a decision.

In order: redaction, recorders, the end of its hold, the session update, and the release of
held utterances.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Protocol

from sqlalchemy import Connection, RowMapping

from state.arrival import Standing
from state.event import Event
from state.held import Beside
from state.record import DecisionRecord
from state.session import Session
from tools.storage.database import Database
from tools.storage.decision_rows import move_decision, read_row
from tools.storage.holds import (
    drop_hold,
    hold_of,
    record_delivered_with,
    record_duplicates,
    release_after,
)
from tools.storage.sessions import read_session, update_session


@dataclass(frozen=True)
class SettledDecision:
    """A decision as it is recorded, uncovered; what several hooks need is read once."""

    record: DecisionRecord
    stages: Mapping[str, Any]
    standing: Standing
    covered: tuple[DecisionRecord, Mapping[str, Any]]
    """The record and the stages without their secrets."""
    connection: Connection
    """In the decision's own transaction."""

    @cached_property
    def row(self) -> RowMapping:
        """The decision's row as it is kept."""
        return read_row(self.connection, self.record.decision_id)

    @cached_property
    def event(self) -> Event:
        """The event as it was accepted."""
        return Event.model_validate(self.row["event"])


class RecordHook(Protocol):
    """Notes something of every decision, inside the decision's own transaction."""

    def note(self, settled: SettledDecision) -> Callable[[], None] | None:
        """Note what this decision says; what is returned is called once that is kept."""
        ...


class RecordRedactor(Protocol):
    """Covers secrets in what is kept. See tools/gate/redaction.py."""

    def decision(
        self, record: DecisionRecord, stages: Mapping[str, Any]
    ) -> tuple[DecisionRecord, Mapping[str, Any]]:
        """Cover a record and the stages behind it."""
        ...

    def forget_choice(self, connection: Connection, decision_id: str) -> None:
        """Cover what was chosen on a chip, once that choice is over."""
        ...

    def forget_call(self, connection: Connection, decision_id: str) -> None:
        """Cover the arguments that an agent called with."""
        ...


def was_only_scored(stages: Mapping[str, Any]) -> bool:
    """Tell whether policy was never asked: so nothing that a person says or chooses ends."""
    return "salience" in stages and "policy" not in stages


AfterCommit = tuple[Callable[[], None], ...] | None
"""What is to be called once the transaction is kept; None: nothing was changed."""


def move_redacted(
    connection: Connection,
    record: DecisionRecord,
    stages: Mapping[str, Any],
    standing: Standing,
    *,
    thread_id: str,
    covering: RecordRedactor | None,
    notes: Sequence[RecordHook] = (),
) -> AfterCommit:
    """Move a decision as move_decision does, and leave no secret of it in clear.

    Args:
        notes: given the decision uncovered, in this order.
    """
    kept = covering.decision(record, stages) if covering else (record, stages)
    if not move_decision(connection, *kept, standing, thread_id):
        return None
    settled = SettledDecision(record, stages, standing, kept, connection)
    after = [each.note(settled) for each in notes]
    if covering and standing == "recorded" and not was_only_scored(stages):
        covering.forget_choice(connection, record.decision_id)
    if covering and record.intent == "proposal":  # what runs stands in the ledger, or on a chip
        covering.forget_call(connection, record.decision_id)
    return tuple(each for each in after if each is not None)


def run_after_commit(settled: AfterCommit) -> bool:
    """Call what waited for the transaction to be kept; tell whether anything was changed."""
    for tell in settled or ():
        tell()
    return settled is not None


def apply_record_effects(
    connection: Connection,
    database: Database,
    record: DecisionRecord,
    remember: Callable[[Session], Session],
    *,
    speaker: str | None = None,
    signal: str | None = None,
    beside: Sequence[Beside] = (),
    twins: Sequence[str] = (),
) -> None:
    """Keep what the session remembers of a decision, and let what waited for it go."""
    ended_by, _held_at = hold_of(connection, record.decision_id)
    drop_hold(connection, record.decision_id)
    record_delivered_with(connection, record, beside)
    record_duplicates(connection, record, twins)
    known = read_session(connection, record.tenant_id, record.session_id, speaker=speaker)
    remembered = update_session(connection, database, record, known, remember)
    release_after(connection, record, remembered, signal=signal, ended_by=ended_by)
