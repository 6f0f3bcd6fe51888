"""Killed anywhere, the service loses nothing, does nothing twice, and says what it cannot know."""

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from tests.safety.benches import CAPTAIN, sql, yes
from tests.safety.dying import ACKNOWLEDGED
from tests.safety.executives import message, opened_executive
from tests.safety.nursery import Nursery
from tests.safety.valves import effects

ROUNDS = 5
"""How often the whole list is gone through under torture."""


@dataclass(frozen=True)
class Place:
    """Where an answered decision dies, and what must be true of it when somebody looks again."""

    name: str
    nth: int = 1
    state: str = "succeeded"
    effects: int = 1

    def __str__(self) -> str:
        return f"{self.name} {self.nth}"


NAMED = (
    Place("begin", 1, "pending", 0),
    Place("commit", 1, "pending", 0),
    Place("answered"),
    Place("writes", 1),
    Place("put", 1),
    Place("before_claim"),
    Place("begin", 2),
    Place("commit", 2),
    Place("begin", 3),
    Place("commit", 3),
    Place("after_claim", 1, "unknown", 0),
    Place("before the effect", 1, "unknown", 0),
    Place("within the effect", 1, "unknown", 1),
    Place("in_effect", 1, "unknown", 1),
    Place("after_effect", 1, "unknown", 1),
    Place("begin", 4, "unknown", 1),
    Place("commit", 4, "unknown", 1),
    Place("after_record"),
    Place("writes", 3),
    Place("put", 3),
    Place("begin", 5),
    Place("commit", 5),
    Place("woken"),
)
STEPS = frozenset(
    {"answered", "before_claim", "after_claim", "within the effect", "after_effect", "after_record"}
    | {"woken"}
)
"""Of a decision, from the answer to its end: died at ROUNDS_OF_STEPS times each."""
ROUNDS_OF_STEPS = 200
CHECKPOINTS = tuple(
    Place(name, nth)
    for name in ("put", "after put", "writes", "after writes")
    for nth in range(1, 7)
    if Place(name, nth) not in NAMED
)


EACH_ROUND = [
    pytest.param(place, turn, id=f"{place} {turn}")
    for turn in range(ROUNDS_OF_STEPS)
    for place in (*NAMED, *CHECKPOINTS)
    if turn < ROUNDS or place.name in STEPS
]


@pytest.mark.parametrize("place", NAMED, ids=str)
async def test_killed_after_an_answer_it_is_done_once_or_known_to_be_uncertain(
    nursery: Nursery, data_dir: Path, pack: Path, place: Place
):
    await _kill_and_look_again(nursery, data_dir, pack, place)


@pytest.mark.torture
@pytest.mark.parametrize(("place", "turn"), EACH_ROUND)
async def test_killed_anywhere_and_often_it_is_done_once_or_known_to_be_uncertain(
    nursery: Nursery, data_dir: Path, pack: Path, place: Place, turn: int
):
    await _kill_and_look_again(nursery, data_dir, pack, place)


@pytest.mark.parametrize(
    ("place", "nth"),
    [(name, nth) for name in ("begin", "commit") for nth in range(1, 4)]  # accept, ask, record
    + [("put", 1), ("after put", 1), ("writes", 1), ("after writes", 1)],
)
async def test_killed_before_the_gate_the_question_is_asked_once(
    nursery: Nursery, data_dir: Path, pack: Path, place: str, nth: int
):
    assert _run(nursery, data_dir, pack, place, nth, story="ask")
    is_acknowledged = (data_dir / ACKNOWLEDGED).exists()
    async with opened_executive(data_dir, pack) as opened:
        await opened.recover()
        found = sql(data_dir, "select standing from decision")
        assert found == [("waiting",)] if is_acknowledged else found in ([("waiting",)], [])
        shown = await opened.asked()  # delivered again, it meets the first
        await opened.executive.approvals.answer(shown.action_id, yes(shown), CAPTAIN)
    assert sql(data_dir, "select standing, outcome from decision") == [("recorded", "executed")]
    assert sql(data_dir, "select state from ledger_action") == [("succeeded",)]
    assert len(effects(data_dir)) == 1


@pytest.mark.parametrize("nth", range(2, 60, 9))
async def test_killed_in_a_stream_every_acknowledged_event_is_finished_once(
    nursery: Nursery, data_dir: Path, pack: Path, nth: int
):
    assert _run(nursery, data_dir, pack, "commit", nth, story="stream", seed=nth)
    await _finish_what_was_acknowledged(data_dir, pack)


@pytest.mark.torture
@pytest.mark.parametrize("seed", range(60))
async def test_killed_whenever_every_acknowledged_event_is_finished_once(
    nursery: Nursery, data_dir: Path, pack: Path, seed: int
):
    _run(nursery, data_dir, pack, "whenever", story="stream", seed=seed)
    await _finish_what_was_acknowledged(data_dir, pack)


async def test_killed_again_while_it_recovers_it_still_runs_once(
    nursery: Nursery, data_dir: Path, pack: Path
):
    assert _run(nursery, data_dir, pack, "answered")
    for place in ("put", "writes", "before_claim"):
        assert _run(nursery, data_dir, pack, place, story="recover")
    async with opened_executive(data_dir, pack) as opened:
        await opened.recover()
    assert sql(data_dir, "select state from ledger_action") == [("succeeded",)]
    assert len(effects(data_dir)) == 1


async def _kill_and_look_again(nursery: Nursery, data_dir: Path, pack: Path, place: Place) -> None:
    assert _run(nursery, data_dir, pack, place.name, place.nth)
    async with opened_executive(data_dir, pack) as opened:
        await opened.recover()
        assert sql(data_dir, "select state from ledger_action") == [(place.state,)]
        assert len(effects(data_dir)) == place.effects
        if place.state == "pending":
            [shown] = await opened.executive.approvals.list("aurora")
            await opened.executive.approvals.answer(shown.action_id, yes(shown), CAPTAIN)
    ended = {"unknown": "failed"}.get(place.state, "executed")
    async with opened_executive(data_dir, pack) as opened:
        await opened.recover()
        trace = await opened.executive.records.trace(message().decision_id, "aurora")
        assert trace.record.outcome == ended
        assert await opened.executive.approvals.list("aurora") == []
    assert sql(data_dir, "select standing from decision") == [("recorded",)]
    assert len(effects(data_dir)) == (1 if place.state == "pending" else place.effects)


async def _finish_what_was_acknowledged(data_dir: Path, pack: Path) -> None:
    async with opened_executive(data_dir, pack) as opened:
        await opened.recover()
        for shown in await opened.executive.approvals.list("aurora"):
            await opened.executive.approvals.answer(shown.action_id, yes(shown), CAPTAIN)
        await opened.recover()
    rows = sql(data_dir, "select event_id, standing, record from decision")
    standing = {str(event_id): str(standing) for event_id, standing, _record in rows}
    assert set(_lines(data_dir / ACKNOWLEDGED)) <= set(standing)
    assert set(standing.values()) <= {"recorded"}
    assert all(json.loads(record)["event_id"] == event_id for event_id, _standing, record in rows)
    _assert_ledger_and_effects_agree(data_dir)


def _assert_ledger_and_effects_agree(data_dir: Path) -> None:
    done = [each["action_id"] for each in effects(data_dir) if each["action"] == "open_valve"]
    assert len(done) == len(set(done))
    query = "select action_id, state from ledger_action where execution_class = 'C'"
    states: dict[Any, Any] = dict(sql(data_dir, query))
    # `stale`: the same was asked again elsewhere, and nothing ran for it.
    assert set(states.values()) <= {"succeeded", "unknown", "stale"}
    assert {action for action, state in states.items() if state == "succeeded"} <= set(done)
    assert set(done) <= {action for action, state in states.items() if state != "stale"}


def _run(
    nursery: Nursery,
    data_dir: Path,
    pack: Path,
    place: str,
    nth: int = 1,
    *,
    story: str = "approve",
    seed: int = 0,
) -> bool:
    """Run until killed; tell whether that happened."""
    die = data_dir / "packs" / "aurora" / "die"
    if place.endswith("the effect"):
        die.parent.mkdir(parents=True, exist_ok=True)
        die.write_text(place, encoding="utf-8")
    ended = nursery.run(
        {
            "data_dir": str(data_dir),
            "pack": str(pack),
            "place": place,
            "nth": nth,
            "story": story,
            "seed": seed,
        }
    )
    die.unlink(missing_ok=True)
    assert ended.is_killed or ended.code == 0
    return ended.is_killed


def _lines(file: Path) -> list[str]:
    return file.read_text(encoding="utf-8").split() if file.exists() else []
