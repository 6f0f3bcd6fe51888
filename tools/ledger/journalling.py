"""Changes that ended go into the decision journal, in the transaction that records their end."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from sqlalchemy import Connection, bindparam, select

from state.approval import LedgerAction
from state.arrival import Standing
from state.event import Event
from state.journal import Decision, DecisionStatus
from state.record import DecisionRecord
from tools.journal.events import JournalEvents
from tools.journal.keeping.rows import kept_decision, restate
from tools.journal.keeping.store import JournalStore
from tools.journal.own_actions import SETTLED, decision_of, ending_of, entry_id, standing_of
from tools.ledger.rows import read_action
from tools.storage.companions import Covers
from tools.storage.tables.decisions import decision
from tools.storage.tables.ledger import ledger_approval

_EVENT = select(decision.c.event).where(decision.c.decision_id == bindparam("wanted"))
_YES = select(ledger_approval.c.approver).where(
    ledger_approval.c.action_id == bindparam("action"), ledger_approval.c.decision == "approve"
)


@dataclass(frozen=True)
class ActionNotes:
    """Keeps every gated change that people decided on as an entry of the journal."""

    journal: JournalStore
    covering: Covers
    events: JournalEvents = field(default_factory=JournalEvents)

    def note(
        self,
        connection: Connection,
        record: DecisionRecord,
        stages: Mapping[str, Any],
        standing: Standing,
    ) -> Callable[[], None] | None:
        """Note a change that was made, failed or was refused; reads leave nothing."""
        if standing != "recorded" or record.action_id is None or record.execution_class == "A":
            return None
        action = read_action(connection, record.action_id)
        if action.execution_class == "A" or action.state not in SETTLED:
            return None
        if action.decision_id != record.decision_id:  # told of what another decision asked for
            return None
        kept = connection.execute(_EVENT, {"wanted": record.decision_id}).scalar_one()
        asked, action, is_verbatim = self._covered(Event.model_validate(kept), action, record)
        made = decision_of(
            action,
            asked,
            approvers=connection.scalars(_YES, {"action": action.action_id}).all(),
            alternatives=record.alternatives,
            at=record.recorded_at,
        )
        if not is_verbatim:
            made = made.model_copy(update={"evidence": {}})
        _take_back(connection, made)
        keeping = self.journal.keep(connection, [made])

        def after() -> None:
            keeping()
            self.events.kept([made])

        return after

    def _covered(
        self, event: Event, action: LedgerAction, record: DecisionRecord
    ) -> tuple[Event, LedgerAction, bool]:
        """Cover secrets in what people typed, as they are covered in the record itself."""
        said = {"arguments": action.arguments, "text": event.text, "reason": action.reason}
        _record, told = self.covering.decision(record, {"action": action.action, **said})
        text, reason = told["text"], told["reason"]
        asked = event.model_copy(update={"text": text})
        return asked, action.model_copy(update={"reason": reason}), text == event.text


def restate_settled(connection: Connection, action: LedgerAction) -> None:
    """Say in the entry of an action what a person found that became of it."""
    known = kept_decision(connection, entry_id(action.action_id), action.tenant_id)
    if known is not None:
        update = {"status": standing_of(action.state), "notes": ending_of(action)}
        restate(connection, known.model_copy(update=update))


def _take_back(connection: Connection, made: Decision) -> None:
    if made.supersedes is None or made.status is not DecisionStatus.ACTIVE:
        return
    known = kept_decision(connection, made.supersedes, made.tenant_id)
    if known is not None:
        update = {"status": DecisionStatus.SUPERSEDED, "superseded_by": made.id}
        restate(connection, known.model_copy(update=update))
