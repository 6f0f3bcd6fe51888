"""An undo takes back what its action did, and never what somebody did after it."""

import pytest

from state.record import DecisionRecord
from tests.foreign.conftest import MAX, TINA, Bank
from tests.safety.benches import sql
from tools.gate.ledger.audit import audit

CHANGES = [
    "update card set card_limit = 900, version = version + 1 where id = 'CARD-3001'",
    "update card set card_limit = 900 where id = 'CARD-3001'",
    "update card set version = version + 1 where id = 'CARD-3001'",
]


async def limited(bank: Bank) -> str:
    """Have a card's limit set; tell the action."""
    record = await bank.picks("set the limit of CARD-3001 to 450", TINA)
    return await with_its_yes(bank, record)


async def with_its_yes(bank: Bank, record: DecisionRecord) -> str:
    """Give the yes that it waits for, if any; tell the action."""
    if record.outcome == "awaiting_approval":
        return (await bank.approves(record, MAX)).action_id
    return record.action_id or ""


def limit_of(bank: Bank) -> float:
    ((limit,),) = bank.read("select card_limit from card where id = 'CARD-3001'")
    return float(limit)


async def test_what_stands_as_it_was_left_is_taken_back(bank: Bank) -> None:
    action_id = await limited(bank)
    shown = (await bank.executive.approvals.get(action_id, "default")).preview
    assert shown is not None
    assert limit_of(bank) == 450

    await with_its_yes(bank, await bank.executive.actions.undo(action_id, TINA))

    assert f"{limit_of(bank):g}" == shown.changes[0].before


@pytest.mark.parametrize("change", CHANGES)
async def test_what_came_after_it_is_not_taken_back(bank: Bank, change: str) -> None:
    action_id = await limited(bank)
    bank.write(change)
    stands = limit_of(bank)

    refused = await bank.executive.actions.undo(action_id, TINA)

    assert "changed by something else since (CARD-3001" in (refused.text or "")
    assert limit_of(bank) == stands
    assert (await bank.executive.approvals.get(action_id, "default")).undo_at is None


async def test_what_it_left_cannot_be_written_over_unseen(bank: Bank) -> None:
    action_id = await limited(bank)
    database = bank.executive._box.database
    assert (await audit(database, {})).report.faults == ()
    sql(
        bank.data_dir,
        "update ledger_action set undo_arguments = json_remove(undo_arguments, '$.left')"
        " where action_id = ?",
        (action_id,),
    )

    (fault,) = (await audit(database, {})).report.faults
    assert "would be undone with something else" in fault.says
