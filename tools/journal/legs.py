"""The two ways a question is looked up: by its words in FTS5, by its meaning among the vectors."""

import json
from collections.abc import Mapping, Sequence
from typing import Any

from sqlalchemy import (
    Column,
    ColumnElement,
    Connection,
    Float,
    String,
    Subquery,
    and_,
    column,
    func,
    literal_column,
    or_,
    select,
    table,
    text,
)
from sqlalchemy.sql import Select

from state.journal import DecisionFilters
from tools.journal.people import folded
from tools.journal.terms import match_of
from tools.storage.journal_tables import journal_entry, journal_person

MOST_HITS = 100
MOST_RANKED = 10_000
"""Occurrences that are ranked for one question; beyond them the commonest words are left out."""
FEWEST_TERMS = 2
_RANKED_FIRST = 5
"""How many times as many as are wanted are ranked before filters are applied."""
_SPREAD = text(
    "SELECT count(*) FROM (SELECT 1 FROM journal_text WHERE journal_text MATCH :match LIMIT :most)"
)
_text = table("journal_text", column("rowid"))
_SNIPPET = literal_column("snippet(journal_text, -1, '‹', '›', '…', 24)", String)
_RANK = literal_column("bm25(journal_text, 4.0, 2.0, 1.0, 0.5)", Float)


def by_words(
    connection: Connection, match: str, where: ColumnElement[bool], *, most: int = MOST_HITS
) -> Mapping[int, float]:
    """Score entries by BM25, higher is better; `match` comes from terms.match_of alone.

    The best of all are ranked first, without a look at their rows: that takes half the time. Only
    where too few of them are left by the filters does every row take part.
    """
    ranks = select(_text.c.rowid.label("entry"), _RANK.label("rank")).where(_matches(match))
    first = ranks.order_by("rank").limit(_RANKED_FIRST * most).subquery()
    found: Sequence[Any] = connection.execute(_within(first, where, most)).all()  # rows of both
    if len(found) < most and _is_full(connection, match, _RANKED_FIRST * most):
        every = (
            select(journal_entry.c.entry_id.label("entry"), _RANK.label("rank"))
            .select_from(_text.join(journal_entry, journal_entry.c.entry_id == _text.c.rowid))
            .where(_matches(match), where)
            .order_by("rank")
            .limit(most)
        )
        found = connection.execute(every).all()
    return {row.entry: -row.rank for row in found}


def decided_at(connection: Connection, terms: Sequence[str], tenant_id: str) -> float | None:
    """Tell when the decision was taken whose title has all these words; the best of several."""
    every = " AND ".join(match_of((term,)) for term in terms)
    query = (
        select(journal_entry.c.decided_at)
        .select_from(_text.join(journal_entry, journal_entry.c.entry_id == _text.c.rowid))
        .where(
            _matches(f"title : ({every})"),
            where_of(tenant_id, DecisionFilters()),
            journal_entry.c.decided_at.is_not(None),
        )
        .order_by(_RANK, journal_entry.c.decided_at)
        .limit(1)
    )
    return connection.scalar(query)


def rarest(connection: Connection, terms: Sequence[str]) -> tuple[str, ...]:
    """Leave out what stands nearly everywhere: it tells little, and ranking it takes longest.

    Two terms are kept at least. Source: BM25 weighs a word of half the entries at nothing.
    """
    if len(terms) <= FEWEST_TERMS:
        return tuple(terms)
    counts = {term: _spread(connection, term) for term in terms}
    kept: list[str] = []
    seen = 0
    for term in sorted(terms, key=lambda one: counts[one]):
        seen += counts[term]
        if len(kept) >= FEWEST_TERMS and seen > MOST_RANKED:
            break
        kept.append(term)
    return tuple(term for term in terms if term in kept)


def among(
    connection: Connection, entries: Sequence[int], where: ColumnElement[bool]
) -> frozenset[int]:
    """Tell which of some entries filters let through."""
    query = select(journal_entry.c.entry_id).where(_is_among(entries), where)
    return frozenset(connection.scalars(query).all())


def allowed(connection: Connection, where: ColumnElement[bool]) -> frozenset[int]:
    """List the entries that filters let through."""
    return frozenset(connection.scalars(select(journal_entry.c.entry_id).where(where)).all())


def bodies(
    connection: Connection, entries: Sequence[int], where: ColumnElement[bool]
) -> Mapping[int, object]:
    """Read entries, as far as the tenant and the filters allow."""
    query: Select[tuple[int, object]] = select(
        journal_entry.c.entry_id, journal_entry.c.body
    ).where(_is_among(entries), where)
    return {row.entry_id: row.body for row in connection.execute(query).all()}


def snippets(connection: Connection, match: str, entries: Sequence[int]) -> Mapping[int, str]:
    """Cut out where the words stand, each between ‹ and ›; entries without any have none."""
    query = select(_text.c.rowid, _SNIPPET.label("cut")).where(
        _matches(match), _text.c.rowid.in_(entries)
    )
    return {row.rowid: " ".join(row.cut.split()) for row in connection.execute(query).all()}


def where_of(
    tenant_id: str, filters: DecisionFilters, *, by_index: bool = False
) -> ColumnElement[bool]:
    """Write tenant and filters as one condition: it stands inside every query.

    Args:
        tenant_id: whose entries.
        filters: what else has to hold.
        by_index: the condition alone finds the entries. Where others name them, SQLite must not
            walk all of the tenant's index for a few of them: 45 ms for 20 of 100,000.
    """
    entry = journal_entry.c

    def of(one: Column[Any]) -> ColumnElement[Any]:  # of text or number
        return one if by_index else literal_column(f"+{journal_entry.name}.{one.name}", one.type)

    conditions: list[ColumnElement[bool]] = [of(entry.tenant_id) == tenant_id]
    if filters.since is not None:
        conditions.append(of(entry.decided_at) >= filters.since.timestamp())
    if filters.until is not None:
        conditions.append(of(entry.decided_at) < filters.until.timestamp())
    if filters.status is not None:
        conditions.append(entry.status == filters.status.value)
    if filters.session_id is not None:
        conditions.append(entry.session_id == filters.session_id)
    for person in filters.people:
        name = folded(person)
        theirs = select(journal_person.c.entry_id).where(
            or_(
                journal_person.c.name == name,
                journal_person.c.name.startswith(f"{name} ", autoescape=True),
            )
        )
        conditions.append(entry.entry_id.in_(theirs))
    return and_(*conditions)


def is_narrowed(filters: DecisionFilters) -> bool:
    """Tell whether filters leave anything of the tenant out."""
    return filters != DecisionFilters()


def _spread(connection: Connection, term: str) -> int:
    given = {"match": match_of((term,)), "most": MOST_RANKED}
    return connection.scalar(_SPREAD, given) or 0


def _is_among(entries: Sequence[int]) -> ColumnElement[bool]:
    # One parameter, not a thousand: SQLAlchemy takes longer to write those than SQLite to look.
    ids = func.json_each(json.dumps(list(entries))).table_valued("value")
    return journal_entry.c.entry_id.in_(select(ids.c.value))


def _within(first: Subquery, where: ColumnElement[bool], most: int) -> Select[tuple[int, float]]:
    return (
        select(first.c.entry, first.c.rank)
        .select_from(first.join(journal_entry, journal_entry.c.entry_id == first.c.entry))
        .where(where)
        .order_by(first.c.rank)
        .limit(most)
    )


def _matches(match: str) -> ColumnElement[bool]:
    return literal_column("journal_text").op("MATCH")(match)


def _is_full(connection: Connection, match: str, most: int) -> bool:
    count = connection.scalar(_SPREAD, {"match": match, "most": most})
    return count is not None and count >= most
