"""An action runs with the rights that its asker has when it starts, not with ours."""

from pathlib import Path

import pytest

from state.approval import LedgerAction
from state.principal import Principal
from tests.safety.benches import CAPTAIN, ENGINEER, proposal, sql, yes
from tests.safety.valves import effects
from tools.gate.ledger.ledger import Ledger
from tools.storage.credentials import SqlKeys

REVOKE = "update api_key set revoked_at = 1.0 where user = ?"
RUN_OUT = "update api_key set expires_at = 1.0 where user = ?"


@pytest.mark.parametrize(
    ("now", "state"),
    [
        (ENGINEER, "succeeded"),
        (ENGINEER.model_copy(update={"roles": ("captain",)}), "succeeded"),
        (ENGINEER.model_copy(update={"kind": "service"}), "succeeded"),
        (ENGINEER.model_copy(update={"roles": ("cook",)}), "stale"),
        (ENGINEER.model_copy(update={"roles": ()}), "stale"),
        (ENGINEER.model_copy(update={"tenant_id": "borealis", "roles": ("cook",)}), "succeeded"),
    ],
)
async def test_it_runs_with_the_rights_that_its_asker_has_now(
    ledger: Ledger, data_dir: Path, now: Principal, state: str
) -> None:
    approved = await _approved(ledger)
    await SqlKeys(ledger.database).make(now)
    assert (await ledger.execute(approved.action_id)).state == state
    assert len(effects(data_dir)) == (state == "succeeded")


@pytest.mark.parametrize("change", [REVOKE, RUN_OUT])
async def test_what_somebody_asked_who_is_gone_does_not_run(
    ledger: Ledger, data_dir: Path, change: str
) -> None:
    await SqlKeys(ledger.database).make(ENGINEER)
    approved = await _approved(ledger)
    sql(data_dir, change, (ENGINEER.user,))
    outcome = await ledger.execute(approved.action_id)
    assert (outcome.state, outcome.reason) == (
        "stale",
        "the one who asked may no longer ask for it",
    )
    assert effects(data_dir) == []


async def _approved(ledger: Ledger) -> LedgerAction:
    shown = await ledger.propose(proposal(valve="V-101"))
    return await ledger.decide(shown.action_id, yes(shown), CAPTAIN)
