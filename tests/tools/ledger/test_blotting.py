"""What an action says about itself never repeats a secret it was given."""

from pathlib import Path

import pytest

from tests.safety.benches import CAPTAIN, opened_ledger, proposal, sql, yes
from tests.safety.valves import write_valves

SECRET = ("note: {type: text}", "note: {type: text, secret: true}")


@pytest.mark.parametrize(
    ("note", "state"),
    [
        ("refuse canary-4711", "failed"),
        ("break canary-4711", "unknown"),
        ("say canary-4711", "succeeded"),
    ],
)
async def test_a_secret_that_a_handler_repeats_is_kept_nowhere_but_in_the_arguments(
    data_dir: Path, tmp_path: Path, note: str, state: str
) -> None:
    async with opened_ledger(data_dir, write_valves(tmp_path, SECRET)) as ledger:
        shown = await ledger.propose(proposal(valve="V-101", note=note))
        await ledger.decide(shown.action_id, yes(shown), CAPTAIN)
        outcome = await ledger.execute(shown.action_id)
    assert outcome.state == state
    assert "canary" not in outcome.model_dump_json()
    kept = sql(data_dir, "select reason, result, summary, evidence from ledger_action")
    kept += sql(data_dir, "select event, body from ledger_entry")
    assert "canary" not in str(kept)
    assert sql(data_dir, "select 1 from ledger_action where arguments like '%canary%'") == [(1,)]
