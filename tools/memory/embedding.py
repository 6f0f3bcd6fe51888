"""What was said, as vectors in our tables, beside the words and gone with them."""

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass, field

from sqlalchemy import Connection, func, select
from sqlalchemy.dialects.sqlite import insert

from state.errors import EncoderUnavailable
from tools.embedding.embedder import Embedder, Vectors
from tools.storage.database import Database
from tools.storage.tables.memory import memory_entry, memory_vector
from tools.vector_index.vector_table import VectorTable

OF_UTTERANCES = VectorTable("memory", memory_entry, memory_vector, "entry_id")
AT_ONCE = 100
_Row = tuple[int, str]


@dataclass
class UtteranceVectors:
    """Embeds what was said a little after it, so that nobody waits for an encoder."""

    database: Database
    encoder: Embedder | None
    _until: int = field(default=0, init=False)
    """Everything up to this entry was looked at."""

    async def catch_up(self) -> int:
        """Embed some of what has no vector yet; tell how many. It waits for a resting encoder."""
        if self.encoder is None:
            return 0
        name = self.encoder.name
        rows = await self.database.read(lambda one: self._lacking(one, name))
        if not rows:
            return 0
        try:
            texts = [text for _entry, text in rows]
            vectors = await asyncio.to_thread(self.encoder.embed, texts)
        except EncoderUnavailable:
            return 0
        await self.database.write(lambda one: _put(one, name, rows, vectors))
        self._until = rows[-1][0]
        return len(rows)

    def _lacking(self, connection: Connection, encoder: str) -> Sequence[_Row]:
        newest = connection.scalar(select(func.max(memory_entry.c.entry_id))) or 0
        self._until = min(self._until, newest)  # numbers are given again once the newest went
        has = memory_vector.c.entry_id == memory_entry.c.entry_id
        query = (
            select(memory_entry.c.entry_id, memory_entry.c.text)
            .where(
                memory_entry.c.entry_id > self._until,
                ~select(memory_vector.c.entry_id)
                .where(has, memory_vector.c.encoder == encoder)
                .exists(),
            )
            .order_by(memory_entry.c.entry_id)
            .limit(AT_ONCE)
        )
        rows = [(row.entry_id, row.text) for row in connection.execute(query)]
        if not rows:
            self._until = newest
        return rows


def _put(connection: Connection, encoder: str, rows: Sequence[_Row], vectors: Vectors) -> None:
    """Keep vectors of what is there still, as it was: somebody may have had it forgotten."""
    texts = select(memory_entry.c.entry_id, memory_entry.c.text).where(
        memory_entry.c.entry_id.in_([entry for entry, _text in rows])
    )
    there = {(row.entry_id, row.text) for row in connection.execute(texts)}
    kept = [
        {"entry_id": row[0], "encoder": encoder, "vector": vector.tobytes()}
        for row, vector in zip(rows, vectors, strict=True)
        if row in there
    ]
    if kept:
        connection.execute(insert(memory_vector).on_conflict_do_nothing(), kept)
