"""Killed at each step, over each kind of target: nothing twice, nothing lost, nothing guessed."""

import shutil
from dataclasses import dataclass
from pathlib import Path

import pytest

from tests.safety.benches import CAPTAIN, FILE, sql, yes
from tests.safety.executives import message, opened_executive
from tests.safety.nursery import Nursery
from tests.safety.valves import TARGETS, effects, effects_inside, write_valves
from tools.gate.ledger.audit import audit

FEW, MANY = 1, 200
"""How often each step is killed: always, and under torture."""


@dataclass(frozen=True)
class Step:
    """A step of safety.md §4, where it is reached, and what must be true afterwards by target."""

    name: str
    place: str
    nth: int = 1
    blind: tuple[str, int] = ("succeeded", 1)
    status: tuple[str, int] = ("succeeded", 1)
    transactional: tuple[str, int] = ("succeeded", 1)


STEPS = (
    Step("in approve", "commit", 1, ("pending", 0), ("pending", 0), ("pending", 0)),
    Step("before claim", "before_claim"),
    Step("after claim", "after_claim", 1, ("unknown", 0), ("failed", 0), ("failed", 0)),
    Step("in effect", "within the effect", 1, ("unknown", 1), ("succeeded", 1), ("failed", 0)),
    Step("after effect", "after_effect", 1, ("unknown", 1), ("succeeded", 1), ("failed", 0)),
    Step("after record", "after_record"),
    Step("before checkpoint", "put", 3),
)
OUTCOMES = {"unknown": "failed", "failed": "failed", "succeeded": "executed"}


@pytest.fixture(scope="session")
def packs(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    return {
        target: write_valves(tmp_path_factory.mktemp(target), *changes)
        for target, changes in TARGETS.items()
    }


@pytest.mark.parametrize("target", TARGETS)
@pytest.mark.parametrize("step", STEPS, ids=lambda step: step.name.replace(" ", "_"))
async def test_killed_at_a_step_it_is_done_once_or_known_not_to_be(
    nursery: Nursery, fresh: Path, packs: dict[str, Path], tmp_path: Path, step: Step, target: str
):
    await _kill_and_look(nursery, fresh, packs[target], tmp_path, step, target, FEW)


@pytest.mark.torture
@pytest.mark.parametrize("target", TARGETS)
@pytest.mark.parametrize("step", STEPS, ids=lambda step: step.name.replace(" ", "_"))
async def test_killed_at_a_step_two_hundred_times_it_is_never_done_twice(
    nursery: Nursery, fresh: Path, packs: dict[str, Path], tmp_path: Path, step: Step, target: str
):
    await _kill_and_look(nursery, fresh, packs[target], tmp_path, step, target, MANY)
    print(f"killed {MANY} times {step.name}, {target} target: nothing twice, nothing lost")


async def _kill_and_look(
    nursery: Nursery, fresh: Path, pack: Path, folder: Path, step: Step, target: str, times: int
) -> None:
    state, count = getattr(step, target)
    for turn in range(times):
        data_dir = shutil.copytree(fresh, folder / f"data-{turn}")
        _kill(nursery, data_dir, pack, step)
        async with opened_executive(data_dir, pack) as opened:
            await opened.recover()
            assert sql(data_dir, "select state from ledger_action") == [(state,)]
            assert _count(data_dir, target) == count
            if state == "pending":
                [shown] = await opened.executive.approvals.list("aurora")
                await opened.executive.approvals.answer(shown.action_id, yes(shown), CAPTAIN)
                state_now, count_now = "succeeded", 1
            else:
                state_now, count_now = state, count
            await opened.recover()
            trace = await opened.executive.records.trace(message().decision_id, "aurora")
            assert trace.record.outcome == OUTCOMES[state_now]
            assert (await audit(opened.box.database, {})).report.faults == ()
        assert sql(data_dir, "select standing from decision") == [("recorded",)]
        assert _count(data_dir, target) == count_now
        shutil.rmtree(data_dir)


def _kill(nursery: Nursery, data_dir: Path, pack: Path, step: Step) -> None:
    die = data_dir / "packs" / "aurora" / "die"
    if step.place.endswith("the effect"):
        die.parent.mkdir(parents=True, exist_ok=True)
        die.write_text(step.place, encoding="utf-8")
    plan = {"data_dir": str(data_dir), "pack": str(pack), "place": step.place, "nth": step.nth}
    assert nursery.run(plan).is_killed
    die.unlink(missing_ok=True)


def _count(data_dir: Path, target: str) -> int:
    if target == "transactional":
        return len(effects_inside(data_dir / FILE))
    return len(effects(data_dir))
