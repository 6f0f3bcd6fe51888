"""Recalling by meaning, while somebody wants to be forgotten."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import numpy as np

from tools.embedding.embedder import Vectors
from tools.memory.recalling import Recalling, Where
from tools.storage.database import Database
from tools.storage.tables.memory import memory_entry

_AT = datetime(2026, 8, 12, tzinfo=UTC).timestamp()


@dataclass
class Interrupted:
    """Embeds everything alike; meanwhile all vectors that were known are forgotten."""

    known: dict[str, Vectors] = field(default_factory=dict)
    dimensions: int = 2
    name: str = "interrupted"

    def embed(self, texts: Sequence[str]) -> Vectors:
        self.known.clear()
        return np.ones((len(texts), 2), np.float32)


async def test_vectors_that_are_forgotten_while_others_are_made_break_no_question(
    data_dir: Path,
) -> None:
    database = Database(f"sqlite:///{data_dir / 'prefrontal.sqlite'}")
    rows: list[dict[str, Any]] = [
        {"decision_id": text, "tenant_id": "default", "session_id": "s", "said_by": "person",
         "at": _AT, "text": text, "about": "", "body": {}}
        for text in ("The tide turns", "The fog lifts")
    ]  # fmt: skip
    await database.write(lambda connection: connection.execute(memory_entry.insert(), rows))
    encoder = Interrupted()
    recalling = Recalling(database, encoder, floor=0.4, known=encoder.known)
    encoder.known["The tide turns"] = np.ones(2, np.float32)
    found = await recalling.about("water", Where("default"), match="")
    await database.close()
    assert {one.text for one in found} == {"The tide turns", "The fog lifts"}
