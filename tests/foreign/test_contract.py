"""A pack of YAML and handlers gets the whole execution contract, and no line of ours knows it."""

import pytest

from state.errors import BadInput, Conflict, Forbidden, InvalidArguments
from tests.foreign.conftest import ADA, CLEO, MAX, MIA, TINA, Bank, OpenBank

TRANSFER = "transfer 120 from AC-2001 to City Power"
SHADOW = '[execution.packs.bank]\nphase = "shadow"\n'
NOBODY_IN_CANARY = '[execution.packs.bank]\nphase = "canary"\ncanary_share = 0.0\n'


async def test_a_read_runs_and_a_read_of_another_role_does_not(bank: Bank):
    record = await bank.says("show account AC-2001", TINA)
    assert (record.outcome, record.text) == (
        "executed",
        "AC-2001 (holiday savings): 4200.00, open.",
    )
    refused = await bank.says("list the suspicion reports", TINA)
    assert (refused.outcome, refused.reason) == ("refused", "role")
    assert (await bank.says("list the suspicion reports", CLEO)).outcome == "executed"


async def test_money_waits_for_another_person_and_shows_what_changes(bank: Bank):
    asked = await bank.says(TRANSFER, ADA)
    assert (asked.outcome, asked.execution_class) == ("awaiting_approval", "C")
    standing = await bank.executive.approvals.get(asked.action_id or "", "default")
    dialog = bank.executive.approvals.show(standing).dialog
    assert dialog is not None
    assert "120" in dialog.headline
    assert [line.label for line in dialog.facts] == ["payee"]
    assert "City Power" in dialog.facts[0].value
    assert "4200.00" in dialog.changes[0].value
    assert "4080.00" in dialog.changes[0].value
    with pytest.raises(Forbidden):
        await bank.answers(asked.action_id, "approve", ADA)
    assert bank.read("select count(*) from transfer") == [(0,)]
    assert (await bank.approves(asked, MAX)).state == "succeeded"
    assert bank.read("select balance from account where id = 'AC-2001'") == [(4080.0,)]


async def test_two_people_close_an_account(bank: Bank):
    asked = await bank.says("close account AC-2005", ADA)
    assert (await bank.approves(asked, MAX)).state == "pending"
    with pytest.raises(Conflict):
        await bank.approves(asked, MAX)
    assert bank.read("select state from account where id = 'AC-2005'") == [("open",)]
    assert (await bank.approves(asked, CLEO)).state == "succeeded"
    assert bank.read("select state from account where id = 'AC-2005'") == [("closed",)]


async def test_what_its_preview_refuses_is_asked_of_nobody(bank: Bank):
    record = await bank.says("transfer 99000 from AC-2005 to City Power", ADA)
    assert "holds 95.00 only" in record.text
    assert await bank.executive.approvals.list("default", state=None) == []


async def test_more_money_and_outsiders_raise_a_write(bank: Bank):
    inside = await bank.says("send the statement of AC-2001 to nora@fjordbank.example", TINA)
    outside = await bank.says("send the statement of AC-2001 to thief@elsewhere.example", TINA)
    little = await bank.says("set the limit of CARD-3001 to 450", TINA)
    much = await bank.says("set the limit of CARD-3001 to 90000", TINA)
    assert (inside.outcome, little.outcome) == ("offered", "offered")
    assert (outside.outcome, outside.reason) == ("awaiting_approval", "outside_recipients")
    assert (much.outcome, much.reason) == ("awaiting_approval", "amount")
    assert (await bank.approves(outside, MAX)).state == "succeeded"
    assert bank.read("select recipient from sent") == [("thief@elsewhere.example",)]


async def test_an_outsider_added_by_a_click_is_raised_too(bank: Bank):
    assert (await bank.says("send the statement of AC-2001", TINA)).reason == "missing_slot"
    answered = await bank.says("thief@elsewhere.example", TINA)
    assert (answered.outcome, answered.execution_class) == ("awaiting_approval", "C")


async def test_many_at_once_are_raised_by_their_number(bank: Bank):
    few = await bank.says("tag C-1001 and C-1002 as vip", ADA)
    many = await bank.says("tag C-1001, C-1002, C-1003, C-1004, C-1005 and C-1006 as vip", ADA)
    assert few.outcome == "offered"
    assert (many.outcome, many.reason) == ("awaiting_approval", "bulk")
    blocked = await bank.says("block AC-2001 and AC-2004", MAX)
    assert blocked.arguments == {"accounts": ["AC-2001", "AC-2004"]}
    assert (await bank.approves(blocked, CLEO)).state == "succeeded"
    assert bank.read("select id from account where state = 'blocked' order by id") == [
        ("AC-2001",),
        ("AC-2004",),
    ]


async def test_a_target_that_changed_since_it_was_shown_is_stale(bank: Bank):
    asked = await bank.says(TRANSFER, ADA)
    bank.write("update account set balance = 10000, version = version + 1 where id = 'AC-2001'")
    assert (await bank.approves(asked, MAX)).state == "stale"
    assert bank.read("select count(*) from transfer") == [(0,)]


async def test_an_edit_is_judged_again_and_needs_a_third_person(bank: Bank):
    asked = await bank.says(TRANSFER, ADA)
    arguments = {"account": "AC-2001", "payee": "City Power", "amount": 60}
    edited = await bank.answers(asked.action_id, "edit", MAX, arguments=arguments)
    assert (edited.state, edited.arguments["amount"]) == ("pending", 60)
    for who in (ADA, MAX):
        with pytest.raises(Forbidden):
            await bank.answers(edited.action_id, "approve", who)
    assert (await bank.answers(edited.action_id, "approve", MIA)).state == "succeeded"
    assert bank.read("select amount from transfer") == [(60.0,)]


async def test_a_large_sum_has_to_be_typed(bank: Bank):
    asked = await bank.says("transfer 20000 from AC-2002 to Harbour Rent", ADA)
    with pytest.raises(BadInput, match="type"):
        await bank.answers(asked.action_id, "approve", MAX)
    assert bank.read("select count(*) from transfer") == [(0,)]
    assert (await bank.approves(asked, MAX)).state == "succeeded"


async def test_its_effect_and_the_ledger_end_together(bank: Bank):
    done = await bank.picks("book an appointment for C-1001 on 2026-07-01")
    assert done.outcome == "executed"
    failed = await bank.picks("book an appointment for C-1001 on 1999-07-01")
    assert (failed.outcome, failed.reason) == ("failed", "action_failed")
    undone = await bank.executive.actions.undo(done.action_id or "", ADA)
    assert undone.outcome == "executed"
    assert (await bank.picks("cancel the appointment of C-1001 on 1999-07-01")).outcome == "failed"


async def test_shadow_does_offers_and_asks_nothing(open_bank: OpenBank):
    async with open_bank(SHADOW) as bank:
        for text in ("show account AC-2001", "lock card CARD-3001", TRANSFER):
            record = await bank.says(text, ADA)
            assert (record.outcome, record.reason) == ("silent", "shadow"), text
        assert await bank.executive.offers.list("default", open_only=False) == []
        assert await bank.executive.actions.list("default") == []


async def test_outside_the_canary_a_read_is_a_chip(open_bank: OpenBank):
    async with open_bank(NOBODY_IN_CANARY) as bank:
        record = await bank.says("show account AC-2001", ADA)
        assert (record.outcome, record.reason) == ("offered", "canary")
        chosen = await bank.executive.offers.choose(record.offer_id or "", "chip-1", ADA)
        assert chosen.outcome == "executed"
        assert (await bank.says(TRANSFER, ADA)).outcome == "awaiting_approval"


async def test_every_message_leaves_its_row_and_its_undo(bank: Bank):
    await bank.says("show account AC-2001", ADA)
    done = await bank.picks("add a note to C-1001: prefers letters")
    await bank.executive.actions.undo(done.action_id or "", ADA)
    rows = await bank.executive.queries.page("default")
    said = {row.query.raw_text: row.outcome for row in rows}
    assert said["show account AC-2001"].execution_method == "auto"
    noted = said["add a note to C-1001: prefers letters"]
    assert (noted.chip_position, noted.execution_method) == (1, "chip_click")
    assert (noted.action_executed, noted.undo_triggered) == ("add_customer_note", True)
    metrics = await bank.executive.queries.metrics("default")
    assert metrics.undone["add_customer_note"].value == 1.0
    assert metrics.hard_false_positives == 0


async def test_a_click_says_what_its_chip_says(bank: Bank):
    offer = await bank.offered("set the limit of CARD-3001 to 450", TINA)
    for given in ({"limit": 90_000}, {"colour": "red"}, {"__class__": "x"}):
        with pytest.raises(InvalidArguments):
            await bank.executive.offers.choose(offer.offer_id, "chip-1", TINA, given)
    same = await bank.executive.offers.choose(offer.offer_id, "chip-1", TINA, {"limit": 450})
    assert same.outcome == "executed"
