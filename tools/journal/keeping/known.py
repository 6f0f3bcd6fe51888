"""What is on record of a decision that comes again, and whether that stands."""

from sqlalchemy import Connection, Row, select

from state.journal import Decision
from tools.journal.keeping.link_rows import links_of, with_links
from tools.journal.records.importing import is_ours
from tools.storage.tables.journal import journal_entry


def as_linked(connection: Connection, decision: Decision) -> Decision:
    """Keep what accepted links say of a decision that is read again."""
    return with_links(decision, links_of(connection, decision.tenant_id, (decision.id,)))


def stays(known: Row[tuple[object]], decision: Decision) -> bool:
    """Tell whether what is known stands: it is the same, or ours and brought back by an import."""
    before = Decision.model_validate(known.body)
    is_back = decision.imported_by is not None and is_ours(before)
    return is_back or before == decision.model_copy(update={"imported_by": before.imported_by})


def is_kept(connection: Connection, decision: Decision) -> bool:
    """Tell whether it need not be written again."""
    known = row_on_record(connection, decision)
    return known is not None and stays(known, decision)


def row_on_record(connection: Connection, decision: Decision) -> Row[tuple[object]] | None:
    """Read its row, by tenant and id."""
    query = select(journal_entry.c.body).where(
        journal_entry.c.tenant_id == decision.tenant_id, journal_entry.c.id == decision.id
    )
    return connection.execute(query).first()
