"""A process that imports a conversation and says what is kept; to be killed. Also its encoder."""

import asyncio
import os
import signal
import sys
from collections.abc import Sequence
from datetime import UTC, datetime
from hashlib import sha256
from pathlib import Path

import numpy as np

from state.journal import DecisionLink, JournalMessage
from state.reader import whole
from tools.adapters.embedding.embedder import Vectors, unit
from tools.adapters.vector_index.chroma import FOLDER, ChromaIndex
from tools.adapters.vector_index.indexer import Indexer
from tools.journal.detection.detector import Detector
from tools.journal.journal import Journal
from tools.journal.search.search import JournalSearch
from tools.journal.store.entry_rows import OF_DECISIONS
from tools.journal.store.store import JournalStore
from tools.storage.database import Database

CONVERSATION = 200
"""How many decisions it takes."""
_PLACES = ("pier", "quay", "lock", "buoy", "mole", "dock", "ramp", "crane")


class Hashed:
    """Puts every text somewhere, always at the same place."""

    name = "hashed"
    dimensions = 8

    def embed(self, texts: Sequence[str]) -> Vectors:
        """Take the place from the text's hash."""
        rows = [np.frombuffer(sha256(one.encode()).digest()[:8], np.uint8) + 1.0 for one in texts]
        return unit(np.array(rows))


class Standing:
    """A clock that stands still."""

    def now(self) -> datetime:
        return datetime(2026, 1, 1, tzinfo=UTC)


class _KilledBetween(Journal):
    """Is killed once a decision is kept and nobody has looked what it replaces."""

    async def compare(self, tenant_id: str) -> list[DecisionLink]:
        if "Valkey" in (await self.store.all(whole(tenant_id)))[-1].decision:
            os.kill(os.getpid(), signal.SIGKILL)
        return await super().compare(tenant_id)


async def replace_and_die(folder: Path) -> None:
    """Keep two decisions, of which the second replaces the first, and be killed between."""
    folder.mkdir(parents=True, exist_ok=True)  # noqa: ASYNC240  # nothing else runs yet
    database = Database(f"sqlite:///{folder / 'prefrontal.sqlite'}")
    journal = _KilledBetween(
        JournalSearch(JournalStore(database, Hashed()), 0.4), Detector(0.7), Standing()
    )
    for number, content in enumerate(
        ("We decided to use Redis for sessions.", "We decided to replace Redis with Valkey.")
    ):
        said = JournalMessage(message_id=f"m{number}", speaker="ann", content=content)
        await journal.take([said], [], "default")


def indexing_of(database: Database, folder: Path) -> Indexer:
    """Index decisions in the folder, without waiting for anything to calm down."""
    return Indexer(database, ChromaIndex(folder / FOLDER), (OF_DECISIONS,), calm_seconds=0)


async def _index(indexing: Indexer) -> None:
    while True:
        await indexing.feed()
        await asyncio.sleep(0.01)


async def _import(folder: Path, first: int = 0) -> None:
    database = Database(f"sqlite:///{folder / 'prefrontal.sqlite'}")
    indexing = indexing_of(database, folder)
    await indexing.compare()  # opens it, so that whoever kills us hits its writes too
    fed = asyncio.create_task(_index(indexing))
    journal = Journal(
        JournalSearch(JournalStore(database, Hashed()), 0.4), Detector(0.7), Standing()
    )
    for number in range(first, first + CONVERSATION):
        place = _PLACES[number % len(_PLACES)]
        said = JournalMessage(
            message_id=f"m{number}",
            session_id=f"s{number}",
            speaker="ann",
            content=f"We decided to paint {place} number {number}.",
        )
        taken = await journal.take([said], [], "default")
        sys.stdout.write(f"{taken.messages[0].decision_id}\n")
        sys.stdout.flush()
    fed.cancel()
    await database.close()


if __name__ == "__main__":
    at, *given = sys.argv[1:]
    if given == ["--die"]:
        asyncio.run(replace_and_die(Path(at)))
    else:
        asyncio.run(_import(Path(at), *map(int, given)))
