"""Whatever is sent in the place of arguments is refused or asked about, and nothing is done."""

from typing import Any

import pytest

from state.errors import AgentError, Conflict, InvalidArguments, NotFound
from state.principal import Principal
from state.proposal import Proposal
from tests.foreign.conftest import ADA, CLEO, MAX, TINA, Bank

FINE: dict[str, Any] = {"account": "AC-2001", "payee": "City Power", "amount": 5}
CROWD = Principal(user="olav", tenant_id="default", roles=("passer-by",))


def proposal(action: str = "transfer", who: Principal = ADA, **arguments: Any) -> Proposal:
    return Proposal(
        decision_id="decision-1", requester=who, action=action, arguments=arguments, at_least="A"
    )


@pytest.mark.parametrize(
    "bad",
    [
        {"amount": "5"},
        {"amount": True},
        {"amount": -5},
        {"amount": 0},
        {"amount": float("inf")},
        {"amount": 10**30},
        {"amount": {"value": 5}},
        {"amount": [5]},
        {"account": {"id": "AC-2001"}},
        {"account": ["AC-2001"]},
        {"account": ""},
        {"account": "A" * 201},
        {"account": None},
        {"payee": 7},
        {"colour": "red"},
        {"__class__": "os.system"},
        {"context": "x"},
        {"connection": "x"},
        {"amount": {"__class__": "float"}},
        {"payee": "x" * 100_000},
    ],
    ids=str,
)
async def test_arguments_that_do_not_fit_are_named_and_nothing_is_written(bank: Bank, bad):
    with pytest.raises(InvalidArguments) as fault:
        await bank.executive._box.ledger.propose(proposal(**{**FINE, **bad}))
    assert fault.value.faults
    assert await bank.executive.actions.list("default") == []


async def test_lists_are_bounded_and_hold_nothing_twice(bank: Bank):
    ledger = bank.executive._box.ledger
    for accounts in (
        [f"AC-{number}" for number in range(10_000)],
        ["AC-2001", "AC-2001"],
        ["AC-2001", ["AC-2002"]],
        [{"__class__": "x"}],
        "AC-2001",
        [],
    ):
        with pytest.raises(InvalidArguments):
            await ledger.propose(proposal("block_accounts", MAX, accounts=accounts))
    assert await bank.executive.actions.list("default") == []


async def test_an_unknown_action_is_not_there(bank: Bank):
    for name in ("burn_down", "__class__", "", "transfer "):
        with pytest.raises(NotFound):
            await bank.executive._box.ledger.propose(proposal(name))


async def test_ten_thousand_items_in_a_message_are_one_message(bank: Bank):
    many = ", ".join(f"AC-{number:04}" for number in range(6_000))
    record = await bank.says(f"block {many}", MAX)
    assert record.outcome in ("spoke", "offered", "silent", "rejected")
    assert await bank.executive.actions.list("default") == []


@pytest.mark.parametrize(
    "text",
    [
        "transfer lots from AC-2001 to City Power",
        "transfer -5 from AC-2001 to City Power",
        "transfer 4 or 5 from AC-2001 to City Power",
        'transfer {"amount": 5} from __class__ to __init__',
        "close account __class__",
        "close account ../../etc/passwd",
        "close account AC-2001'; drop table account; --",
        "close accounts",
        "block everything",
    ],
)
async def test_what_cannot_be_read_is_asked_and_logged(bank: Bank, text: str):
    record = await bank.says(text, ADA)
    standing = [action.state for action in await bank.executive.actions.list("default")]
    assert standing in ([], ["pending"])
    assert bank.read("select count(*) from transfer") == [(0,)]
    assert bank.read("select count(*) from account where state = 'open'") == [(5,)]
    assert [row.query.raw_text for row in await bank.executive.queries.page("default")] == [text]
    assert record.text or record.outcome == "silent"


async def test_who_may_not_ask_or_approve_does_neither(bank: Bank):
    refused = await bank.says("close account AC-2005", CROWD)
    assert (refused.outcome, refused.reason) == ("refused", "role")
    asked = await bank.says("close account AC-2005", ADA)
    for who in (CROWD, TINA, ADA, MAX.model_copy(update={"kind": "service"})):
        with pytest.raises(AgentError):
            await bank.answers(asked.action_id, "approve", who)
    other = CLEO.model_copy(update={"tenant_id": "other"})
    with pytest.raises(NotFound):
        await bank.answers(asked.action_id, "approve", other)
    assert bank.read("select state from account where id = 'AC-2005'") == [("open",)]


async def test_a_reused_event_id_does_nothing_new(bank: Bank):
    first = await bank.says("show account AC-2001", ADA, event_id="twice")
    again = await bank.says("show account AC-2001", ADA, event_id="twice")
    assert again == first.model_copy(update={"duplicate": True})
    with pytest.raises(Conflict, match="an event_id of its own"):
        await bank.says("close account AC-2005", ADA, event_id="twice")
    assert await bank.executive.actions.list("default") == []


# A question about a slot is answered by what the same person says next, and by nobody else.


async def test_the_answer_completes_the_request_and_it_still_asks(bank: Bank):
    asked = await bank.says("close account", ADA)
    assert (asked.outcome, asked.reason) == ("spoke", "missing_slot")
    assert "Which account?" in asked.text
    completed = await bank.says("AC-2005", ADA)
    assert (completed.outcome, completed.action) == ("awaiting_approval", "close_account")
    assert completed.arguments == {"account": "AC-2005"}
    assert bank.read("select state from account where id = 'AC-2005'") == [("open",)]


@pytest.mark.parametrize("answer", ["the bakery one", "2003", "ac-2003 please", "bakery business"])
async def test_a_thing_may_be_called_in_many_ways(bank: Bank, answer: str):
    await bank.says("close account", ADA)
    assert (await bank.says(answer, ADA)).arguments == {"account": "AC-2003"}


async def test_several_slots_are_asked_for_one_after_the_other(bank: Bank):
    await bank.says("transfer money from AC-2001", ADA)
    assert "amount" in (await bank.says("to City Power", ADA)).text
    whole = await bank.says("120", ADA)
    assert (whole.outcome, whole.arguments) == (
        "awaiting_approval",
        {"account": "AC-2001", "payee": "City Power", "amount": 120},
    )


async def test_free_words_are_an_answer_and_a_write_is_still_a_chip(bank: Bank):
    await bank.says("add a note to C-1001", ADA)
    completed = await bank.says("prefers letters", ADA)
    assert (completed.outcome, completed.action) == ("offered", "add_customer_note")
    assert bank.read("select count(*) from note") == [(0,)]


async def test_somebody_elses_words_answer_nothing(bank: Bank):
    await bank.says("close account", ADA)
    assert (await bank.says("AC-2005", TINA)).action != "close_account"
    assert (await bank.says("AC-2005", ADA)).action == "close_account"


async def test_another_session_answers_nothing(bank: Bank):
    await bank.says("close account", ADA)
    assert (await bank.says("AC-2005", ADA, session_id="elsewhere")).action != "close_account"


async def test_after_ten_minutes_nothing_is_open(bank: Bank):
    await bank.says("close account", ADA)
    bank.pass_seconds(601)
    assert (await bank.says("AC-2005", ADA)).action != "close_account"


async def test_another_request_lets_the_question_go(bank: Bank):
    await bank.says("close account", ADA)
    shown = await bank.says("show account AC-2005", ADA)
    assert (shown.outcome, shown.action) == ("executed", "show_account")
    assert (await bank.says("AC-2005", ADA)).action != "close_account"


@pytest.mark.parametrize("text", ["never mind", "no", "Cancel that.", "forget it, thanks"])
async def test_a_question_can_be_dropped(bank: Bank, text: str):
    await bank.says("close account", ADA)
    dropped = await bank.says(text, ADA)
    assert (dropped.outcome, dropped.action) == ("spoke", None)
    assert (await bank.says("AC-2005", ADA)).action != "close_account"


async def test_an_answer_is_judged_by_the_role_of_who_answers(bank: Bank):
    await bank.says("close account", ADA)
    demoted = ADA.model_copy(update={"roles": ("teller",)})
    refused = await bank.says("AC-2005", demoted)
    assert (refused.outcome, refused.reason) == ("refused", "role")


async def test_a_name_that_nothing_has_is_told_and_asked_again(bank: Bank):
    asked = await bank.says("close account AC-9999", ADA)
    assert (asked.outcome, asked.reason) == ("spoke", "unclear")
    assert "AC-9999" in asked.text
    assert "AC-8888" in (await bank.says("AC-8888", ADA)).text
    assert (await bank.says("AC-2005", ADA)).arguments == {"account": "AC-2005"}


async def test_one_unknown_among_several_stops_them_all(bank: Bank):
    record = await bank.says("block AC-2001 and AC-9999", MAX)
    assert (record.outcome, record.reason) == ("spoke", "unclear")
    assert "AC-9999" in record.text
    assert await bank.executive.approvals.list("default", state=None) == []


async def test_a_name_of_several_gives_a_chip_for_each(bank: Bank):
    offer = await bank.offered("close the savings account")
    assert offer.reason == "several_things"
    assert [dict(chip.arguments) for chip in offer.chips] == [
        {"account": "AC-2001"},
        {"account": "AC-2002"},
    ]
    assert {chip.action for chip in offer.chips} == {"close_account"}
    chosen = await bank.executive.offers.choose(offer.offer_id, "chip-2", ADA)
    assert (chosen.outcome, chosen.arguments) == ("awaiting_approval", {"account": "AC-2002"})


async def test_an_answer_may_name_several_too(bank: Bank):
    await bank.says("add a note to the customer: called", ADA)
    offer = await bank.offered("Anna")
    assert [chip.arguments["customer"] for chip in offer.chips] == ["C-1001", "C-1004"]
    assert {chip.arguments["note"] for chip in offer.chips} == {"called"}


async def test_quoted_words_of_others_are_not_completed(bank: Bank):
    quoted = "> please close account\n\nwhat do you think of that mail?"
    await bank.says(quoted, ADA)
    assert (await bank.says("AC-2005", ADA)).outcome != "awaiting_approval"


async def test_a_request_is_no_free_words(bank: Bank):
    await bank.says("add a note to C-1001", ADA)
    shown = await bank.says("show account AC-2005", ADA)
    assert (shown.outcome, shown.action) == ("executed", "show_account")


async def test_the_same_asked_anew_and_whole_is_a_request(bank: Bank):
    await bank.says("add a note to C-1001", ADA)
    anew = await bank.says("add a note to C-1002: prefers letters", ADA)
    assert anew.arguments == {"customer": "C-1002", "note": "prefers letters"}
