"""Which words of a question are worth ranking: what stands nearly everywhere tells little."""

from collections.abc import Mapping, Sequence
from functools import cache
from typing import Any

from sqlalchemy import Connection, Integer, bindparam, func, select
from sqlalchemy.sql import Select

from tools.journal.searching.legs import journal_text, matches
from tools.journal.searching.terms import match_of

MOST_RANKED = 5_000
"""Occurrences that are ranked for one question; beyond them the commonest words are left out."""
FEWEST_TERMS = 2


def rarest(connection: Connection, terms: Sequence[str]) -> tuple[str, ...]:
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
