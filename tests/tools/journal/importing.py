"""A process that imports a conversation and says what is kept; to be killed. Also its encoder."""

import asyncio
import sys
from collections.abc import Sequence
from datetime import UTC, datetime
from hashlib import sha256
from pathlib import Path

import numpy as np

from state.journal import JournalMessage
from tools.embedding.embedder import Vectors, unit
from tools.journal.detector import Detector
from tools.journal.journal import Journal
from tools.journal.search import JournalSearch
from tools.journal.store import JournalStore
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


class _Standing:
    def now(self) -> datetime:
        return datetime(2026, 1, 1, tzinfo=UTC)


async def _import(folder: Path) -> None:
    database = Database(f"sqlite:///{folder / 'prefrontal.sqlite'}")
    journal = Journal(
        JournalSearch(JournalStore(database, Hashed()), 0.4), Detector(0.7), _Standing()
    )
    for number in range(CONVERSATION):
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
    await database.close()


if __name__ == "__main__":
    asyncio.run(_import(Path(sys.argv[1])))
