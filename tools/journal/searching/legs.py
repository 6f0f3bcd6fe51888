"""The two ways a question is looked up: by its words in FTS5, by its meaning among the vectors."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import islice
from typing import Any

from sqlalchemy import (
    BindParameter,
    Column,
    ColumnElement,
    Connection,
    Float,
    String,
    and_,
    column,
    func,
    literal_column,
    or_,
    select,
    table,
)
from sqlalchemy.sql import Select

from state.journal import DecisionFilters
from state.reader import Reader
from tools.journal.extracting.people import folded
from tools.journal.searching.naming import naming
from tools.journal.searching.terms import match_of
from tools.storage.readable import readable
from tools.storage.tables.journal import journal_entry, journal_person
from tools.vector_index.vector_table import numbers

MOST_HITS = 100
FIRST_LOOK = 400
"""Entries that are looked at one by one before all that filters let through are listed."""
FEW = 1_000
"""Entries whose meanings are compared one by one: that takes no longer than to ask the index."""
journal_text = table("journal_text", column("rowid"))
_SNIPPET = literal_column("snippet(journal_text, -1, '‹', '›', '…', 24)", String)
_RANK = literal_column("bm25(journal_text, 4.0, 2.0, 1.0, 0.5)", Float)


@dataclass(frozen=True)
class Allowed:
    """What is readable and filters let through: asked of some entries, or listed once for many."""

    connection: Connection
    reader: Reader
    filters: DecisionFilters

    @cached_property
    def where(self) -> ColumnElement[bool]:
        """Give the condition for entries that are named beside it."""
        return where_of(self.reader, self.filters)

    @cached_property
    def all(self) -> frozenset[int]:
        """List every entry; asked for where filters are narrow, so that these are few."""
        where = where_of(self.reader, self.filters, by_index=True)
        query = select(journal_entry.c.entry_id).where(where)
        return frozenset(self.connection.scalars(query).all())

    @property
    def is_narrowed(self) -> bool:
        """Tell whether anything of the tenant is left out."""
        return is_narrowed(self.filters) or bool(self.reader.closed)

    @cached_property
    def is_few(self) -> bool:
        """Tell whether few entries are of the tenant and the time; only the index is looked at."""
        entry, filters = journal_entry.c, self.filters
        some: Select[Any] = select(literal_column("1")).where(
            entry.tenant_id == self.reader.tenant_id
        )
        if filters.since is not None:
            some = some.where(entry.decided_at >= filters.since.timestamp())
        if filters.until is not None:
            some = some.where(entry.decided_at < filters.until.timestamp())
        count = select(func.count()).select_from(some.limit(FEW + 1).subquery())
        return (self.connection.scalar(count) or 0) <= FEW

    @property
    def looks(self) -> tuple[int, ...]:
        """Tell how many are looked at before all are listed; what is closed comes on top."""
        return (FIRST_LOOK, 4 * FIRST_LOOK) if self.reader.closed else (FIRST_LOOK,)

    @property
    def is_listed(self) -> bool:
        """Tell whether the list was needed already."""
        return "all" in self.__dict__

    def among(self, entries: Sequence[int]) -> list[int]:
        """Leave of some entries those that are let through, in their order."""
        query = select(journal_entry.c.entry_id).where(_is_among(entries), self.where)
        left = frozenset(self.connection.scalars(query).all())
        return [entry for entry in entries if entry in left]

    def first(self, entries: Iterator[int], most: int) -> list[int]:
        """Take the first ones that are let through; few of them are looked at one by one."""
        found: list[int] = []
        for look in () if self.is_listed else self.looks:
            some = list(islice(entries, look))
            found += self.among(some)
            if len(some) < look or len(found) >= most:
                return found[:most]
        rest = (entry for entry in entries if entry in self.all)
        return [*found, *islice(rest, max(0, most - len(found)))][:most]


def by_words(match: str, allowed: Allowed) -> Mapping[int, float]:
    """Score entries by BM25, higher is better; `match` comes from terms.match_of alone."""
    ranks = select(journal_text.c.rowid.label("entry"), _RANK.label("rank")).where(matches(match))
    scores: dict[int, float] = {}
    with allowed.connection.execute(ranks.order_by("rank")) as rows:

        def ranked() -> Iterator[int]:
            for entry, rank in rows:
                scores[entry] = -rank
                yield entry

        first = allowed.first(ranked(), MOST_HITS)
    return {entry: scores[entry] for entry in first}


def decided_at(connection: Connection, terms: Sequence[str], reader: Reader) -> float | None:
    """Tell when the decision was taken whose title has all these words; the best of several."""
    every = " AND ".join(match_of((term,)) for term in terms)
    query = (
        select(journal_entry.c.decided_at)
        .select_from(
            journal_text.join(journal_entry, journal_entry.c.entry_id == journal_text.c.rowid)
        )
        .where(
            matches(f"title : ({every})"),
            where_of(reader, DecisionFilters()),
            journal_entry.c.decided_at.is_not(None),
        )
        .order_by(_RANK, journal_entry.c.decided_at)
        .limit(1)
    )
    return connection.scalar(query)


def bodies(
    connection: Connection, entries: Sequence[int], where: ColumnElement[bool]
) -> Mapping[int, object]:
    """Read entries, as far as the reader and the filters allow."""
    query: Select[tuple[int, object]] = select(
        journal_entry.c.entry_id, journal_entry.c.body
    ).where(_is_among(entries), where)
    return {row.entry_id: row.body for row in connection.execute(query).all()}


def snippets(connection: Connection, match: str, entries: Sequence[int]) -> Mapping[int, str]:
    """Cut out where the words stand, each between ‹ and ›; entries without any have none."""
    query = select(journal_text.c.rowid, _SNIPPET.label("cut")).where(
        matches(match), journal_text.c.rowid.in_(entries)
    )
    return {row.rowid: " ".join(row.cut.split()) for row in connection.execute(query).all()}


def where_of(
    reader: Reader, filters: DecisionFilters, *, by_index: bool = False
) -> ColumnElement[bool]:
    """Write reader and filters as one condition: it stands inside every query.

    Args:
        reader: whose tenant's entries, without those that are closed to them.
        filters: what else has to hold.
        by_index: the condition alone finds the entries. Where others name them, SQLite must not
            walk all of the tenant's index for a few of them: 45 ms for 20 of 100,000.
    """
    entry = journal_entry.c

    def of(one: Column[Any]) -> ColumnElement[Any]:  # of text or number
        return one if by_index else literal_column(f"+{journal_entry.name}.{one.name}", one.type)

    conditions: list[ColumnElement[bool]] = [
        of(entry.tenant_id) == reader.tenant_id,
        readable(entry.session_id, reader),
    ]
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
    conditions += [naming(one) for one in filters.technologies]
    return and_(*conditions)


def is_narrowed(filters: DecisionFilters) -> bool:
    """Tell whether filters leave anything of what is readable out."""
    return filters != DecisionFilters()


def _is_among(entries: Sequence[int]) -> ColumnElement[bool]:
    return journal_entry.c.entry_id.in_(numbers(entries))


def matches(match: str | BindParameter[str]) -> ColumnElement[bool]:
    """Write what the full-text index has to match; from terms.match_of alone."""
    return literal_column("journal_text").op("MATCH")(match)
