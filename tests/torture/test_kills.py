"""Killed at any moment: nothing half done, nothing twice."""

import asyncio
import random
import shutil
import subprocess
import sys
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from state.reader import whole
from tests.safety.benches import CAPTAIN, sql, yes
from tests.safety.breaking import AT_ONCE, BURSTS, signal_of
from tests.safety.dying import ACKNOWLEDGED
from tests.safety.executives import opened_executive
from tests.safety.nursery import Nursery
from tests.safety.valves import effects
from tests.tools.journal.importing import CONVERSATION, Hashed, Standing, indexing_of
from tests.torture.counts import few_or_many
from tests.torture.tally import Tally
from tools.adapters.embedding.vector_cache import VectorCache
from tools.gate.ledger.audit import audit
from tools.journal.detection.detector import Detector
from tools.journal.journal import Journal
from tools.journal.search.search import JournalSearch
from tools.journal.store.entry_rows import PARTS
from tools.journal.store.store import JournalStore
from tools.storage.database import Database

# Killed within a transaction or whenever, in a race: no half approval, nothing twice or lost.

WITHIN = {
    "propose": ("insert ledger_action", "ask", 1),
    "approve": ("insert ledger_approval", "approve", 1),
    "journal write of a question": ("insert ledger_entry", "ask", 1),
    "journal write of a yes": ("insert ledger_entry", "approve", 1),
    "journal write of an approval": ("insert ledger_entry", "approve", 2),
}
"""What is being written, where it dies and while doing what: after the row, before its commit."""
HALVES = """
select a.action_id from ledger_action a where
  (a.execution_class <> 'A' and a.state in ('approved', 'started', 'succeeded') and not exists (
    select 1 from ledger_approval v where v.action_id = a.action_id and v.decision = 'approve'))
  or (a.state = 'pending' and a.quorum = 1 and exists (
    select 1 from ledger_approval v where v.action_id = a.action_id and v.decision = 'approve'))
  or not exists (select 1 from ledger_entry e where e.action_id = a.action_id)
"""
RUNS = 100
"""Kills of one data folder, one after the other."""
SHARDS = 20


@few_or_many(1, 200)
@pytest.mark.parametrize("step", WITHIN)
async def test_killed_within_a_transaction_nothing_is_half_written(
    nursery: Nursery, fresh: Path, pack: Path, tmp_path: Path, tally: Tally, step: str, count: int
):
    place, story, nth = WITHIN[step]
    for turn in range(count):
        folder = shutil.copytree(fresh, tmp_path / f"data-{turn}")
        plan = {"data_dir": str(folder), "pack": str(pack), "place": place, "nth": nth}
        assert nursery.run({**plan, "story": story}).is_killed
        tally.add(f"kills in {step}")
        assert sql(folder, HALVES) == []
        assert sql(folder, "select * from ledger_approval") == []
        async with opened_executive(folder, pack) as opened:
            await opened.recover()
            assert (await audit(opened.box.database, {})).report.faults == ()
            shown = await opened.asked()
            assert (shown.state, shown.approvals) == ("pending", 0)
            done = await opened.executive.approvals.answer(shown.action_id, yes(shown), CAPTAIN)
            assert done.state == "succeeded"
            assert (await audit(opened.box.database, {})).report.faults == ()
        assert sql(folder, "select state from ledger_action") == [("succeeded",)]
        assert len(effects(folder)) == 1
        shutil.rmtree(folder)


async def test_eight_clients_killed_whenever_a_few_times(
    nursery: Nursery, data_dir: Path, pack: Path, tally: Tally
):
    await _kill_often(nursery, data_dir, pack, tally, range(3))


@pytest.mark.torture
@pytest.mark.parametrize("shard", range(SHARDS))
async def test_eight_clients_killed_whenever_two_thousand_times(
    nursery: Nursery, data_dir: Path, pack: Path, tally: Tally, shard: int
):
    """A hundred kills of one folder in each of twenty parts; each start finishes what was left."""
    await _kill_often(nursery, data_dir, pack, tally, range(shard * RUNS, shard * RUNS + RUNS))


async def _kill_often(
    nursery: Nursery, data_dir: Path, pack: Path, tally: Tally, seeds: range
) -> None:
    for seed in seeds:
        plan = {"data_dir": str(data_dir), "pack": str(pack), "place": "whenever"}
        assert nursery.run({**plan, "story": "race", "seed": seed}).is_killed
        tally.add("kills at random, in a race")
        _assert_nothing_twice(data_dir)
    async with opened_executive(data_dir, pack) as opened:
        await opened.recover()
        await opened.recover()
        assert (await audit(opened.box.database, {})).report.faults == ()
    _assert_nothing_twice(data_dir)
    standing = dict(sql(data_dir, "select event_id, standing from decision"))
    acknowledged = (data_dir / ACKNOWLEDGED).read_text("utf-8").split()
    assert acknowledged
    assert set(acknowledged) <= set(standing)
    assert set(standing.values()) <= {"recorded", "waiting"}
    waiting = "select count(*) from decision where standing = 'waiting'"
    pending = "select count(*) from ledger_action where state = 'pending'"
    assert sql(data_dir, waiting) == sql(data_dir, pending)
    tally.add("events acknowledged in a race", len(set(acknowledged)))


def _assert_nothing_twice(data_dir: Path) -> None:
    ran = Counter(
        str(each["action_id"]) for each in effects(data_dir) if each["action"] != "read_gauge"
    )
    assert set(ran.values()) <= {1}
    query = "select action_id, state from ledger_action where action <> 'read_gauge'"
    states = {str(action): str(state) for action, state in sql(data_dir, query)}
    assert set(ran) <= {each for each, state in states.items() if state in RAN}
    assert {each for each, state in states.items() if state == "succeeded"} <= set(ran)
    assert sql(data_dir, HALVES) == []


RAN = ("started", "succeeded", "unknown")


# Killed while a break tells what waited: nothing is lost, nothing is told twice.

ENDINGS = "select outcome from decision where event_id like 'w-%'"
WAITS = "select decision_id from hold"
FEW = (2, 3)
LAST = 8
"""Transactions from the break on; a later one is never reached."""


@pytest.mark.parametrize("place", ["begin", "commit"])
@pytest.mark.parametrize(
    "nth",
    [
        pytest.param(nth, marks=() if nth in FEW else pytest.mark.torture)
        for nth in range(1, LAST + 1)
    ],
)
async def test_killed_at_a_break_each_is_told_once(
    nursery: Nursery, fresh: Path, pack: Path, tmp_path: Path, tally: Tally, place: str, nth: int
):
    folder = shutil.copytree(fresh, tmp_path / "data")
    plan = {"data_dir": str(folder), "pack": str(pack), "place": place, "nth": nth}
    tally.add("kills at a break", int(nursery.run({**plan, "story": "break"}).is_killed))
    async with opened_executive(folder, pack) as opened:
        await opened.recover()
        if sql(folder, WAITS):  # the break itself was lost before it was accepted: it comes again
            await opened.executive.submit(signal_of("over", signal="call_ended"))
            await opened.executive.resume_unfinished()
    outcomes = Counter(outcome for (outcome,) in sql(folder, ENDINGS))
    assert outcomes == {"spoke": 1, "merged": 2}
    assert sql(folder, WAITS) == []


# Killed while a burst is taken and folded: what was acknowledged is decided, and once.

RECORDS = """
select event_id, standing, outcome, json_extract(record, '$.reason') as reason
from decision where event_id like 'b-%'
"""
JUDGED = "select decision_id from decision where outcome <> 'merged'"
FEW_KILLED_BURSTS = (4,)
LAST_KILLED_BURSTS = 14
"""Write transactions of three bursts; a later one is never reached."""


@pytest.mark.parametrize("place", ["begin", "commit"])
@pytest.mark.parametrize(
    "nth",
    [
        pytest.param(nth, marks=() if nth in FEW_KILLED_BURSTS else pytest.mark.torture)
        for nth in range(1, LAST_KILLED_BURSTS + 1)
    ],
)
async def test_killed_in_a_burst_nothing_acknowledged_is_lost(
    nursery: Nursery, fresh: Path, pack: Path, tmp_path: Path, tally: Tally, place: str, nth: int
):
    folder = shutil.copytree(fresh, tmp_path / "data")
    plan = {"data_dir": str(folder), "pack": str(pack), "place": place, "nth": nth}
    died = nursery.run({**plan, "story": "burst"})
    tally.add("kills in a burst", int(died.is_killed))
    known = folder / ACKNOWLEDGED
    acknowledged = set(known.read_text("utf-8").split()) if known.exists() else set()
    async with opened_executive(folder, pack) as opened:
        await opened.recover()
    records = sql(folder, RECORDS)
    assert {standing for _name, standing, _outcome, _reason in records} <= {"recorded"}
    assert acknowledged <= {name for name, *_rest in records}
    if not died.is_killed:
        assert len(acknowledged) == BURSTS * AT_ONCE
    judged = {decision_id for (decision_id,) in sql(folder, JUDGED)}
    folded = [reason for _name, _standing, outcome, reason in records if outcome == "merged"]
    assert {reason.removeprefix("folded_into:") for reason in folded} <= judged
    said = Counter(outcome for _name, _standing, outcome, _reason in records)
    assert said["spoke"] <= BURSTS
    tally.add("events of killed bursts, folded", len(folded))


# Killed in the middle of an import: nothing is lost or there twice, and the index follows.

LONGEST_SECONDS = 60
_NEW = 20
"""Messages by which each import goes further than the one before."""


@few_or_many(2, 100)
async def test_killed_imports_lose_nothing_and_double_nothing(
    data_dir: Path, tally: Tally, count: int
):
    chance = random.Random(7)
    told: set[str] = set()
    for turn in range(count):
        first, acknowledged = turn * _NEW, chance.randint(0, 60)
        told |= await asyncio.to_thread(_killed_after, data_dir, first, acknowledged)
        tally.add("kills of an import")
        database = Database(f"sqlite:///{data_dir / 'prefrontal.sqlite'}")
        store = JournalStore(database, Hashed())
        kept = [one.id for one in await store.all(whole("default"))]
        drift = await store.drift()
        await Journal(JournalSearch(store, 0.4), Detector(0.7), Standing()).catch_up()
        assert await store.not_compared() == []
        indexing = indexing_of(database, data_dir)
        await indexing.feed()
        index = await indexing.compare()
        await indexing.close()
        await database.close()
        assert (index.vectors, index.is_whole) == (PARTS * len(kept), True), index
        assert len(kept) == len(set(kept))
        assert told <= set(kept), f"lost after kill {turn}"
        assert (drift.text_is_whole, drift.without_vectors) == (True, 0)
    assert len(told) <= CONVERSATION + count * _NEW


def _killed_after(folder: Path, first: int, acknowledged: int) -> set[str]:
    """Import in a process of its own, kill it after so many acknowledgements, tell which."""
    command = [sys.executable, "-m", "tests.tools.journal.importing", str(folder), str(first)]
    folder.mkdir(parents=True, exist_ok=True)
    told: set[str] = set()
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        for line in process.stdout:
            told.add(line.strip())
            if len(told) > acknowledged:
                break
        process.kill()
        told |= {line.strip() for line in process.stdout if line.endswith("\n")}
        process.wait(LONGEST_SECONDS)
    return told


# The cache of vectors under kill -9 and under somebody who writes over it: nobody fails.

WRITERS = 2
MOST = 100_000

_WRITE = """
import sys
from pathlib import Path
import numpy as np
from tools.adapters.embedding import vector_cache
vector_cache._WAIT_SECONDS = 30  # on a busy machine the other one may take its time
kept = vector_cache.VectorCache(Path(sys.argv[1]), most=100_000)
for number in range(int(sys.argv[3])):
    text = f"{sys.argv[2]} {number}"
    kept.write("model", {text: np.full(384, number, np.float32)})
    kept.read("model", [f"{sys.argv[2]} {number // 2}"])
    print(text, flush=True)
"""


@contextmanager
def writing(file: Path, name: str, times: int) -> Iterator[subprocess.Popen[str]]:
    command = [sys.executable, "-c", _WRITE, str(file), name, str(times)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        try:
            yield process
        finally:
            process.kill()


def lines(process: subprocess.Popen[str], count: int) -> list[str]:
    """Wait for some lines of a process."""
    assert process.stdout is not None
    return [process.stdout.readline().strip() for _line in range(count)]


def last_line(process: subprocess.Popen[str]) -> str:
    """Wait for the end of a process."""
    assert process.stdout is not None
    *_, last = process.stdout
    assert process.wait(60) == 0
    return last.strip()


@few_or_many(1, 30)
def test_what_a_killed_process_kept_is_there(tmp_path: Path, tally: Tally, count: int):
    file, told = tmp_path / "vectors.sqlite", list[str]()
    for kill in range(count):
        with (
            writing(file, f"{kill} first", 100_000) as first,
            writing(file, f"{kill} second", 100_000) as second,
        ):
            for process in (first, second):
                told += lines(process, random.Random(kill).randint(1, 60))
            first.kill()
            second.kill()
        tally.add("kills while vectors are kept", WRITERS)
    kept = VectorCache(file, most=MOST)
    found = kept.read("model", told)
    kept.close()
    assert set(told) == set(found)
    assert all((found[text] == float(text.split()[-1])).all() for text in told)
    assert not file.with_suffix(".damaged").exists()


@few_or_many(1, 30)
def test_a_file_written_over_stops_nobody(tmp_path: Path, tally: Tally, count: int):
    for attempt in range(count):
        file = tmp_path / f"vectors-{attempt}.sqlite"
        chance = random.Random(attempt)
        with writing(file, "first", 150) as first, writing(file, "second", 150) as second:
            lines(first, chance.randint(20, 80))
            with file.open("r+b") as raw:
                raw.seek(chance.choice([0, 20, 4096]))
                raw.write(chance.randbytes(20_000))
            assert [last_line(process) for process in (first, second)] == [
                "first 149",
                "second 149",
            ]
        tally.add("caches written over while in use")
