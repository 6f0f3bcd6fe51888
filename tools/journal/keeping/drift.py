"""Whether words and meanings in the index are those of the rows, and building them anew."""

from pydantic import Field
from sqlalchemy import Connection, func, select
from sqlalchemy.exc import DatabaseError

from state.noun import Noun
from tools.journal.keeping.dating import count_ahead
from tools.journal.searching.vectors import PARTS
from tools.storage.tables.journal import journal_entry, journal_vector
from tools.vector_index.comparing import IndexState


class Drift(Noun):
    """What is not as the tables say; all zero when the index is whole."""

    entries: int
    without_vectors: int
    text_is_whole: bool
    dated_ahead: int = Field(default=0, description="dated further ahead of our clock than can be")
    dates_mended: int = Field(default=0, description="of those, by this rebuilding")
    index: IndexState | None = Field(
        default=None, description="how the vector index stands to the tables; null: not looked at"
    )


def rebuild_text(connection: Connection) -> None:
    """Build the full-text index from the rows."""
    connection.exec_driver_sql("INSERT INTO journal_text (journal_text) VALUES ('rebuild')")
    connection.exec_driver_sql("INSERT INTO journal_text (journal_text) VALUES ('optimize')")


def lacking(connection: Connection, encoder: str) -> list[int]:
    """List the entries that have not all their vectors of this encoder."""
    complete = (
        select(journal_vector.c.entry_id)
        .where(journal_vector.c.encoder == encoder)
        .group_by(journal_vector.c.entry_id)
        .having(func.count() == PARTS)
    )
    query = select(journal_entry.c.entry_id).where(journal_entry.c.entry_id.not_in(complete))
    return [entry for (entry,) in connection.execute(query).all()]


def drift_of(connection: Connection, encoder: str | None, latest: float) -> Drift:
    """Tell whether text and vectors are those of the rows, and dates as they can be."""
    entries = connection.scalar(select(func.count()).select_from(journal_entry)) or 0
    without = 0 if encoder is None else len(lacking(connection, encoder))
    return Drift(
        entries=entries,
        without_vectors=without,
        text_is_whole=_is_whole(connection),
        dated_ahead=count_ahead(connection, latest),
    )


def _is_whole(connection: Connection) -> bool:
    # Compares the index with the rows; it writes nothing, whatever its form.
    check = "INSERT INTO journal_text (journal_text, rank) VALUES ('integrity-check', 1)"
    try:
        connection.exec_driver_sql(check)
    except DatabaseError:
        return False
    return True
