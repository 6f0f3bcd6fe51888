"""What a person finds that became of a change is said in its entry of the journal."""

from pathlib import Path

import pytest

from state.approval import LedgerAction
from state.journal import DecisionStatus
from state.reader import whole
from tests.stages import NOW, event_of
from tools.gate.ledger.entry_hooks import update_resolved_entry
from tools.journal.action_decisions import action_decision, action_entry_id
from tools.journal.store.store import JournalStore
from tools.storage.database import Database

UNKNOWN = LedgerAction(
    action_id="a-1",
    tenant_id="default",
    decision_id="d-1",
    action="close_valve",
    pack="bank",
    execution_class="C",
    arguments={},
    digest="0",
    summary="Close valve 7",
    state="unknown",
    requester="mia",
    requester_roles=("cook",),
    approver_roles=(),
    quorum=1,
    four_eyes=False,
    proposed_at=NOW,
    reason="the line went dead",
)


@pytest.mark.parametrize(
    ("state", "status", "notes"),
    [
        ("succeeded", DecisionStatus.ACTIVE, ""),
        ("failed", DecisionStatus.REJECTED, "It was allowed and failed"),
    ],
)
async def test_an_unknown_end_is_told_until_a_person_says_what_became_of_it(
    tmp_path: Path, state: str, status: DecisionStatus, notes: str
) -> None:
    database = Database(f"sqlite:///{tmp_path / 'prefrontal.sqlite'}")
    store = JournalStore(database)
    made = action_decision(UNKNOWN, event_of("close valve 7"), approvers=["ingrid"], at=NOW)
    await store.put([made])
    assert made.notes.endswith("nobody knows yet whether it happened: the line went dead")
    settled = UNKNOWN.model_copy(update={"state": state, "reason": None})
    await database.write(lambda connection: update_resolved_entry(connection, settled))
    kept = await store.get(action_entry_id("a-1"), whole("default"))
    assert (kept.status, kept.notes, kept.decision) == (status, notes, "Close valve 7")
    assert (await store.drift()).text_is_whole
    await database.close()
