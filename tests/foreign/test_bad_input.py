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
        decision_id="decision-1",
        requester=who,
        action=action,
        arguments=arguments,
        at_least="A",
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
async def test_arguments_that_do_not_fit_are_named_and_nothing_is_written(
    bank: Bank, bad: dict[str, Any]
) -> None:
    with pytest.raises(InvalidArguments) as fault:
        await bank.executive._box.ledger.propose(proposal(**{**FINE, **bad}))
    assert fault.value.faults
    assert await bank.executive.actions.list("default") == []


async def test_lists_are_bounded_and_hold_nothing_twice(bank: Bank) -> None:
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


async def test_an_unknown_action_is_not_there(bank: Bank) -> None:
    for name in ("burn_down", "__class__", "", "transfer "):
        with pytest.raises(NotFound):
            await bank.executive._box.ledger.propose(proposal(name))


async def test_ten_thousand_items_in_a_message_are_one_message(bank: Bank) -> None:
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
async def test_what_cannot_be_read_is_asked_and_logged(bank: Bank, text: str) -> None:
    record = await bank.says(text, ADA)
    standing = [action.state for action in await bank.executive.actions.list("default")]
    assert standing in ([], ["pending"])
    assert bank.read("select count(*) from transfer") == [(0,)]
    assert bank.read("select count(*) from account where state = 'open'") == [(5,)]
    assert [row.query.raw_text for row in await bank.executive.queries.page("default")] == [text]
    assert record.text or record.outcome == "silent"


async def test_who_may_not_ask_or_approve_does_neither(bank: Bank) -> None:
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


async def test_a_reused_event_id_does_nothing_new(bank: Bank) -> None:
    first = await bank.says("show account AC-2001", ADA, event_id="twice")
    again = await bank.says("show account AC-2001", ADA, event_id="twice")
    assert again == first.model_copy(update={"duplicate": True})
    with pytest.raises(Conflict, match="an event_id of its own"):
        await bank.says("close account AC-2005", ADA, event_id="twice")
    assert await bank.executive.actions.list("default") == []
