"""A decision as its row, and as its vectors."""

from collections.abc import Iterator, Sequence

from sqlalchemy import Connection, delete, select, update

from state.errors import EncoderUnavailable
from state.journal import Decision
from tools.embedding.embedder import Embedder, Vectors
from tools.journal.searching.vectors import PARTS, parts_of
from tools.storage.tables.journal import (
    journal_entry,
    journal_person,
    journal_said,
    journal_vector,
)


def row_of(decision: Decision, recorded_at: float) -> dict[str, object]:
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


def kept_decision(connection: Connection, decision_id: str, tenant_id: str) -> Decision | None:
    """Read a decision inside a transaction; None: this tenant has none of that id."""
    query = select(journal_entry.c.body).where(
        journal_entry.c.tenant_id == tenant_id, journal_entry.c.id == decision_id
    )
    body = connection.scalar(query)
    return None if body is None else Decision.model_validate(body)


def restate(connection: Connection, decision: Decision) -> None:
    """Write down how a kept decision stands now; what it means, and its vectors, stay."""
    row = row_of(decision, 0.0)
    statement = (
        update(journal_entry)
        .where(journal_entry.c.tenant_id == decision.tenant_id, journal_entry.c.id == decision.id)
        .values({name: row[name] for name in ("status", "details", "body")})
    )
    connection.execute(statement)


def restate_emptied(connection: Connection, decision: Decision) -> None:
    """Write down what is left of a decision; people, vectors and messages go with its words."""
    row = row_of(decision, 0.0)
    is_it = (journal_entry.c.tenant_id == decision.tenant_id) & (journal_entry.c.id == decision.id)
    kept = ("decision", "reasons", "details", "body")
    changed = update(journal_entry).where(is_it).values({name: row[name] for name in kept})
    entry = connection.scalar(changed.returning(journal_entry.c.entry_id))
    for table in (journal_person, journal_vector, journal_said):
        connection.execute(delete(table).where(table.c.entry_id == entry))


def embedded(encoder: Embedder | None, decisions: Sequence[Decision]) -> list[Vectors] | None:
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
