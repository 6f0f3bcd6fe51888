"""No way round the gate: nothing runs without its yes, nothing twice, and the yes still works."""

from pathlib import Path

import pytest

from state.approval import LedgerAction
from state.errors import Conflict
from state.principal import Principal
from tests.safety.attacks import ATTACKS, HOWS
from tests.safety.benches import CAPTAIN, ENGINEER, MATE, sql, yes
from tests.safety.executives import Opened, opened_executive
from tests.safety.lies import LIES
from tests.safety.valves import effects
from tests.torture.mischief import write_pack

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
):
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


# The same ways round the gate, where two people are needed, and where a tool server acts.

OFTEN = (
    "goto act",
    "granted, by command",
    "replay_everything",
    "resume_by_id",
    "say_it_is_approved",
)
"""Tried with every run of the tests; all of them under torture."""
AT_A_SERVER = (
    *OFTEN,
    "as_node confirm",
    "resume twice",
    "resume with words",
    "granted, in place",
    "granted, as the gate",
    "lose_the_thread",
)
"""Each starts a server of its own."""
NAMES_ELSEWHERE = [
    pytest.param(name, marks=() if name in OFTEN else pytest.mark.torture) for name in ATTACKS
]


def test_what_is_tried_often_is_there():
    assert set(AT_A_SERVER) <= set(ATTACKS)


@pytest.mark.parametrize("name", NAMES_ELSEWHERE)
async def test_one_yes_of_two_is_not_made_into_two(data_dir: Path, pack: Path, name: str):
    async with opened_executive(data_dir, pack) as opened:
        shown = await opened.asked("shift 20 tonnes of ballast")
        await opened.executive.approvals.answer(shown.action_id, yes(shown), CAPTAIN)
        await ATTACKS[name](opened, shown)
        with pytest.raises(Conflict, match="another person"):
            await opened.executive.approvals.answer(shown.action_id, yes(shown), CAPTAIN)
        assert _shifted(data_dir) == []
        standing = await opened.executive.approvals.get(shown.action_id, "aurora")
        assert (standing.state, standing.approvals) == ("pending", 1)
        settled = await opened.executive.approvals.answer(shown.action_id, yes(shown), MATE)
        assert settled.state == "succeeded"
        await ATTACKS[name](opened, shown)
        await opened.recover()
    assert _shifted(data_dir) == [shown.action_id]


@pytest.mark.parametrize(
    "name",
    [pytest.param(name, marks=pytest.mark.torture) for name in AT_A_SERVER[1:]] + [AT_A_SERVER[0]],
)
async def test_a_tool_of_a_server_is_not_called_without_its_yes(
    data_dir: Path, tmp_path: Path, name: str
):
    book = tmp_path / "book"
    keeper = Principal(user="ingrid", tenant_id="aurora", roles=ENGINEER.roles)
    async with opened_executive(data_dir, write_pack(tmp_path / "desk", book)) as opened:
        shown = await opened.asked("wipe disk sda1")
        assert shown.action == "desk_wipe_disk"
        await ATTACKS[name](opened, shown)
        assert not book.exists()
        assert (await opened.executive.approvals.get(shown.action_id, "aurora")).state == "pending"
        settled = await opened.executive.approvals.answer(shown.action_id, yes(shown), keeper)
        assert settled.state == "succeeded"
        await ATTACKS[name](opened, shown)
        await opened.recover()
    assert book.read_text("utf-8").count("wiped") == 1
    query = "select count(*) from ledger_action where started_at > 0 and execution_class <> 'A'"
    assert sql(data_dir, query) == [(1,)]


def _shifted(data_dir: Path) -> list[str]:
    return [each["action_id"] for each in effects(data_dir) if each["action"] == "shift_ballast"]
