"""Parse the search fields of a request, each with its rule and characters.

And word what was not followed.
"""

from collections.abc import Iterator, Sequence
from datetime import date
from typing import Any

from state.policy import FieldSource, SearchPolicy, SearchReading
from tools.catalog.pack_schema import SearchDefaults
from tools.nlu.search_query.authors import IN_ANY_CASE, authors_in
from tools.nlu.search_query.date_expressions import date_expressions_in
from tools.nlu.search_query.date_ranges import periods_in, windows_in
from tools.nlu.search_query.exclusions import excluded_in, with_kind_left_out, without_denied
from tools.nlu.search_query.field_matches import (
    DateBounds,
    DateRange,
    FieldMatch,
    Passage,
    join_bounds,
)
from tools.nlu.search_query.fields_of_study import disciplines_in
from tools.nlu.search_query.open_access import access_in
from tools.nlu.search_query.ordering_and_limits import limits_in, ordering_in
from tools.nlu.search_query.topic import topic_of
from tools.nlu.search_query.trailing_requests import without_second_order
from tools.nlu.search_query.venues import venues_in
from tools.platform.texts import t

_WHY = (
    ("_in_future", "in the future"),
    ("future", "in the future"),
    ("_contradicts", "no year is both"),
    ("years_apart", "only one stretch of years can be searched"),
    ("except", "years cannot be left out"),
    ("half_a_range", "only one end of a range"),
    ("too_early", "no papers are that old"),
    ("unread", "no time that can be read"),
    ("or_another", "only papers by all authors that are named can be searched"),
    ("_second", "only one venue can be searched"),
    ("denied", "nothing can be left out by that"),
    ("oldest_first", "only newest or most cited first"),
    ("fewer_citations", "only a least number of citations"),
    ("second_order", "one request at a time: the search comes first"),
    ("_of_none", "a search gives at least one paper"),
)
"""How a rule ends that sets no field, and why in words; every other was meant to set none."""
_ABOVE = "_above_"


def unfollowed_note(text: str, sources: Sequence[FieldSource]) -> str:
    """Write the sentence; empty where everything that was said is followed."""
    unfollowed: dict[str, list[str]] = {}
    for source in sources:
        for why in _whys(source):
            words = " ".join(text[slice(*source.span)].split()).strip(" ,")
            if words and words not in unfollowed.setdefault(why, []):
                unfollowed[why].append(words)
    parts = [
        f"{' and '.join(f'“{words}”' for words in said)} ({why})"
        for why, said in unfollowed.items()
    ]
    return t("dialogue.not_followed", limits="; ".join(parts)) if parts else ""


def _whys(source: FieldSource) -> Iterator[str]:
    if source.value is not None:
        if _ABOVE in source.rule:
            yield f"a search gives at most {source.value}"
        return
    for ending, why in _WHY:
        if source.rule.endswith(ending):
            yield why
            return


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


def found_in(
    passage: Passage, today: date, recent_years: int
) -> tuple[list[FieldMatch], DateRange]:
    """Run every rule; the spans of what was found never become words of the topic."""
    venues = list(venues_in(passage, today))
    bounds = [one for one in venues if isinstance(one, DateBounds)]
    ordering = list(ordering_in(passage.text))
    taken = [one.span for one in (*venues, *ordering)]
    parts = [
        (one.start, one.end) for one in date_expressions_in(passage.text, today) if one.is_part
    ]
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
    others = [one for one in venues if isinstance(one, FieldMatch)]
    others += ordering
    others += limits_in(passage.text, [one.span for one in bounds])
    others += access_in(passage.text)
    others += [one for one in disciplines_in(passage) if not _overlaps(one.span, taken)]
    others += [one for one in authors if not _overlaps(one.span, taken)]
    left_out = list(excluded_in(passage.text))
    bounds = with_kind_left_out(passage.text, bounds, left_out)
    bounds, others = without_denied(passage.text, bounds, others)
    time, found = join_bounds(bounds, today)
    found += others
    said = [*(one.span for one in found), *(one.span for one in bounds)]
    found += [one for one in left_out if not _overlaps(one.span, said)]
    return found, time


def values_of(found: Sequence[FieldMatch], time: DateRange) -> dict[str, Any]:
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


def sources_of(passage: Passage, found: Sequence[FieldMatch]) -> tuple[FieldSource, ...]:
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


def _widest(windows: Sequence[DateBounds]) -> list[DateBounds]:
    """Keep the window that says most where several rules read the same words."""
    kept: list[DateBounds] = []
    for one in sorted(windows, key=lambda one: (one.is_weak, one.span[0] - one.span[1])):
        if not _overlaps(one.span, [other.span for other in kept]):
            kept.append(one)
    return kept


def _overlaps(span: tuple[int, int], others: Sequence[tuple[int, int]]) -> bool:
    return any(span[0] < end and start < span[1] for start, end in others)
