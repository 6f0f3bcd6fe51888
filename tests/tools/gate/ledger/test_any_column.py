"""Whatever of an action is changed on disk between the question and the start: it does not run."""

from contextlib import suppress
from pathlib import Path

import pytest

from state.errors import AgentError
from tests.safety.benches import CAPTAIN, ENGINEER, proposal, sql, yes
from tests.safety.valves import effects
from tools.gate.ledger.ledger import Ledger
from tools.storage.tables.ledger import FROZEN

STEPS = ("asked", "half approved", "approved")
OTHER: dict[str, object] = {
    "arguments": '{"tonnes": 999}',
    "requester_roles": '["captain"]',
    "approver_roles": "[]",
    "target_versions": '{"T-1": "2"}',
    "preview": '{"count": 1}',
    "raised": '["tainted"]',
    "execution_class": "A",
    "quorum": 1,
    "four_eyes": 1,
    "proposed_at": 1.0,
    "action": "buy_pump",
    "phase": "canary",
    "origin": "model",
    "tenant_id": "borealis",
}
"""What a column is changed to; any other becomes another word."""


@pytest.mark.parametrize(
    "step",
    [pytest.param(each, marks=pytest.mark.torture) for each in STEPS[:-1]] + [STEPS[-1]],
)
@pytest.mark.parametrize("column", [each for each in FROZEN if each != "action_id"])
async def test_a_changed_column_makes_every_yes_worthless(
    ledger: Ledger, data_dir: Path, column: str, step: str
) -> None:
    shown = await ledger.propose(proposal("shift_ballast"))
    people = [CAPTAIN, ENGINEER]
    for _yes in range(STEPS.index(step)):
        await ledger.decide(shown.action_id, yes(shown), people.pop())
    before = sql(data_dir, f"select {column} from ledger_action")
    sql(data_dir, "drop trigger ledger_action_is_frozen")
    sql(data_dir, f"update ledger_action set {column} = ?", (OTHER.get(column, "other"),))
    assert sql(data_dir, f"select {column} from ledger_action") != before
    for person in people:
        with suppress(AgentError):
            await ledger.decide(shown.action_id, yes(shown), person)
    outcome = await ledger.execute(shown.action_id)
    assert outcome.state in ("stale", "pending")
    assert (outcome.executed_now, effects(data_dir)) == (False, [])
    assert sql(data_dir, "select count(*) from ledger_entry where event = 'started'") == [(0,)]


async def test_unchanged_it_runs(ledger: Ledger, data_dir: Path) -> None:
    shown = await ledger.propose(proposal("shift_ballast"))
    for person in (CAPTAIN, ENGINEER):
        await ledger.decide(shown.action_id, yes(shown), person)
    assert (await ledger.execute(shown.action_id)).state == "succeeded"
    assert len(effects(data_dir)) == 1
