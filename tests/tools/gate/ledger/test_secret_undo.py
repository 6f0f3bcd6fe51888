"""What undoes an action reaches its undo as the handler told it, and is shown to nobody."""

from pathlib import Path

import pytest

from state.approval import LedgerAction
from state.proposal import Proposal
from tests.safety.benches import CAPTAIN, ENGINEER, no, opened_ledger, proposal, sql, yes
from tests.safety.valves import write_valves
from tests.tools.gate.ledger.auditing import audited
from tools.gate.ledger.ledger import Ledger
from tools.gate.ledger.queries import history_of
from tools.gate.ledger.undo import UndoService
from tools.storage.offers import find_request

SECRET = ("note: {type: text}", "note: {type: text, secret: true}")
UNDONE_BY_ITSELF = (
    'handler: "handlers:open_valve"',
    'handler: "handlers:set_note"\n    undo: open_valve',
)
SET_NOTE = """

def set_note(context, *, valve, turns=None, note=None):
    file = Path(context.data_dir) / "note"
    before = file.read_text() if file.exists() else "canary-4711-old"
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(note)
    return ActionResult(
        text=f"was {before}, is {note}",
        data={"before": before},
        undo={"valve": valve, "note": before},
    )
"""
NOTE = "canary-4711"
BEFORE = "canary-4711-old"


@pytest.fixture
def noting(tmp_path: Path) -> Path:
    pack = write_valves(tmp_path, SECRET, UNDONE_BY_ITSELF)
    handlers = pack / "handlers.py"
    handlers.write_text(handlers.read_text(encoding="utf-8") + SET_NOTE, encoding="utf-8")
    return pack


async def test_a_secret_is_put_back_as_it_was_and_told_to_nobody(
    data_dir: Path, noting: Path
) -> None:
    async with opened_ledger(data_dir, noting) as ledger:
        done = await _done(ledger)
        undone = await _done(ledger, await _take_back(ledger, done))
        history = await ledger.database.read(
            lambda connection: history_of(connection, done.action_id, "aurora")
        )
    assert (done.state, undone.state, undone.undo_of) == ("succeeded", "succeeded", done.action_id)
    assert (data_dir / "packs" / "aurora" / "note").read_text(encoding="utf-8") == BEFORE
    assert undone.arguments["note"] == BEFORE
    shown = history.model_dump_json(exclude={"arguments"})
    kept = sql(data_dir, "select reason, result, summary, evidence from ledger_action")
    kept += sql(data_dir, "select event, body from ledger_entry")
    assert "canary" not in shown + str(kept)
    assert (await audited(data_dir, noting)).faults == ()


async def test_an_undo_that_was_refused_can_be_asked_with_the_same(
    data_dir: Path, noting: Path
) -> None:
    async with opened_ledger(data_dir, noting) as ledger:
        done = await _done(ledger)
        refused = await _take_back(ledger, done)
        await ledger.decide(refused.action_id, no(refused), CAPTAIN)
        again = await _take_back(ledger, done)
    assert again.arguments == {"valve": "V-101", "note": BEFORE}


@pytest.mark.parametrize(
    "told", ['{"told": {"valve": "V-101", "note": "another"}}', "null", '{"told": {}}']
)
async def test_an_undo_that_was_changed_in_the_tables_is_found(
    data_dir: Path, noting: Path, told: str
) -> None:
    async with opened_ledger(data_dir, noting) as ledger:
        await _done(ledger)
    sql(data_dir, "update ledger_action set undo_arguments = ?", (told,))
    (fault,) = (await audited(data_dir, noting)).faults
    assert (fault.kind, "would be undone with something else" in fault.says) == ("row", True)


async def _done(ledger: Ledger, shown: LedgerAction | None = None) -> LedgerAction:
    shown = shown or await ledger.propose(proposal(valve="V-101", note=NOTE))
    await ledger.decide(shown.action_id, yes(shown), CAPTAIN)
    await ledger.execute(shown.action_id)
    return await ledger.action(shown.action_id)


async def _take_back(ledger: Ledger, done: LedgerAction) -> LedgerAction:
    undoing = UndoService(ledger.database, ledger.proposing.catalogue)
    event = await undoing.ask(done.action_id, ENGINEER)
    chosen = await ledger.database.read(
        lambda connection: find_request(connection, event.decision_id)
    )
    assert chosen is not None
    return await ledger.propose(
        Proposal(
            decision_id=event.decision_id,
            requester=ENGINEER,
            action=chosen.action,
            arguments=chosen.arguments,
            at_least="C",
            origin="undo",
        )
    )
