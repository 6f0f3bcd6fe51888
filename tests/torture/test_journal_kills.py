"""Killed in the middle of an import: nothing is lost or there twice, and the index follows."""

import asyncio
import random
import subprocess
import sys
from pathlib import Path

from state.reader import whole
from tests.tools.journal.importing import CONVERSATION, Hashed, Standing, indexing_of
from tests.torture.counts import few_or_many
from tests.torture.tally import Tally
from tools.journal.detection.detector import Detector
from tools.journal.journal import Journal
from tools.journal.search.search import JournalSearch
from tools.journal.store.entry_rows import PARTS
from tools.journal.store.store import JournalStore
from tools.storage.database import Database

LONGEST_SECONDS = 60
_NEW = 20
"""Messages by which each import goes further than the one before."""


@few_or_many(2, 100)
async def test_killed_imports_lose_nothing_and_double_nothing(
    data_dir: Path, tally: Tally, count: int
) -> None:
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
