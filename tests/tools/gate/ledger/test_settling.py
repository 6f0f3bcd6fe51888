"""Only a person, with evidence, says what became of an action that nobody can tell."""

from pathlib import Path
from typing import Any

import pytest

from state.approval import LedgerAction
from state.errors import BadInput, Conflict, Forbidden, NotFound
from state.principal import Principal
from tests.safety.benches import CAPTAIN, COOK, ENGINEER, ROBOT, STRANGER, proposal, sql, yes
from tests.tools.gate.ledger.auditing import audited
from tests.tools.observability.query_log.planting import plant_query
from tools.gate.ledger.ledger import Ledger


@pytest.mark.parametrize(("happened", "state"), [(True, "succeeded"), (False, "failed")])
async def test_a_person_settles_it_and_it_stays_so(
    ledger: Ledger, data_dir: Path, pack: Path, happened: bool, state: str
) -> None:
    unknown = await _unknown(ledger)
    settled = await ledger.settle(unknown.action_id, CAPTAIN, happened, "  seen on deck  ")
    assert (settled.state, settled.settled_by, settled.evidence) == (
        state,
        "ingrid",
        "seen on deck",
    )
    assert settled.reason is None
    assert (await ledger.execute(unknown.action_id)).state == state
    with pytest.raises(Conflict):
        await ledger.settle(unknown.action_id, CAPTAIN, not happened, "no, it was the other way")
    assert (await audited(data_dir, pack)).faults == ()


@pytest.mark.parametrize(
    ("principal", "error"), [(COOK, Forbidden), (ROBOT, Forbidden), (STRANGER, NotFound)]
)
async def test_who_may_not_approve_it_may_not_settle_it(
    ledger: Ledger, principal: Principal, error: type[Exception]
) -> None:
    unknown = await _unknown(ledger)
    with pytest.raises(error):
        await ledger.settle(unknown.action_id, principal, True, "seen on deck")
    assert (await ledger.action(unknown.action_id)).state == "unknown"


@pytest.mark.parametrize("evidence", ["", "   ", "x" * 2_001, "a\x00b", "a\ud800b"])
async def test_without_evidence_that_can_be_kept_nothing_is_settled(
    ledger: Ledger, evidence: str
) -> None:
    unknown = await _unknown(ledger)
    with pytest.raises(BadInput):
        await ledger.settle(unknown.action_id, CAPTAIN, True, evidence)
    assert (await ledger.action(unknown.action_id)).state == "unknown"


@pytest.mark.parametrize("state", ["pending", "approved", "started", "succeeded", "rejected"])
async def test_only_an_unknown_one_is_settled(ledger: Ledger, data_dir: Path, state: str) -> None:
    shown = await ledger.propose(proposal())
    sql(data_dir, "update ledger_action set state = ?", (state,))
    with pytest.raises(Conflict) as refused:
        await ledger.settle(shown.action_id, CAPTAIN, True, "seen on deck")
    assert refused.value.standing == state


async def test_where_four_eyes_are_due_the_asker_does_not_settle(ledger: Ledger) -> None:
    asker = CAPTAIN.model_copy(update={"user": "sven"})
    unknown = await _unknown(ledger, "flood_hold", asker)
    with pytest.raises(Forbidden):
        await ledger.settle(unknown.action_id, asker, True, "seen on deck")


@pytest.mark.parametrize(("happened", "executed"), [(True, "open_valve"), (False, None)])
async def test_the_query_log_hears_what_became_of_it(
    ledger: Ledger, data_dir: Path, happened: bool, executed: str | None
) -> None:
    unknown = await _unknown(ledger)
    await plant_query(
        ledger.database,
        "open V-101",
        action_id=unknown.action_id,
        action_executed="open_valve",
        execution_method="confirmation",
        executed_at=1.0,
        time_to_action_ms=1.0,
    )
    await ledger.settle(unknown.action_id, CAPTAIN, happened, "seen on deck")
    [noted] = sql(
        data_dir,
        "select action_executed, execution_method is null, executed_at is null,"
        " time_to_action_ms is null from query_log",
    )
    assert noted == (executed, *[not happened] * 3)


async def _unknown(
    ledger: Ledger, action: str = "open_valve", requester: Principal = ENGINEER
) -> LedgerAction:
    note: dict[str, Any] = {"note": "break", "valve": "V-101"} if action == "open_valve" else {}
    shown = await ledger.propose(proposal(action, requester=requester, **note))
    await ledger.decide(shown.action_id, yes(shown), CAPTAIN)
    if action != "open_valve":
        await ledger.database.write(
            lambda connection: connection.exec_driver_sql(
                "update ledger_action set state = 'unknown'"
            )
        )
    else:
        assert (await ledger.execute(shown.action_id)).state == "unknown"
    return await ledger.action(shown.action_id)
