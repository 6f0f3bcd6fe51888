"""Search constraints besides the query text, and whether a paper meets them.

Dates, authors, venues.
"""

import re
import unicodedata
from collections.abc import Container
from dataclasses import dataclass
from datetime import date

from state.paper import Paper, SearchFilter
from state.policy import SearchPolicy
from tools.adapters.papers.response_fields import MAX_AUTHORS

_WORD = re.compile(r"[^\W_]+")
_FORMERLY = {
    "aaai": "aaai conference on artificial intelligence",
    "acl": "annual meeting of the association for computational linguistics",
    "chi": "international conference on human factors in computing systems",
    "cvpr": "computer vision and pattern recognition",
    "eccv": "european conference on computer vision",
    "emnlp": "conference on empirical methods in natural language processing",
    "iccv": "international conference on computer vision",
    "iclr": "international conference on learning representations",
    "icml": "international conference on machine learning",
    "icra": "international conference on robotics and automation",
    "ijcai": "international joint conference on artificial intelligence",
    "jmlr": "journal of machine learning research",
    "kdd": "knowledge discovery and data mining",
    "naacl": "north american chapter of the association for computational linguistics",
    "neurips": "neural information processing systems",
    "nejm": "new england journal of medicine",
    "nips": "neural information processing systems",
    "pnas": "proceedings of the national academy of sciences",
    "sigir": "research and development in information retrieval",
    "tacl": "transactions of the association for computational linguistics",
}
"""Short names whose letters do not follow from the long one, or that nobody spells out."""
_SMALL = frozenset({"a", "and", "for", "in", "of", "on", "the"})
_GATHERING = frozenset({"conference", "proceedings", "symposium", "workshop", "meeting"})


def normalize_name(text: str) -> str:
    """Write a name in lower case, without accents and signs, one space between words."""
    bare = unicodedata.normalize("NFKD", text)
    bare = "".join(letter for letter in bare if not unicodedata.combining(letter))
    return " ".join(_WORD.findall(bare.casefold()))


def long_venue(name: str) -> str:
    """Spell out the short name of a well-known venue; any other stays what it is."""
    return _FORMERLY.get(normalize_name(name), name)


def is_venue(venue: str, wanted: str) -> bool:
    """Tell whether a journal or conference is the wanted one.

    `Nature` is not Nature Communications; NeurIPS is Advances in Neural Information Processing
    Systems, and `Proceedings of the ICML 2019` is ICML.
    """
    has, wants = _significant(normalize_name(venue)), _significant(normalize_name(wanted))
    if not wants or has == wants:
        return bool(wants)
    if len(wants) == 1:
        if long := _FORMERLY.get(wants[0]):
            return _stands_in(_significant(long), has) or wants[0] in has
        initials = "".join(word[0] for word in has)
        is_gathering = any(word in _GATHERING or word.isdigit() for word in has)
        return initials == wants[0] or (is_gathering and wants[0] in has)
    return _stands_in(wants, has) or _abbreviates(wants, has)


def is_author(author: str, wanted: str) -> bool:
    """Tell whether an author can be the wanted one: G. E. Hinton is Geoffrey Hinton."""
    has, wants = _in_order(author), _in_order(wanted)
    if not wants or not has:
        return False
    if len(wants) == 1:
        return wants[0] in has
    surname, given = wants[-1], wants[:-1]
    if surname not in has:
        return False
    others = [word for word in has if word != surname]
    return not others or _agree(given[0], others[0]) or any(_agree(given[0], o) for o in others)


def _in_order(name: str) -> list[str]:
    last, comma, first = name.partition(",")
    return normalize_name(f"{first} {last}" if comma else name).split()


def _agree(one: str, other: str) -> bool:
    return one == other or (min(len(one), len(other)) == 1 and one[0] == other[0])


def _significant(text: str) -> tuple[str, ...]:
    return tuple(word for word in text.split() if word not in _SMALL)


def _abbreviates(short: tuple[str, ...], whole: tuple[str, ...]) -> bool:
    """Tell whether each word begins the other's: Phys Rev Lett."""
    return len(short) == len(whole) and all(map(str.startswith, whole, short))


def _stands_in(part: tuple[str, ...], whole: tuple[str, ...]) -> bool:
    size = len(part)
    return any(whole[at : at + size] == part for at in range(len(whole) - size + 1))


@dataclass(frozen=True)
class Period:
    """The days between which a paper has to be published, both included; None: open."""

    first: date | None
    last: date | None

    @property
    def is_whole_years(self) -> bool:
        """Tell whether years say it all."""
        return (self.first is None or (self.first.month, self.first.day) == (1, 1)) and (
            self.last is None or (self.last.month, self.last.day) == (12, 31)
        )


def period_of(search: SearchPolicy) -> Period | None:
    """Read the dates of a search; where year and day are both given, both hold."""
    first = [search.date_from, _day(search.year_from, 1, 1)]
    last = [search.date_to, _day(search.year_to, 12, 31)]
    period = Period(
        max((day for day in first if day), default=None),
        min((day for day in last if day), default=None),
    )
    return None if period == Period(None, None) else period


def constraint_names(search: SearchPolicy) -> tuple[SearchFilter, ...]:
    """Name the constraints of a search."""
    found: list[SearchFilter] = []
    if period_of(search) is not None:
        found.append("dates")
    if search.open_access_only:
        found.append("open_access")
    if search.venue:
        found.append("venue")
    if search.authors:
        found.append("authors")
    if search.fields_of_study:
        found.append("fields")
    if search.min_citations:
        found.append("citations")
    return tuple(found)


def meets_constraints(paper: Paper, search: SearchPolicy, venues: Container[str] = ()) -> bool:
    """Tell whether a paper meets every constraint; what nobody knows of it, it does not meet.

    Args:
        venues: names that its provider has for the wanted venue.
    """
    return all(_meets(paper, search, constraint, venues) for constraint in constraint_names(search))


def _meets(
    paper: Paper, search: SearchPolicy, constraint: SearchFilter, venues: Container[str]
) -> bool:
    match constraint:
        case "dates" | "years":
            period = period_of(search)
            return period is None or _is_within(paper, period)
        case "open_access":
            return paper.open_access is True
        case "citations":
            return (paper.citations or 0) >= (search.min_citations or 0)
        case "fields":
            return not set(search.fields_of_study).isdisjoint(paper.fields_of_study)
        case "venue":
            return paper.venue is not None and (
                paper.venue in venues or is_venue(paper.venue, search.venue or "")
            )
        case "authors":
            return all(_is_by(paper, wanted) for wanted in search.authors)


def _is_by(paper: Paper, wanted: str) -> bool:
    # Nobody lists all the thousands of a large experiment; its provider knows who is on it.
    is_cut_off = len(paper.authors) >= MAX_AUTHORS
    return is_cut_off or any(is_author(author, wanted) for author in paper.authors)


def _is_within(paper: Paper, period: Period) -> bool:
    if period.is_whole_years or paper.published is None:
        # Its year is what people cite, whatever day it first went online.
        year = paper.year or (paper.published.year if paper.published else None)
        return (
            year is not None
            and (period.first is None or period.first.year <= year)
            and (period.last is None or year <= period.last.year)
        )
    return (period.first is None or period.first <= paper.published) and (
        period.last is None or paper.published <= period.last
    )


def _day(year: int | None, month: int, day: int) -> date | None:
    return None if year is None or not 1 <= year <= 9_999 else date(year, month, day)
