"""The messages that entries cite: each is kept beside its entry, and no message that none cites."""

from collections.abc import Iterable, Mapping, Sequence

from sqlalchemy import Connection, select
from sqlalchemy.dialects.sqlite import insert

from state.journal import Decision, JournalMessage
from tools.storage.tables.journal import journal_entry, journal_said

Place = tuple[str, str]
"""A session and the id of a message in it."""


def by_place(messages: Iterable[JournalMessage]) -> Mapping[Place, JournalMessage]:
    """Find messages by where they were said; of two in one place the later counts."""
    return {(one.session_id, one.message_id): one for one in messages}


def keep_said(
    connection: Connection, decisions: Sequence[Decision], messages: Mapping[Place, JournalMessage]
) -> None:
    """Keep what kept decisions cite of some messages, in the order in which these were said."""
    order = {place: number for number, place in enumerate(messages)}
    rows = []
    for one in decisions:
        places = {
            (one.session_id, span.message_id) for spans in one.evidence.values() for span in spans
        }
        entry = connection.scalar(
            select(journal_entry.c.entry_id).where(
                journal_entry.c.tenant_id == one.tenant_id, journal_entry.c.id == one.id
            )
        )
        if entry is not None:
            rows += [
                {"entry_id": entry, "message_id": place[1], "place": order[place]}
                | {"message": messages[place].model_dump(mode="json")}
                for place in places & order.keys()
            ]
    if rows:
        # What was kept first stands: whoever imports the same again may not reword it.
        connection.execute(insert(journal_said).on_conflict_do_nothing(), rows)


def said_of(connection: Connection, decision: Decision) -> list[JournalMessage]:
    """Read the messages that a decision cites, in their order; of older imports there are none."""
    query = (
        select(journal_said.c.message)
        .join(journal_entry)
        .where(journal_entry.c.tenant_id == decision.tenant_id, journal_entry.c.id == decision.id)
        .order_by(journal_said.c.place)
    )
    return [JournalMessage.model_validate(one) for one in connection.scalars(query)]
