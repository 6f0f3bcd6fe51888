"""Fields that are denied or excepted, in whatever words: they are not searched for, and told.

Only time has a complement that can be searched, and only where it is open at one end: of `except
those before 2010` the papers from 2010 on are left.
"""

import re
from collections.abc import Sequence
from dataclasses import replace
from datetime import date, timedelta

from tools.search_fields.denial.denials import (
    Denial,
    denial_before,
    denied_around,
    goes_on,
    is_of_papers,
)
from tools.search_fields.passage import Found
from tools.search_fields.time.bounds import LIFTS, Bounds

_OPEN_ENDED = frozenset({"since", "after", "before", "until"})
_VALUELESS = frozenset({"limit", "open_access_only", "sort_by", "min_citations"})
_APART = re.compile(r"[,.;:!?]|\b(?:and|but|not|none|no|except)\b")
"""Between two fields these begin another denial."""
_CLOSED = frozenset({"denied", "paywalled_denied"})
"""What is not open access: the one field besides time whose complement can be searched."""


def without_denied(
    text: str, bounds: Sequence[Bounds], found: Sequence[Found]
) -> tuple[list[Bounds], list[Found]]:
    """Turn what is denied into its complement where that is exact, else into a reason."""
    said: list[Bounds | Found] = [*bounds, *found]
    said.sort(key=lambda one: one.span)
    denials = _denials(text, said)
    times: list[Bounds] = []
    others: list[Found] = []
    for place, (one, denial) in enumerate(zip(said, denials, strict=True)):
        is_one_of_several = _is_joined(text, said, denials, place) or _is_joined(
            text, said, denials, place + 1
        )
        if isinstance(one, Bounds):
            times.append(_time(one, denial, is_alone=not is_one_of_several) if denial else one)
        else:
            others.append(_other(one, denial) if denial else one)
    return times, others


def _denials(text: str, said: list[Bounds | Found]) -> list[Denial | None]:
    """Say what the words make of each field; a denial behind one becomes part of its span."""
    denials: list[Denial | None] = []
    for place, one in enumerate(said):
        start, end = one.span
        denial = denial_before(text, start)
        around = denied_around(text, start, end)
        if around is not None and denial is None:
            denial = Denial(around[0], "denied")
            said[place] = replace(one, span=around)
        if denial is None and _is_listed(text, said, denials, place):
            denial = Denial(start, "denied")
        denials.append(denial)
    return denials


def _is_listed(
    text: str, said: Sequence[Bounds | Found], denials: Sequence[Denial | None], place: int
) -> bool:
    """Tell whether the denial of the field before holds for this one: `nor in Nature`."""
    if place == 0 or not _is_denied(said[place - 1], denials[place - 1]):
        return False
    before, denial = said[place - 1], denials[place - 1]
    gap = (before.span[1], said[place].span[0])
    start = denial.start if denial else before.span[0]
    is_same_thing = start == before.span[0] and denial is not None
    is_same_thing = is_same_thing or is_of_papers(text, start, before.span[1])
    return goes_on(text, *gap) or (is_same_thing and not text[slice(*gap)].strip())


def _is_joined(
    text: str, said: Sequence[Bounds | Found], denials: Sequence[Denial | None], place: int
) -> bool:
    """Tell whether a field and the one before it say together what is denied."""
    if not 0 < place < len(said) or denials[place] is None:
        return False
    if not _is_denied(said[place - 1], denials[place - 1]):
        return False
    gap = (said[place - 1].span[1], said[place].span[0])
    return _APART.search(text, *gap) is None and not goes_on(text, *gap)


def _is_denied(one: Bounds | Found, denial: Denial | None) -> bool:
    return one.rule.endswith("_denied") or (denial is not None and denial.kind == "denied")


def _time(one: Bounds, denial: Denial, *, is_alone: bool) -> Bounds:
    span = (denial.start, one.span[1])
    if denial.kind == "meant" or one.rule in LIFTS:
        return replace(one, span=span)
    if denial.kind == "waived":
        return Bounds.none("any_time" if one.is_weak else f"{one.rule}_waived", span)
    left = complement_of(one, span) if is_alone and denial.is_certain else None
    return left or Bounds.none(f"{one.rule}_except", span)


def complement_of(one: Bounds, span: tuple[int, int]) -> Bounds | None:
    """Give the time that an open stretch leaves; None: what is left has a gap, or is not known."""
    if one.rule not in _OPEN_ENDED or one.is_wider:
        return None
    day = timedelta(days=1)
    rule = f"not_{one.rule}"
    if one.last is None and one.first is not None and one.first > date.min:
        return replace(one, rule=rule, span=span, first=None, last=one.first - day)
    if one.first is None and one.last is not None and one.last < date.max:
        return replace(one, rule=rule, span=span, first=one.last + day, last=None)
    return None


def _other(one: Found, denial: Denial) -> Found:
    span = (denial.start, one.span[1])
    is_access = one.field == "open_access_only"
    if not one.is_taken:
        is_free = is_access and one.rule in _CLOSED and denial.kind == "denied"
        meant = replace(one, value=True, rule="wanted", span=span, is_taken=True)
        return meant if is_free else one
    if denial.kind == "meant":
        return replace(one, span=span)
    if is_access and (denial.kind == "waived" or one.value is False):
        return replace(one, value=False, span=span)
    value = None if one.field in _VALUELESS else one.value
    return replace(one, value=value, rule=f"{one.rule}_denied", span=span, is_taken=False)
