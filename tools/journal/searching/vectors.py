"""What decisions mean, as vectors in our tables, in the transaction of the row itself."""

from sqlalchemy import Connection, delete
from sqlalchemy.dialects.sqlite import insert

from state.journal import Decision
from tools.embedding.embedder import Vectors
from tools.storage.tables.journal import journal_entry, journal_vector
from tools.vector_index.vector_table import VectorTable

PARTS = 2
OF_DECISIONS = VectorTable("journal", journal_entry, journal_vector, "entry_id", PARTS)
_MOST_CHARACTERS = 1_500
"""Of one part: the encoder reads about as many."""


def parts_of(decision: Decision) -> tuple[str, ...]:
    """Give what is embedded: what was decided, and why."""
    why = " ".join(filter(None, (decision.context, decision.rationale)))
    what = f"{decision.title}. {decision.decision}"
    return tuple(part[:_MOST_CHARACTERS] for part in (what, f"{decision.title}. {why}"))


def put_vectors(connection: Connection, entry_id: int, encoder: str, vectors: Vectors) -> None:
    """Keep an entry's vectors in place of those it had with this encoder."""
    connection.execute(
        delete(journal_vector).where(
            journal_vector.c.entry_id == entry_id, journal_vector.c.encoder == encoder
        )
    )
    rows = [
        {"entry_id": entry_id, "encoder": encoder, "part": part, "vector": vector.tobytes()}
        for part, vector in enumerate(vectors)
    ]
    connection.execute(insert(journal_vector), rows)
