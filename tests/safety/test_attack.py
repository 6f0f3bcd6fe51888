"""No way round the gate: nothing runs without its yes, nothing twice, and the yes still works."""

from pathlib import Path

import pytest

from state.approval import LedgerAction
from tests.safety.attacks import ATTACKS, HOWS
from tests.safety.benches import CAPTAIN, sql, yes
from tests.safety.executives import Opened, opened_executive
from tests.safety.lies import LIES
from tests.safety.valves import effects

# Two in three lies are told under torture only, so that each is still told, and in each way.
SELDOM = {
    f"{lie}, {how}"
    for row, lie in enumerate(LIES)
    for column, how in enumerate(HOWS)
    if (row + column) % 3
}
NAMES = [
    pytest.param(name, marks=pytest.mark.torture) if name in SELDOM else name for name in ATTACKS
]


@pytest.mark.parametrize("name", NAMES)
async def test_an_attack_neither_runs_the_action_nor_takes_it_away(
    data_dir: Path, pack: Path, name: str
) -> None:
    async with opened_executive(data_dir, pack) as opened:
        shown = await opened.asked()
        await ATTACKS[name](opened, shown)
        assert _opened_valves(data_dir) == []
        assert (await opened.executive.approvals.get(shown.action_id, "aurora")).state == "pending"

        settled = await opened.executive.approvals.answer(shown.action_id, yes(shown), CAPTAIN)
        assert settled.state == "succeeded"
        recorded = await _assert_done_once(opened, shown, data_dir)

        await ATTACKS[name](opened, shown)
        await opened.recover()
        assert await _assert_done_once(opened, shown, data_dir) == recorded


async def _assert_done_once(opened: Opened, shown: LedgerAction, data_dir: Path) -> str:
    assert _opened_valves(data_dir) == [shown.action_id]
    [(standing, outcome, record)] = sql(
        data_dir,
        "select standing, outcome, record from decision where decision_id = ?",
        (shown.decision_id,),
    )
    assert (standing, outcome) == ("recorded", "executed")
    assert (await opened.executive.records.trace(shown.decision_id, "aurora")).record.action_id == (
        shown.action_id
    )
    return str(record)


def _opened_valves(data_dir: Path) -> list[str]:
    return [each["action_id"] for each in effects(data_dir) if each["action"] == "open_valve"]
