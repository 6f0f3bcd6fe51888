"""Rules for imported decisions: dates, importer, and entries that are stored already.

Dates in the future are refused, or repaired in rows; the importer is named beside the
makers.
"""

from collections.abc import Iterable, Iterator
from datetime import UTC, datetime, timedelta

from sqlalchemy import Connection, Row, func, select, update

from state.errors import BadInput
from state.journal import Decision, JournalMessage
from tools.journal.store.link_rows import apply_links, links_of
from tools.storage.tables.journal import journal_entry

TERMINAL = "terminal"
"""Who imports at a command line: whoever may open the folder, and nobody by name."""


def refuse_future_dates(
    messages: Iterable[JournalMessage], decisions: Iterable[Decision], now: datetime, days: float
) -> None:
    """Refuse what says that it was said in a future that no other clock explains.

    It would be the newest there is for ever, and with it in force.

    Raises:
        BadInput: one is dated so, and which.
    """
    latest = now + timedelta(days=days)
    for name, at in _dated(messages, decisions):
        if at is not None and at > latest:
            raise BadInput(
                f"{name}: dated {at:%Y-%m-%d %H:%M}, and it is {now:%Y-%m-%d %H:%M}; give the "
                "time it was said, or none"
            )


def mark_imported(decisions: Iterable[Decision], who: str) -> list[Decision]:
    """Mark decisions as imported: whom they name, and where they were heard, is said by `who`."""
    marked = {"imported_by": who, "heard_in": None}
    return [one.model_copy(update=marked) for one in decisions]


def is_own_entry(decision: Decision) -> bool:
    """Tell whether the Executive wrote it down itself, of a message it heard or what it did."""
    has_seen = decision.origin == "action" or decision.heard_in is not None
    return decision.imported_by is None and has_seen


def _dated(
    messages: Iterable[JournalMessage], decisions: Iterable[Decision]
) -> Iterator[tuple[str, datetime | None]]:
    yield from ((f"message {one.message_id}", one.timestamp) for one in messages)
    yield from ((one.source or f"decision {one.id}", one.timestamp) for one in decisions)


_dated_at = journal_entry.c.decided_at


def count_future_dates(connection: Connection, latest: float) -> int:
    """Count decisions dated later than can be, of every tenant."""
    return connection.scalar(select(func.count()).where(_dated_at > latest)) or 0


def repair_future_dates(connection: Connection, latest: float) -> int:
    """Take such a date from what was imported, and put what we heard at when it came; count them.

    An import refuses them today; these came before it did.
    """
    entry = journal_entry.c
    rows = connection.execute(
        select(entry.entry_id, entry.body, entry.recorded_at).where(_dated_at > latest)
    ).all()
    for row in rows:
        made = Decision.model_validate(row.body)
        at = row.recorded_at if is_own_entry(made) else None
        moment = None if at is None else datetime.fromtimestamp(at, UTC)
        dated = made.model_copy(update={"timestamp": moment})
        values = {"decided_at": at, "body": dated.model_dump(mode="json")}
        connection.execute(
            update(journal_entry).where(entry.entry_id == row.entry_id).values(values)
        )
    return len(rows)


def with_linked_status(connection: Connection, decision: Decision) -> Decision:
    """Keep what accepted links say of a decision that is read again."""
    return apply_links(decision, links_of(connection, decision.tenant_id, (decision.id,)))


def stored_entry_stands(known: Row[tuple[object]], decision: Decision) -> bool:
    """Tell whether what is known stands: it is the same, or ours and brought back by an import."""
    before = Decision.model_validate(known.body)
    is_back = decision.imported_by is not None and is_own_entry(before)
    return is_back or before == decision.model_copy(update={"imported_by": before.imported_by})


def needs_no_write(connection: Connection, decision: Decision) -> bool:
    """Tell whether it need not be written again."""
    known = stored_row(connection, decision)
    return known is not None and stored_entry_stands(known, decision)


def stored_row(connection: Connection, decision: Decision) -> Row[tuple[object]] | None:
    """Read its row, by tenant and id."""
    query = select(journal_entry.c.body).where(
        journal_entry.c.tenant_id == decision.tenant_id, journal_entry.c.id == decision.id
    )
    return connection.execute(query).first()
