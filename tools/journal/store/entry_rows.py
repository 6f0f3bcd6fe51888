"""Map a decision to its row and back, with its vectors and the messages it cites."""

from collections.abc import Iterable, Iterator, Mapping, Sequence

from sqlalchemy import Connection, delete, select, update
from sqlalchemy.dialects.sqlite import insert

from state.errors import EncoderUnavailable
from state.journal import Decision, JournalMessage
from tools.adapters import Embedder, Vectors, VectorTable
from tools.storage.tables.journal import journal_entry, journal_person, journal_said, journal_vector

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


def decision_to_row(decision: Decision, recorded_at: float) -> dict[str, object]:
    """Give a decision as its row."""
    return {
        "tenant_id": decision.tenant_id,
        "id": decision.id,
        "session_id": decision.session_id,
        "origin": decision.origin,
        "status": decision.status.value,
        "decided_at": decision.timestamp.timestamp() if decision.timestamp else None,
        "recorded_at": recorded_at,
        "title": decision.title,
        "decision": decision.decision,
        "reasons": "\n".join(filter(None, (decision.context, decision.rationale))),
        "details": "\n".join(_details(decision)),
        "body": decision.model_dump(mode="json"),
        "is_compared": decision.origin == "action",
    }


def read_decision(connection: Connection, decision_id: str, tenant_id: str) -> Decision | None:
    """Read a decision inside a transaction; None: this tenant has none of that id."""
    query = select(journal_entry.c.body).where(
        journal_entry.c.tenant_id == tenant_id, journal_entry.c.id == decision_id
    )
    body = connection.scalar(query)
    return None if body is None else Decision.model_validate(body)


def update_status(connection: Connection, decision: Decision) -> None:
    """Write down how a kept decision stands now; what it means, and its vectors, stay."""
    row = decision_to_row(decision, 0.0)
    statement = (
        update(journal_entry)
        .where(journal_entry.c.tenant_id == decision.tenant_id, journal_entry.c.id == decision.id)
        .values({name: row[name] for name in ("status", "details", "body")})
    )
    connection.execute(statement)


def empty_entry(connection: Connection, decision: Decision) -> None:
    """Write down what is left of a decision; people, vectors and messages go with its words."""
    row = decision_to_row(decision, 0.0)
    is_it = (journal_entry.c.tenant_id == decision.tenant_id) & (journal_entry.c.id == decision.id)
    kept = ("decision", "reasons", "details", "body")
    changed = update(journal_entry).where(is_it).values({name: row[name] for name in kept})
    entry = connection.scalar(changed.returning(journal_entry.c.entry_id))
    for table in (journal_person, journal_vector, journal_said):
        connection.execute(delete(table).where(table.c.entry_id == entry))


def embed_decisions(
    encoder: Embedder | None, decisions: Sequence[Decision]
) -> list[Vectors] | None:
    """Embed decisions; None: there is no encoder, or it is out of order, and `catch_up` will."""
    if encoder is None or not decisions:
        return None
    try:
        rows = encoder.embed([part for one in decisions for part in parts_of(one)])
    except EncoderUnavailable:
        return None
    return [rows[at : at + PARTS] for at in range(0, len(rows), PARTS)]


def _details(decision: Decision) -> Iterator[str]:
    for alternative in decision.alternatives:
        yield " ".join((alternative.option, *alternative.pros, *alternative.cons))
    if decision.trade_offs:
        for texts in decision.trade_offs.model_dump().values():
            yield " ".join(texts)
    yield " ".join((*decision.tags, *decision.related_features, *decision.related_code))
    yield " ".join(decision.stakeholders)
    yield decision.notes


Place = tuple[str, str]
"""A session and the id of a message in it."""


def messages_by_place(messages: Iterable[JournalMessage]) -> Mapping[Place, JournalMessage]:
    """Find messages by where they were said; of two in one place the later counts."""
    return {(one.session_id, one.message_id): one for one in messages}


def store_cited_messages(
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


def read_cited_messages(connection: Connection, decision: Decision) -> list[JournalMessage]:
    """Read the messages that a decision cites, in their order; of older imports there are none."""
    query = (
        select(journal_said.c.message)
        .join(journal_entry)
        .where(journal_entry.c.tenant_id == decision.tenant_id, journal_entry.c.id == decision.id)
        .order_by(journal_said.c.place)
    )
    return [JournalMessage.model_validate(one) for one in connection.scalars(query)]
