"""What was done can be taken back: once, in time, by who may, and judged like anything else."""

from typing import Any

import pytest

from state.approval import LedgerAction
from state.errors import Conflict, Forbidden, NotFound
from state.principal import Principal
from state.proposal import Proposal
from state.record import DecisionRecord
from tests.foreign.conftest import ADA, CLEO, MAX, TINA, Bank
from tests.safety.benches import sql
from tools.gate.ledger.audit import audit
from tools.platform.texts import t

NOTE = "add a note to C-1001: prefers letters"


async def done(bank: Bank, text: str = NOTE, who: Principal = ADA) -> LedgerAction:
    """Have a write done, and read its row."""
    record = await bank.picks(text, who)
    assert record.outcome == "executed", (record.outcome, record.text)
    return await bank.executive.approvals.get(record.action_id or "", "default")


async def test_a_write_is_undone_with_what_its_handler_told(bank: Bank):
    action = await done(bank)
    assert bank.read("select note from note") == [("prefers letters",)]
    undone = await bank.executive.actions.undo(action.action_id, ADA)
    assert (undone.outcome, undone.action) == ("executed", "remove_customer_note")
    assert bank.read("select * from note") == []
    original = await bank.executive.approvals.get(action.action_id, "default")
    undo = await bank.executive.approvals.get(undone.action_id or "", "default")
    assert (original.state, original.undo_by, original.undo_at) == (
        "succeeded",
        "ada",
        undo.finished_at,
    )
    assert (undo.undo_of, undo.origin, undo.requester) == (action.action_id, "undo", "ada")


async def test_what_was_done_says_how_long_it_can_be_undone(bank: Bank):
    record = await bank.picks(NOTE)
    assert "Undo within 30 minutes" in record.text
    assert "say “undo that”" in record.text
    assert record.action_id is not None
    (chip,) = (await bank.offered("undo that")).chips
    assert chip.undo_of == record.action_id
    without = await bank.picks("send the statement of AC-2001 to nora@fjordbank.example")
    assert "Undo" not in without.text


async def test_without_a_word_of_the_handler_the_shared_slots_undo(bank: Bank):
    action = await done(bank, "lock card CARD-3001", TINA)
    asked = await bank.executive.actions.undo(action.action_id, TINA)
    assert (asked.action, asked.arguments) == ("unlock_card", {"card": "CARD-3001"})


async def test_a_dangerous_undo_asks_for_its_yes(bank: Bank):
    action = await done(bank, "lock card CARD-3001", TINA)
    asked = await bank.executive.actions.undo(action.action_id, TINA)
    assert (asked.outcome, asked.execution_class) == ("awaiting_approval", "C")
    assert bank.read("select state from card where id = 'CARD-3001'") == [("locked",)]
    assert (await bank.executive.approvals.get(action.action_id, "default")).undo_at is None
    assert (await bank.approves(asked, MAX)).state == "succeeded"
    assert bank.read("select state from card where id = 'CARD-3001'") == [("active",)]
    assert (await bank.executive.approvals.get(action.action_id, "default")).undo_at is not None


async def test_undoing_twice_is_too_much(bank: Bank):
    action = await done(bank)
    await bank.executive.actions.undo(action.action_id, ADA)
    with pytest.raises(Conflict, match="already undone, by ada") as conflict:
        await bank.executive.actions.undo(action.action_id, MAX)
    assert conflict.value.standing == "undone"


async def test_an_undo_under_way_is_not_asked_again(bank: Bank):
    action = await done(bank, "lock card CARD-3001", TINA)
    await bank.executive.actions.undo(action.action_id, TINA)
    with pytest.raises(Conflict) as conflict:
        await bank.executive.actions.undo(action.action_id, ADA)
    assert conflict.value.standing == "undo_asked"


async def test_a_refused_undo_may_be_asked_again(bank: Bank):
    action = await done(bank, "lock card CARD-3001", TINA)
    asked = await bank.executive.actions.undo(action.action_id, TINA)
    await bank.answers(asked.action_id, "reject", MAX)
    again = await bank.executive.actions.undo(action.action_id, ADA)
    assert (await bank.approves(again, MAX)).state == "succeeded"
    assert (await bank.executive.approvals.get(action.action_id, "default")).undo_by == "ada"


async def test_a_failed_undo_may_be_tried_again(bank: Bank):
    action = await done(bank)
    bank.write("delete from note")
    failed = await bank.executive.actions.undo(action.action_id, ADA)
    assert (failed.outcome, failed.reason) == ("failed", "action_failed")
    bank.write("insert into note values (1, 'C-1001', 'again')")
    assert (await bank.executive.actions.undo(action.action_id, ADA)).outcome == "executed"


async def test_after_its_time_it_stays_done(bank: Bank):
    action = await done(bank)
    bank.alter("UPDATE ledger_action SET undo_until = 1.0")
    with pytest.raises(Conflict, match="is over") as conflict:
        await bank.executive.actions.undo(action.action_id, ADA)
    assert conflict.value.standing == "undo_expired"
    assert bank.read("select count(*) from note") == [(1,)]


async def test_another_tenant_finds_nothing_to_undo(bank: Bank):
    action = await done(bank)
    stranger = ADA.model_copy(update={"tenant_id": "other"})
    with pytest.raises(NotFound, match="action"):
        await bank.executive.actions.undo(action.action_id, stranger)


async def test_a_service_undoes_nothing(bank: Bank):
    action = await done(bank)
    with pytest.raises(Forbidden, match="only a person"):
        await bank.executive.actions.undo(
            action.action_id, ADA.model_copy(update={"kind": "service"})
        )


async def test_who_may_not_ask_for_the_undo_undoes_nothing(bank: Bank):
    action = await done(bank)
    with pytest.raises(Forbidden, match="remove_customer_note"):
        await bank.executive.actions.undo(action.action_id, CLEO)
    assert bank.read("select count(*) from note") == [(1,)]


async def test_what_failed_has_nothing_to_undo(bank: Bank):
    offer = await bank.offered("lock card CARD-3001", TINA)
    bank.write("update card set state = 'locked'")
    failed = await bank.executive.offers.choose(offer.offer_id, "chip-1", TINA)
    assert failed.outcome == "failed"
    with pytest.raises(Conflict, match="it is failed"):
        await bank.executive.actions.undo(failed.action_id or "", TINA)


async def test_what_has_no_undo_says_so(bank: Bank):
    action = await done(bank, "send the statement of AC-2001 to nora@fjordbank.example")
    with pytest.raises(Conflict) as conflict:
        await bank.executive.actions.undo(action.action_id, ADA)
    assert conflict.value.standing == "not_undoable"


async def test_an_undo_without_an_undo_of_its_own_stays(bank: Bank):
    action = await done(bank)
    undone = await bank.executive.actions.undo(action.action_id, ADA)
    with pytest.raises(Conflict) as conflict:
        await bank.executive.actions.undo(undone.action_id or "", ADA)
    assert conflict.value.standing == "not_undoable"


async def test_an_undo_that_declares_one_is_undone_in_turn(bank: Bank):
    action = await done(bank, "set the limit of CARD-3001 to 450", TINA)
    undone = await bank.executive.actions.undo(action.action_id, TINA)
    assert bank.read("select card_limit from card where id = 'CARD-3001'") == [(500,)]
    again = await bank.executive.actions.undo(undone.action_id or "", TINA)
    assert (again.outcome, again.arguments) == ("executed", {"card": "CARD-3001", "limit": 450})
    assert bank.read("select card_limit from card where id = 'CARD-3001'") == [(450,)]


async def test_undo_that_offers_the_newest_of_ones_own(bank: Bank):
    await done(bank)
    newest = await done(bank, "add a note to C-1002: moved")
    await done(bank, "add a note to C-1003: by another", TINA)
    offer = await bank.offered("undo that")
    (chip,) = offer.chips
    assert (chip.undo_of, chip.action) == (newest.action_id, "remove_customer_note")
    assert bank.read("select count(*) from note") == [(3,)]
    assert (await bank.executive.offers.choose(offer.offer_id, "chip-1", ADA)).outcome == "executed"
    assert bank.read("select customer from note order by number") == [("C-1001",), ("C-1003",)]
    assert (await bank.executive.approvals.get(newest.action_id, "default")).undo_at is not None


@pytest.mark.parametrize("text", ["undo that", "take that back", "Please undo the last one."])
async def test_nothing_to_undo_is_said(bank: Bank, text: str):
    await done(bank, "add a note to C-1003: by another", TINA)
    record = await bank.says(text, ADA)
    assert (record.outcome, record.action) == ("spoke", None)
    assert record.text == t("dialogue.nothing_to_undo")


async def test_in_another_session_nothing_of_this_one_is_meant(bank: Bank):
    await done(bank)
    record = await bank.says("undo that", ADA, session_id="elsewhere")
    assert record.text == t("dialogue.nothing_to_undo")


async def test_a_chip_to_undo_is_worth_nothing_after_the_undo(bank: Bank):
    action = await done(bank)
    offer = await bank.offered("undo that")
    await bank.executive.actions.undo(action.action_id, ADA)
    with pytest.raises(Conflict) as conflict:
        await bank.executive.offers.choose(offer.offer_id, "chip-1", ADA)
    assert conflict.value.standing == "undone"
    assert (await bank.executive.offers.get(offer.offer_id, "default")).chosen is None


@pytest.mark.parametrize("forged", [{"undo_of": "x"}, {"undo_of": "x", "arguments": {"number": 1}}])
async def test_an_event_that_says_it_is_an_undo_is_none(bank: Bank, forged: dict[str, Any]):
    action = await done(bank)
    payload = {**forged, "undo_of": action.action_id}
    record = await bank.happens(
        "Remove the customer note 1",
        kind="choice",
        source="undo",
        event_id=f"undo-{action.action_id}",
        user="ada",
        role="advisor",
        payload=payload,
    )
    assert (record.outcome, record.reason) == ("rejected", "no_such_click")
    assert bank.read("select count(*) from note") == [(1,)]


async def test_only_what_is_undoable_now_is_listed_as_such(bank: Bank):
    first, second = await done(bank), await done(bank, "add a note to C-1002: moved")
    await bank.executive.actions.undo(second.action_id, ADA)
    undoable = await bank.executive.actions.list("default", undoable_only=True)
    assert [action.action_id for action in undoable] == [first.action_id]
    assert len(await bank.executive.actions.list("default")) == 3
    assert await bank.executive.actions.list("other") == []


async def test_a_proposal_that_says_it_is_an_undo_takes_nothing_back(bank: Bank):
    await done(bank, "lock card CARD-3001", TINA)
    forged = Proposal(
        decision_id="decision-1",
        requester=TINA,
        action="unlock_card",
        arguments={"card": "CARD-3001"},
        at_least="C",
        origin="undo",
    )
    standing = await bank.executive._box.ledger.propose(forged)
    assert (standing.state, standing.undo_of) == ("pending", None)


async def test_a_way_back_is_promised_to_whom_may_take_it(bank: Bank):
    told = await bank.picks(NOTE, TINA)
    assert (told.outcome, "Undo" in told.text) == ("executed", False)
    with pytest.raises(Forbidden, match="remove_customer_note"):
        await bank.executive.actions.undo(told.action_id or "", TINA)
    assert "Undo within" in (await bank.picks(NOTE)).text


# An undo takes back what its action did, and never what somebody did after it.

CHANGES = [
    "update card set card_limit = 900, version = version + 1 where id = 'CARD-3001'",
    "update card set card_limit = 900 where id = 'CARD-3001'",
    "update card set version = version + 1 where id = 'CARD-3001'",
]


async def limited(bank: Bank) -> str:
    """Have a card's limit set; tell the action."""
    return await with_its_yes(bank, await bank.picks("set the limit of CARD-3001 to 450", TINA))


async def with_its_yes(bank: Bank, record: DecisionRecord) -> str:
    """Give the yes that it waits for, if any; tell the action."""
    if record.outcome == "awaiting_approval":
        return (await bank.approves(record, MAX)).action_id
    return record.action_id or ""


def limit_of(bank: Bank) -> float:
    ((limit,),) = bank.read("select card_limit from card where id = 'CARD-3001'")
    return float(limit)


async def test_what_stands_as_it_was_left_is_taken_back(bank: Bank):
    action_id = await limited(bank)
    shown = (await bank.executive.approvals.get(action_id, "default")).preview
    assert shown is not None
    assert limit_of(bank) == 450

    await with_its_yes(bank, await bank.executive.actions.undo(action_id, TINA))

    assert f"{limit_of(bank):g}" == shown.changes[0].before


@pytest.mark.parametrize("change", CHANGES)
async def test_what_came_after_it_is_not_taken_back(bank: Bank, change: str):
    action_id = await limited(bank)
    bank.write(change)
    stands = limit_of(bank)

    refused = await bank.executive.actions.undo(action_id, TINA)

    assert "something else has changed it since (CARD-3001" in (refused.text or "")
    assert limit_of(bank) == stands
    assert (await bank.executive.approvals.get(action_id, "default")).undo_at is None


async def test_what_it_left_cannot_be_written_over_unseen(bank: Bank):
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
