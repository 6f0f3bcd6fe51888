"""Yesterday's checkpoints in place of today's: whatever is run from them, nothing is done again."""

import shutil
from contextlib import suppress
from pathlib import Path

from langgraph.types import Command

from state.errors import Conflict
from tests.safety.benches import CAPTAIN, sql, yes
from tests.safety.executives import Opened, message, opened_executive
from tests.safety.valves import effects
from tests.torture.counts import few_or_many
from tests.torture.tally import Tally

FILE = "checkpoints.sqlite"
ASKED_EACH = 20


@few_or_many(3, 100)
async def test_no_thread_of_a_restored_backup_does_anything_again(
    data_dir: Path, pack: Path, tmp_path: Path, tally: Tally, count: int
) -> None:
    async with opened_executive(data_dir, pack) as opened:
        shown = [
            await opened.asked(
                f"open valve V-{number}", f"e-{number}", user=f"amir-{number // ASKED_EACH}"
            )
            for number in range(count)
        ]
    backup = Path(shutil.copy(data_dir / FILE, tmp_path / "yesterday"))
    async with opened_executive(data_dir, pack) as opened:
        for each in shown:
            await opened.executive.approvals.answer(each.action_id, yes(each), CAPTAIN)
    before, done = sql(data_dir, LEDGER), effects(data_dir)
    assert len(done) == count
    _restore(data_dir, backup)
    async with opened_executive(data_dir, pack) as opened:
        await opened.recover()
        for each in shown:
            await _replay(opened, each.decision_id, tally)
            with suppress(Conflict):  # other words under an id that was used
                await opened.executive.submit(
                    message(each.summary, f"e-{each.arguments['valve'].removeprefix('V-')}")
                )
        await opened.recover()
        await opened.tick()
    assert effects(data_dir) == done
    assert sql(data_dir, LEDGER) == before
    assert sql(data_dir, "select distinct standing from decision") == [("recorded",)]


def _restore(data_dir: Path, backup: Path) -> None:
    for file in data_dir.glob(f"{FILE}*"):
        file.unlink()
    shutil.copy(backup, data_dir / FILE)


LEDGER = "select action_id, state, fence, started_at, finished_at from ledger_action order by 1"


async def _replay(opened: Opened, decision_id: str, tally: Tally) -> None:
    config = opened.config(decision_id)
    for old in [each.config async for each in opened.flow.aget_state_history(config)]:
        for given in (None, Command(resume=True), Command(resume="yes"), Command(goto="act")):
            with suppress(Exception):  # a thread that cannot go on is as good
                await opened.flow.ainvoke(given, old)
            tally.add("runs from restored checkpoints")
