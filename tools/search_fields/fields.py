"""Read the search fields of a request, each with the rule and the characters it came from."""

from collections.abc import Sequence
from datetime import date
from typing import Any

from state.policy import FieldSource, SearchPolicy, SearchReading
from tools.catalogue.models import SearchDefaults
from tools.search_fields.denial.denied_fields import without_denied
from tools.search_fields.denial.denied_kinds import with_kind_left_out
from tools.search_fields.denial.denied_topics import excluded_in
from tools.search_fields.filters.access import access_in
from tools.search_fields.filters.authors import IN_ANY_CASE, authors_in
from tools.search_fields.filters.fields_of_study import disciplines_in
from tools.search_fields.filters.limits import limits_in
from tools.search_fields.filters.ordering import ordering_in
from tools.search_fields.filters.venues import venues_in
from tools.search_fields.passage import Found, Passage
from tools.search_fields.second_orders.set_aside import without_second_order
from tools.search_fields.time.bounds import Bounds, Range, join
from tools.search_fields.time.dates.points import points_in
from tools.search_fields.time.periods import periods_in
from tools.search_fields.time.windows import windows_in
from tools.search_fields.topic.topics import topic_of

DEFAULTS = SearchDefaults()


def read_search_fields(
    text: str, today: date, defaults: SearchDefaults = DEFAULTS
) -> SearchReading:
    """Read years, limit, access, authors, venue, order and topic; what is not said is absent.

    Args:
        today: what `recent`, `last year` and `since March` are counted from.
        defaults: the pack's limit, its years of `recent`, and whether only open access is searched.
    """
    passage, orders = without_second_order(Passage.of(text))
    found, time = found_in(passage, today, defaults.recent_years)
    found += orders
    values = values_of(found, time)
    topic = topic_of(passage, [one.span for one in found])
    search = SearchPolicy(
        **{"limit": defaults.limit, "open_access_only": defaults.open_access_only, **values},
        topic=topic.text,
        query_terms=topic.terms,
    )
    return SearchReading(search=search, sources=sources_of(passage, found))


def found_in(passage: Passage, today: date, recent_years: int) -> tuple[list[Found], Range]:
    """Run every rule; the spans of what was found never become words of the topic."""
    venues = list(venues_in(passage, today))
    bounds = [one for one in venues if isinstance(one, Bounds)]
    ordering = list(ordering_in(passage.text))
    taken = [one.span for one in (*venues, *ordering)]
    parts = [(one.start, one.end) for one in points_in(passage.text, today) if one.is_part]
    windows = [
        one
        for one in windows_in(passage.text, today, recent_years)
        if not _overlaps(one.span, [*taken, *parts])
    ]
    bounds += _widest(windows)
    taken += [one.span for one in bounds]
    authors = list(authors_in(passage))
    named = [*venues, *(one for one in authors if one.rule in IN_ANY_CASE)]
    names = [one.span[1] for one in named]
    bounds += periods_in(passage.text, today, taken, names)
    others = [one for one in venues if isinstance(one, Found)]
    others += ordering
    others += limits_in(passage.text, [one.span for one in bounds])
    others += access_in(passage.text)
    others += [one for one in disciplines_in(passage) if not _overlaps(one.span, taken)]
    others += [one for one in authors if not _overlaps(one.span, taken)]
    left_out = list(excluded_in(passage.text))
    bounds = with_kind_left_out(passage.text, bounds, left_out)
    bounds, others = without_denied(passage.text, bounds, others)
    time, found = join(bounds, today)
    found += others
    said = [*(one.span for one in found), *(one.span for one in bounds)]
    found += [one for one in left_out if not _overlaps(one.span, said)]
    return found, time


def values_of(found: Sequence[Found], time: Range) -> dict[str, Any]:
    """Turn what was found into fields; the first one said of a field counts."""
    values: dict[str, Any] = {}
    for one in sorted(found, key=lambda one: one.span):
        if one.is_taken and one.field != "years":
            values.setdefault(one.field, one.value)
    if time.first is not None and time.is_first_fine:
        values["date_from"] = time.first
    if time.last is not None and time.is_last_fine:
        values["date_to"] = time.last
    return values


def sources_of(passage: Passage, found: Sequence[Found]) -> tuple[FieldSource, ...]:
    """Tell where each field was read, in the order of the text."""
    return tuple(
        FieldSource(
            field=one.field,
            value=_shown(one.value) if one.is_taken else None,
            rule=one.rule,
            span=passage.normal.span(*one.span),
        )
        for one in sorted(found, key=lambda one: (one.span, one.field))
        if one.value is not None or not one.is_taken
    )


def _shown(value: object) -> str:
    return (
        ", ".join(value)
        if isinstance(value, tuple)
        else str(value).lower()
        if isinstance(value, bool)
        else str(value)
    )


def _widest(windows: Sequence[Bounds]) -> list[Bounds]:
    """Keep the window that says most where several rules read the same words."""
    kept: list[Bounds] = []
    for one in sorted(windows, key=lambda one: (one.is_weak, one.span[0] - one.span[1])):
        if not _overlaps(one.span, [other.span for other in kept]):
            kept.append(one)
    return kept


def _overlaps(span: tuple[int, int], others: Sequence[tuple[int, int]]) -> bool:
    return any(span[0] < end and start < span[1] for start, end in others)
