"""Retrieve journal entries by words (FTS5) and by meaning (vectors), and fuse both rankings."""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, cached_property
from itertools import islice
from typing import Any, Final

from sqlalchemy import (
    BindParameter,
    Column,
    ColumnElement,
    Connection,
    Float,
    Integer,
    String,
    and_,
    bindparam,
    column,
    false,
    func,
    literal_column,
    not_,
    or_,
    select,
    table,
    true,
)
from sqlalchemy.sql import Select

from state.journal import DecisionFilters
from state.reader import Reader
from tools.adapters.vector_index.nearest_neighbours import MOST_LOOKED
from tools.adapters.vector_index.vector_table import id_list
from tools.journal.extraction.attributes import fold_name
from tools.journal.search.entity_names import names_condition
from tools.journal.search.query import match_of
from tools.storage.query_filters import readable
from tools.storage.tables.journal import journal_entry, journal_person

LEXICAL_SHARE: Final = 0.5
"""What the words weigh, the meaning the rest. Source: measured, see docs/explanation/journal.md."""
TITLE_WEIGHT: Final = 0.2
"""What a title counts that is the question's own words, beside 1 of the two. Source: the same."""
STEM: Final = 5
"""Letters that two forms of a word have in common: "migrated", "migration"."""
_K = 60
"""Source: Cormack, Clarke and Büttcher, Reciprocal rank fusion (SIGIR 2009)."""
_WORD = re.compile(r"[^\W_]+")


def fuse_scores(lexical: Mapping[int, float], cosines: Mapping[int, float]) -> Mapping[int, float]:
    """Add both scores, each stretched over 0 to 1 within this question's hits; the best is first.

    An empty ranking weighs nothing: without an encoder the words decide alone.
    """
    if not lexical or not cosines:
        return _ordered(_stretched(lexical or cosines))
    words, meaning = _stretched(lexical), _stretched(cosines)
    entries, share = {*words, *meaning}, LEXICAL_SHARE
    return _ordered(
        {
            entry: share * words.get(entry, 0.0) + (1 - share) * meaning.get(entry, 0.0)
            for entry in entries
        }
    )


def boost_titles(
    scores: Mapping[int, float], titles: Mapping[int, str], terms: tuple[str, ...]
) -> Mapping[int, float]:
    """Order what has a title anew: one that says what is asked, and little else, counts more.

    Words deep in a long text weigh as much to BM25 as they do to nobody who asks for a decision.
    """
    asked = stems(" ".join(terms))

    def share(title: str) -> float:
        own = stems(title)
        return len(asked & own) / len(asked | own) if own else 0.0

    return _ordered(
        {
            entry: (scores[entry] + TITLE_WEIGHT * share(title)) / (1 + TITLE_WEIGHT)
            for entry, title in titles.items()
        }
    )


def stems(text: str) -> frozenset[str]:
    """Cut the words of a text so that forms of one word are mostly one."""
    return frozenset(word[:STEM] for word in _WORD.findall(text.lower()))


def reciprocal_rank_fusion(*rankings: Mapping[int, float]) -> Mapping[int, float]:
    """Fuse by rank alone, as is usual; here to be measured against."""
    found: dict[int, float] = {}
    for ranking in rankings:
        for rank, entry in enumerate(_ordered(ranking), 1):
            found[entry] = found.get(entry, 0.0) + 1 / (_K + rank)
    return _ordered(found)


def _stretched(scores: Mapping[int, float]) -> dict[int, float]:
    if not scores:
        return {}
    low, high = min(scores.values()), max(scores.values())
    if high == low:
        return dict.fromkeys(scores, 1.0)
    return {entry: (score - low) / (high - low) for entry, score in scores.items()}


def _ordered(scores: Mapping[int, float]) -> dict[int, float]:
    return dict(sorted(scores.items(), key=lambda pair: (-pair[1], pair[0])))


MOST_HITS = 100
FIRST_LOOK = 400
"""Entries that are looked at one by one before all that filters let through are listed."""
FEW = 1_000
"""Entries whose meanings are compared one by one: that takes no longer than to ask the index."""
FEW_OF_MANY = 4_000
"""As many where the index, of a large tenant, would most likely name too few of them."""
journal_text = table("journal_text", column("rowid"))
_SNIPPET = literal_column("snippet(journal_text, -1, '‹', '›', '…', 24)", String)
_RANK = literal_column("bm25(journal_text, 4.0, 2.0, 1.0, 0.5)", Float)


@dataclass(frozen=True)
class SearchScope:
    """What is readable and filters let through: asked of some entries, or listed once for many."""

    connection: Connection
    reader: Reader
    filters: DecisionFilters
    excluded: tuple[DecisionFilters, ...] = ()
    """What passes one of these is left out."""

    @cached_property
    def where(self) -> ColumnElement[bool]:
        """Give the condition for entries that are named beside it."""
        return scope_condition(self.reader, self.filters, self.excluded)

    @cached_property
    def all(self) -> frozenset[int]:
        """List every entry; asked for where filters are narrow, so that these are few."""
        where = scope_condition(self.reader, self.filters, self.excluded, by_index=True)
        query = select(journal_entry.c.entry_id).where(where)
        return frozenset(self.connection.scalars(query).all())

    @property
    def is_narrowed(self) -> bool:
        """Tell whether anything of the tenant is left out."""
        return is_narrowed(self.filters) or bool(self.reader.closed or self.excluded)

    @cached_property
    def is_few(self) -> bool:
        """Tell whether few entries are of the tenant and the time; only the index is looked at.

        Of a large tenant those of a narrow time are few, too: the nearest ones would hold next to
        none of them, and the index be asked in vain.
        """
        entry, filters = journal_entry.c, self.filters
        times = []
        if filters.since is not None:
            times.append(entry.decided_at >= filters.since.timestamp())
        if filters.until is not None:
            times.append(entry.decided_at < filters.until.timestamp())
        left = self._count(FEW_OF_MANY, *times)
        if left <= FEW or not times or left > FEW_OF_MANY:
            return left <= FEW
        reach = left * MOST_LOOKED // MOST_HITS
        return self._count(reach) > reach

    def _count(self, most: int, *conditions: ColumnElement[bool]) -> int:
        """Count entries of the tenant, up to one more than `most`."""
        some: Select[Any] = select(literal_column("1")).where(
            journal_entry.c.tenant_id == self.reader.tenant_id, *conditions
        )
        count = select(func.count()).select_from(some.limit(most + 1).subquery())
        return self.connection.scalar(count) or 0

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


def score_by_words(match: str, allowed: SearchScope) -> Mapping[int, float]:
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
            scope_condition(reader, DecisionFilters()),
            journal_entry.c.decided_at.is_not(None),
        )
        .order_by(_RANK, journal_entry.c.decided_at)
        .limit(1)
    )
    return connection.scalar(query)


def read_bodies(
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


def scope_condition(
    reader: Reader,
    filters: DecisionFilters,
    excluded: Sequence[DecisionFilters] = (),
    *,
    by_index: bool = False,
) -> ColumnElement[bool]:
    """Write reader and filters as one condition: it stands inside every query.

    Args:
        reader: whose tenant's entries, without those that are closed to them.
        filters: what else has to hold.
        excluded: what passes one of these is left out; of unknown date it passes no time.
        by_index: the condition alone finds the entries. Where others name them, SQLite must not
            walk all of the tenant's index for a few of them: 45 ms for 20 of 100,000.
    """
    entry = journal_entry.c
    conditions: list[ColumnElement[bool]] = [
        _plain(entry.tenant_id, by_index=by_index) == reader.tenant_id,
        readable(entry.session_id, reader),
        *_passes(filters, by_index=by_index),
    ]
    for one in excluded:
        passes = and_(true(), *_passes(one, by_index=False))
        conditions.append(not_(func.coalesce(passes, false())))
    return and_(*conditions)


def _plain(one: Column[Any], *, by_index: bool) -> ColumnElement[Any]:  # of text or number
    return one if by_index else literal_column(f"+{journal_entry.name}.{one.name}", one.type)


def _passes(filters: DecisionFilters, *, by_index: bool) -> Iterator[ColumnElement[bool]]:
    entry = journal_entry.c
    decided_at = _plain(entry.decided_at, by_index=by_index)
    if filters.since is not None:
        yield decided_at >= filters.since.timestamp()
    if filters.until is not None:
        yield decided_at < filters.until.timestamp()
    if filters.status is not None:
        yield entry.status == filters.status.value
    if filters.session_id is not None:
        yield entry.session_id == filters.session_id
    for person in filters.people:
        name = fold_name(person)
        theirs = select(journal_person.c.entry_id).where(
            or_(
                journal_person.c.name == name,
                journal_person.c.name.startswith(f"{name} ", autoescape=True),
            )
        )
        yield entry.entry_id.in_(theirs)
    yield from map(names_condition, filters.technologies)


def is_narrowed(filters: DecisionFilters) -> bool:
    """Tell whether filters leave anything of what is readable out."""
    return filters != DecisionFilters()


def _is_among(entries: Sequence[int]) -> ColumnElement[bool]:
    return journal_entry.c.entry_id.in_(id_list(entries))


def matches(match: str | BindParameter[str]) -> ColumnElement[bool]:
    """Write what the full-text index has to match; from terms.match_of alone."""
    return literal_column("journal_text").op("MATCH")(match)


MOST_RANKED = 5_000
"""Occurrences that are ranked for one question; beyond them the commonest words are left out."""
FEWEST_TERMS = 2


def rarest_terms(connection: Connection, terms: Sequence[str]) -> tuple[str, ...]:
    """Leave out what stands nearly everywhere: it tells little, and ranking it takes longest.

    Two terms are kept at least. Source: BM25 weighs a word of half the entries at nothing.
    """
    if len(terms) <= FEWEST_TERMS:
        return tuple(terms)
    counts = _spreads(connection, terms)
    kept: list[str] = []
    seen = 0
    for term in sorted(terms, key=lambda one: counts[one]):
        seen += counts[term]
        if len(kept) >= FEWEST_TERMS and seen > MOST_RANKED:
            break
        kept.append(term)
    return tuple(term for term in terms if term in kept)


def _spreads(connection: Connection, terms: Sequence[str]) -> Mapping[str, int]:
    """Count the entries of each term, up to MOST_RANKED, in one query: each takes as long."""
    given = {f"term{place}": match_of((term,)) for place, term in enumerate(terms)}
    row = connection.execute(_counting(len(terms)), given | {"most": MOST_RANKED}).one()
    return dict(zip(terms, row, strict=True))


@cache
def _counting(terms: int) -> Select[Any]:  # as many numbers as terms
    most = bindparam("most", type_=Integer)
    return select(
        *(
            select(func.count())
            .select_from(
                select(journal_text.c.rowid)
                .where(matches(bindparam(f"term{n}")))
                .limit(most)
                .subquery()
            )
            .scalar_subquery()
            .label(f"count{n}")
            for n in range(terms)
        )
    )
