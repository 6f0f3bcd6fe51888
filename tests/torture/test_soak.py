"""After years the same work takes about as long: a million entries, 100,000 questions waiting."""

import sqlite3
from collections.abc import Awaitable, Callable
from contextlib import closing
from pathlib import Path
from statistics import median
from time import perf_counter

import pytest
from langgraph.checkpoint.sqlite.aio import AsyncSqliteSaver

from graph.execution.maintenance import forget_threads
from tests.safety.benches import CAPTAIN, sql, yes
from tests.safety.executives import Opened, opened_executive
from tests.safety.valves import effects
from tests.torture.soaking import Soak, add_checkpoints
from tests.torture.tally import Tally
from tools.gate.ledger.audit import audit

CYCLES = 9
SLOWER = 3.0
"""A soaked ledger may take so many times as long as a new one, at the median."""
SPARE_SECONDS = 0.05
"""For a machine that does something else in between."""
CHECKPOINTS = "checkpoints.sqlite"


@pytest.mark.parametrize(
    ("entries", "pending", "checkpoints"),
    [
        pytest.param(2_000, 500, 200, id="a little"),
        pytest.param(1_000_000, 100_000, 10_000, id="the whole", marks=pytest.mark.torture),
    ],
)
async def test_a_ledger_that_is_years_old_works_as_on_its_first_day(
    data_dir: Path, pack: Path, tally: Tally, entries: int, pending: int, checkpoints: int
) -> None:
    async with opened_executive(data_dir, pack) as opened:
        open_one = await opened.asked("open valve V-1", "open")
        done_one = await _cycle(opened, "done")
        young = [await _timed(_cycle, opened, f"young-{number}") for number in range(CYCLES)]
        read_young = [await _timed(_read, opened, f"r-young-{number}") for number in range(CYCLES)]
    Soak.of(data_dir, open_one.action_id, done_one).write(pending, entries)
    add_checkpoints(data_dir / CHECKPOINTS, open_one.decision_id, checkpoints)
    assert sql(data_dir, "select count(*) from ledger_entry")[0][0] >= entries * 0.99
    started = perf_counter()
    async with opened_executive(data_dir, pack) as opened:
        told = {"start": perf_counter() - started}
        old = [await _timed(_cycle, opened, f"old-{number}") for number in range(CYCLES)]
        read_old = [await _timed(_read, opened, f"r-old-{number}") for number in range(CYCLES)]
        assert median(old) < SLOWER * median(young) + SPARE_SECONDS
        assert median(read_old) < SLOWER * median(read_young) + SPARE_SECONDS
        told |= {"cycle": median(old), "cycle, new": median(young)}
        told |= {"read": median(read_old), "read, new": median(read_young)}
        await _tick(opened, "")  # the first counts harm in the whole ledger
        told["second of the pulse"] = await _timed(_tick, opened, "")
        assert told["second of the pulse"] < SLOWER * median(read_old) + SPARE_SECONDS
        told["list"] = await _timed(_list, opened, "")
        settled = await opened.executive.approvals.answer(
            open_one.action_id, yes(open_one), CAPTAIN
        )
        assert settled.state == "succeeded"  # on the thread with all those checkpoints
        assert len(effects(data_dir)) == 2 + 4 * CYCLES
        started = perf_counter()
        audited = (await audit(opened.box.database, {})).report
        told["audit of everything"] = perf_counter() - started
        assert audited.faults == ()
        assert audited.entries >= entries * 0.99
        started = perf_counter()
        assert await _forget(opened, data_dir) > 0
        told["pruning of threads"] = perf_counter() - started
    assert _checkpoints(data_dir, open_one.decision_id) == 0
    tally.add("entries of a soaked ledger", audited.entries)
    tally.add("questions waiting in a soaked ledger", pending)
    print(", ".join(f"{name} {seconds * 1_000:,.1f} ms" for name, seconds in told.items()))


async def _cycle(opened: Opened, name: str) -> str:
    """Ask, say yes, have it done."""
    shown = await opened.asked("open valve V-7", name, user=f"user-{name}", session_id=name)
    settled = await opened.executive.approvals.answer(shown.action_id, yes(shown), CAPTAIN)
    assert settled.state == "succeeded"
    return settled.action_id


async def _read(opened: Opened, name: str) -> None:
    record = await opened.ask("read gauge G-1", name, user=f"user-{name}", session_id=name)
    assert record.outcome == "executed"


async def _tick(opened: Opened, _name: str) -> None:
    await opened.tick()


async def _list(opened: Opened, _name: str) -> None:
    assert len(await opened.executive.approvals.list("aurora")) == 100


async def _timed(
    work: Callable[[Opened, str], Awaitable[object]], opened: Opened, name: str
) -> float:
    started = perf_counter()
    await work(opened, name)
    return perf_counter() - started


async def _forget(opened: Opened, data_dir: Path) -> int:
    """Let eight days pass, and the threads of ended decisions go."""
    sql(data_dir, "update decision set recorded_at = recorded_at - 8 * 86400")
    saver = opened.flow.checkpointer
    assert isinstance(saver, AsyncSqliteSaver)
    return await forget_threads(saver, opened.box.database, 7)


def _checkpoints(data_dir: Path, thread_id: str) -> int:
    with closing(sqlite3.connect(data_dir / CHECKPOINTS)) as connection:
        query = "select count(*) from checkpoints where thread_id = ?"
        return int(connection.execute(query, (thread_id,)).fetchone()[0])
