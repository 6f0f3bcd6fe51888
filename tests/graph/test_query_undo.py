"""An undo is noted on the query whose action it takes back, and in the journal."""

from pathlib import Path

from state.principal import Principal
from state.query import Query
from state.reader import whole
from tests.graph.conftest import OpenHarbour
from tests.graph.harbour import Harbour
from tools.journal.action_decisions import action_entry_id

ACTIONS = """
actions:
  hoist_flag:
    summary: "Hoist flag {flag}"
    verb: add
    words: [hoist, raise]
    object: flag
    slots: {flag: {type: flag, required: true}}
    effect: write
    undo: lower_flag
    handler: "handlers:move"
    examples: ["hoist flag Q", "raise flag N", "hoist the Q flag"]
  lower_flag:
    summary: "Lower flag {flag}"
    verb: update
    words: [lower]
    object: flag
    slots: {flag: {type: flag, required: true}}
    effect: write
    handler: "handlers:move"
    examples: ["lower flag Q", "lower flag N"]
"""
HANDLERS = """
from state.action import ActionResult


def move(context, *, flag):
    return ActionResult(text=f"Flag {flag} moved.")
"""
MATE = Principal(user="olav", tenant_id="default", roles=())


async def test_a_query_whose_action_was_taken_back_says_so(
    open_harbour: OpenHarbour, tmp_path: Path
) -> None:
    async with open_harbour(packs=(flags_in(tmp_path),)) as harbour:
        first, second = await hoisted(harbour, "Q"), await hoisted(harbour, "N")
        assert not first.outcome.undo_triggered
        assert first.action_id is not None
        undone = await harbour.executive.actions.undo(first.action_id, MATE)
        assert (undone.outcome, undone.action) == ("executed", "lower_flag")
        after = [row async for row in harbour.executive.queries.all("default")]
        assert [row.outcome.undo_triggered for row in after] == [True, False]
        assert [row.decision_id for row in after] == [first.decision_id, second.decision_id]
        metrics = await harbour.executive.queries.metrics("default")
        assert (metrics.undone["hoist_flag"].value, metrics.undone["hoist_flag"].n) == (0.5, 2)
        assert metrics.hard_false_positives == 0


async def test_a_change_that_was_taken_back_is_superseded_in_the_journal(
    open_harbour: OpenHarbour, tmp_path: Path
) -> None:
    async with open_harbour(packs=(flags_in(tmp_path),)) as harbour:
        first = await hoisted(harbour, "Q")
        assert first.action_id is not None
        await harbour.executive.actions.undo(first.action_id, MATE)
        journal = harbour.executive.journal
        chain = await journal.chain(action_entry_id(first.action_id), whole("default"))
        assert (chain.original.status, chain.original.decision) == ("superseded", "Hoist flag Q")
        assert (chain.current.status, chain.current.decision) == ("active", "Lower flag Q")


def flags_in(folder: Path) -> str:
    pack = folder / "flags"
    pack.mkdir()
    (pack / "actions.yaml").write_text(ACTIONS, "utf-8")
    (pack / "entities.yaml").write_text('entities: {flag: {patterns: ["[QN]"]}}\n', "utf-8")
    (pack / "handlers.py").write_text(HANDLERS, "utf-8")
    return str(pack)


async def hoisted(harbour: Harbour, flag: str) -> Query:
    record = await harbour.says(f"hoist flag {flag}", MATE)
    assert record.offer_id is not None
    await harbour.executive.offers.choose(record.offer_id, "chip-1", MATE)
    rows = [row async for row in harbour.executive.queries.all("default")]
    return rows[-1]
