"""What a search asks for besides its words, and whether a paper meets it."""

from collections.abc import Container
from dataclasses import dataclass
from datetime import date

from state.paper import Paper, SearchFilter
from state.policy import SearchPolicy
from tools.search.names import is_author, is_venue
from tools.search.reading import MAX_AUTHORS


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


def asked(search: SearchPolicy) -> tuple[SearchFilter, ...]:
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


def meets(paper: Paper, search: SearchPolicy, venues: Container[str] = ()) -> bool:
    """Tell whether a paper meets every constraint; what nobody knows of it, it does not meet.

    Args:
        venues: names that its provider has for the wanted venue.
    """
    return all(_meets(paper, search, constraint, venues) for constraint in asked(search))


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
