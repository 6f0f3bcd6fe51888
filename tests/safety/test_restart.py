"""What happened while it was down, or to what was under way, is told the truth after a start."""

from pathlib import Path

import pytest

from state.errors import NotFound
from tests.safety.benches import CAPTAIN, edited, sql, yes
from tests.safety.executives import message, opened_executive
from tests.safety.nursery import Nursery
from tests.safety.valves import effects, write_valves

OVER = "update ledger_action set expires_at = 1.0 where state in ('pending', 'approved')"


@pytest.mark.parametrize(
    ("place", "nth", "state", "count"),
    [
        ("begin", 2, "succeeded", 1),
        ("commit", 3, "succeeded", 1),
        ("before_claim", 1, "succeeded", 1),
        ("after_claim", 1, "unknown", 0),
        ("in_effect", 1, "unknown", 1),
        ("after_record", 1, "succeeded", 1),
        ("put", 1, "succeeded", 1),
    ],
)
async def test_a_click_killed_on_its_way_is_done_once_or_known_to_be_uncertain(
    nursery: Nursery, data_dir: Path, pack: Path, place: str, nth: int, state: str, count: int
):
    _kill(nursery, data_dir, pack, place, nth, story="choose")
    async with opened_executive(data_dir, pack) as opened:
        await opened.recover()
        await opened.recover()
    query = "select state from ledger_action where execution_class = 'B'"
    assert sql(data_dir, query) == [(state,)]
    assert len(effects(data_dir)) == count
    outcomes = {"succeeded": "executed", "unknown": "failed"}
    assert sql(data_dir, "select standing, outcome from decision where kind = 'choice'") == [
        ("recorded", outcomes[state])
    ]


@pytest.mark.parametrize("place", ["after_claim", "in_effect", "after_effect"])
async def test_a_read_killed_on_its_way_is_read_again(
    nursery: Nursery, data_dir: Path, pack: Path, place: str
):
    _kill(nursery, data_dir, pack, place, story="read")
    async with opened_executive(data_dir, pack) as opened:
        await opened.recover()
        trace = await opened.executive.records.trace(message().decision_id, "aurora")
    assert trace.record.outcome == "executed"
    assert sql(data_dir, "select state from ledger_action") == [("succeeded",)]


async def test_a_question_that_ran_out_while_it_was_down_is_told_as_refused(
    data_dir: Path, pack: Path
):
    async with opened_executive(data_dir, pack) as opened:
        shown = await opened.asked()
    sql(data_dir, OVER)
    async with opened_executive(data_dir, pack) as opened:
        await opened.recover()
        trace = await opened.executive.records.trace(shown.decision_id, "aurora")
    assert (trace.record.outcome, trace.record.reason) == ("refused", "approval_expired")
    assert effects(data_dir) == []


async def test_a_yes_that_ran_out_while_it_was_down_is_told_as_refused(
    nursery: Nursery, data_dir: Path, pack: Path
):
    _kill(nursery, data_dir, pack, "answered")
    sql(data_dir, OVER)
    async with opened_executive(data_dir, pack) as opened:
        await opened.recover()
        trace = await opened.executive.records.trace(message().decision_id, "aurora")
    assert (trace.record.outcome, trace.record.reason) == ("refused", "approval_expired")
    assert effects(data_dir) == []


@pytest.mark.parametrize(
    "change",
    [
        ("effect: destructive", "effect: financial"),
        ("    roles: [engineer, captain]\n", "    roles: [captain]\n"),
        ("  open_valve:\n", "  open_sluice:\n"),
    ],
)
async def test_a_yes_from_before_a_change_of_the_pack_is_no_yes(
    nursery: Nursery, data_dir: Path, pack: Path, tmp_path: Path, change: tuple[str, str]
):
    _kill(nursery, data_dir, pack, "answered")
    changed = write_valves(tmp_path / "changed", change)
    async with opened_executive(data_dir, changed) as opened:
        await opened.recover()
        trace = await opened.executive.records.trace(message().decision_id, "aurora")
    assert (trace.record.outcome, trace.record.reason) == ("refused", "approval_stale")
    assert effects(data_dir) == []


async def test_a_yes_is_not_spent_on_an_action_whose_pack_is_missing(
    data_dir: Path, pack: Path, tmp_path: Path
):
    async with opened_executive(data_dir, pack) as opened:
        shown = await opened.asked()
    changed = write_valves(tmp_path / "changed", ("  open_valve:\n", "  open_sluice:\n"))
    async with opened_executive(data_dir, changed) as opened:
        for answer in (yes(shown), edited(shown, valve="V-2")):
            with pytest.raises(NotFound):
                await opened.executive.approvals.answer(shown.action_id, answer, CAPTAIN)
    assert effects(data_dir) == []
    async with opened_executive(data_dir, pack) as opened:
        settled = await opened.executive.approvals.answer(shown.action_id, yes(shown), CAPTAIN)
    assert (settled.state, len(effects(data_dir))) == ("succeeded", 1)


def _kill(
    nursery: Nursery, data_dir: Path, pack: Path, place: str, nth: int = 1, story: str = "approve"
) -> None:
    plan = {"data_dir": str(data_dir), "pack": str(pack), "place": place, "nth": nth}
    assert nursery.run({**plan, "story": story}).is_killed
