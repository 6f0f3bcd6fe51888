"""What a proposal may become, and what it can never be talked into."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from state.action import ExecutionClass
from state.approval import ApprovalAnswer, LedgerAction
from state.errors import BadInput, Forbidden, InvalidArguments, NotFound
from state.principal import Principal
from tests.safety.benches import (
    CAPTAIN,
    COOK,
    MATE,
    PERMISSIVE,
    STRANGER,
    edited,
    no,
    opened_ledger,
    proposal,
    sql,
    yes,
)
from tests.safety.valves import effects
from tools.gate.ledger.ledger import Ledger

GATED = tuple(PERMISSIVE)


async def test_a_read_may_run_at_once(ledger: Ledger, data_dir: Path) -> None:
    frozen = await ledger.propose(proposal("read_gauge", gauge="G-1"))
    assert (frozen.execution_class, frozen.state) == ("A", "approved")
    assert (await ledger.execute(frozen.action_id)).state == "succeeded"
    assert len(effects(data_dir)) == 1


@pytest.mark.parametrize("action", GATED)
@pytest.mark.parametrize("at_least", ["A", "B", "C"])
async def test_a_gated_action_waits_however_low_it_is_asked_for(
    ledger: Ledger, data_dir: Path, action: str, at_least: ExecutionClass
) -> None:
    frozen = await ledger.propose(proposal(action, requester=CAPTAIN, at_least=at_least))
    outcome = await ledger.execute(frozen.action_id)
    assert (frozen.execution_class, frozen.state) == ("C", "pending")
    assert (outcome.state, outcome.executed_now) == ("pending", False)
    assert effects(data_dir) == []


async def test_a_read_can_be_raised_to_wait_for_a_yes(ledger: Ledger, data_dir: Path) -> None:
    frozen = await ledger.propose(proposal("read_gauge", gauge="G-1", at_least="C"))
    await ledger.execute(frozen.action_id)
    assert (frozen.execution_class, frozen.state) == ("C", "pending")
    assert effects(data_dir) == []


async def test_proposing_again_meets_the_first_row(ledger: Ledger, data_dir: Path) -> None:
    first = await ledger.propose(proposal())
    assert await ledger.propose(proposal()) == first
    assert sql(data_dir, "select event from ledger_entry") == [("proposed pending",)]


async def test_what_is_the_same_has_one_digest_and_what_differs_another(ledger: Ledger) -> None:
    other_tenant = Principal(user="amir", tenant_id="borealis", roles=("engineer",))
    asked = [
        proposal("shift_ballast", tonnes=20, decision_id="1"),
        proposal("shift_ballast", tonnes=20.0, requester=MATE, decision_id="2"),
        proposal("shift_ballast", tonnes=20.5, decision_id="3"),
        proposal("shift_ballast", tonnes=20, requester=other_tenant, decision_id="4"),
    ]
    digests = [(await ledger.propose(each)).digest for each in asked]
    assert digests[0] == digests[1]
    assert len(set(digests)) == 3


@pytest.mark.parametrize("answer", [None, yes, no])
async def test_a_decision_asks_for_one_gated_action_and_no_other(
    ledger: Ledger, data_dir: Path, answer: Callable[[LedgerAction], ApprovalAnswer] | None
) -> None:
    first = await ledger.propose(proposal(valve="V-1"))
    if answer is not None:
        first = await ledger.decide(first.action_id, answer(first), CAPTAIN)
    assert await ledger.propose(proposal(valve="V-2")) == first
    assert await ledger.propose(proposal("buy_pump", count=9)) == first
    assert sql(data_dir, "select count(*) from ledger_action") == [(1,)]


async def test_after_an_edit_the_decision_still_asks_for_its_first_action(ledger: Ledger) -> None:
    first = await ledger.propose(proposal(valve="V-1"))
    other = await ledger.decide(first.action_id, edited(first, valve="V-2"), CAPTAIN)
    again = await ledger.propose(proposal(valve="V-1"))
    assert (again.action_id, again.replaced_by) == (first.action_id, other.action_id)


async def test_a_decision_of_its_own_has_an_action_of_its_own(ledger: Ledger) -> None:
    first = await ledger.propose(proposal())
    second = await ledger.propose(proposal(decision_id="decision-2", requester=MATE))
    assert first.digest == second.digest
    assert first.action_id != second.action_id


async def test_a_role_that_may_not_ask_is_refused(ledger: Ledger, data_dir: Path) -> None:
    with pytest.raises(Forbidden, match="engineer"):
        await ledger.propose(proposal(requester=COOK))
    assert sql(data_dir, "select count(*) from ledger_action") == [(0,)]


async def test_an_action_outside_the_catalogue_is_not_found(ledger: Ledger) -> None:
    with pytest.raises(NotFound):
        await ledger.propose(proposal("scuttle_ship", valve="V-1"))


@pytest.mark.parametrize(
    "arguments",
    [
        {},
        {"valve": ""},
        {"valve": 7},
        {"valve": "V-1", "turns": "3"},
        {"valve": "V-1", "turns": True},
        {"valve": "V-1", "__class__": "x"},
        {"valve": "V-1", "approved": True},
        {"valve": {"$ne": 1}},
        {"valve": ["V-1"]},
        {"valve": "V-1\x00"},
        {"valve": "V-1", "note": "n" * 100_000},
    ],
)
async def test_arguments_that_do_not_fit_are_refused_and_leave_nothing(
    ledger: Ledger, data_dir: Path, arguments: dict[str, Any]
) -> None:
    asked = proposal().model_copy(update={"arguments": arguments})
    with pytest.raises(InvalidArguments):
        await ledger.propose(asked)
    assert sql(data_dir, "select count(*) from ledger_action") == [(0,)]


async def test_another_tenant_does_not_see_the_action(ledger: Ledger) -> None:
    frozen = await ledger.propose(proposal())
    with pytest.raises(NotFound):
        await ledger.action(frozen.action_id, STRANGER.tenant_id)
    assert await ledger.actions(STRANGER.tenant_id, state=None) == []


_ANYTHING = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=40),
    lambda inner: (
        st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=12), inner, max_size=4)
    ),
    max_leaves=8,
)
_NAMES = st.sampled_from((*GATED, "label_valve", "read_gauge")) | st.text(max_size=30)
_SLOTS = st.sampled_from(("valve", "turns", "note", "hold", "tonnes", "count", "tanks", "gauge"))


@settings(
    max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
@given(
    action=_NAMES,
    arguments=st.dictionaries(_SLOTS | st.text(max_size=12), _ANYTHING, max_size=5),
    at_least=st.sampled_from(("A", "B", "C")),
)
async def test_no_malformed_proposal_of_a_model_does_anything(
    data_dir: Path, pack: Path, action: str, arguments: dict[str, Any], at_least: ExecutionClass
) -> None:
    async with opened_ledger(data_dir, pack) as ledger:
        before = len(effects(data_dir))
        try:
            asked = proposal(at_least=at_least).model_copy(
                update={"action": action, "arguments": arguments}
            )
            frozen = await ledger.propose(asked)
            await ledger.execute(frozen.action_id)
        except (BadInput, Forbidden, NotFound):
            pass
        done = effects(data_dir)[before:]
        assert {each["action"] for each in done} <= {"read_gauge"}
