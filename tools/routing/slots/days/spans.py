"""Two days that a summary puts as one span, `from {arrival} to {departure}`: which end is which?"""

import re
from collections.abc import Iterator
from dataclasses import replace
from functools import cache
from typing import Literal

from state.action import Action
from tools.routing.slots.days.said import Said
from tools.routing.slots.days.searching import NOTHING, DaySearch, Taken
from tools.routing.slots.days.toward import BEGINS, ENDS, Toward
from tools.routing.words.phrases import word_set
from tools.routing.words.signs import SUBJECTS

Side = Literal["first", "last"]

_SIDES = ("first", "last")

_SPAN = re.compile(r"\{(\w+)\},? ?(?:to|until|till|through|-|\u2013) ?\{(\w+)\}")
_BETWEEN = re.compile(r"\bbetween \{(\w+)\} and \{(\w+)\}")
_FIRST = word_set("from since between starting beginning arriving")
_LAST = word_set("to until till through thru - and ending leaving departing")


@cache
def _ends_of(summary: str) -> frozenset[tuple[str, str]]:
    return frozenset((*_SPAN.findall(summary), *_BETWEEN.findall(summary)))


def side_of_span(action: Action, name: str) -> Side | None:
    """Tell which end of a span a slot is; None: it is none, or its own name says so (`since`)."""
    if not (BEGINS | ENDS).isdisjoint(name.split("_")):
        return None
    for first, last in _ends_of(action.summary):
        both = (action.slots.get(first), action.slots.get(last))
        if name in (first, last) and all(one and one.type == "date" for one in both):
            return "first" if name == first else "last"
    return None


def taken_of_span(search: DaySearch, side: Side) -> Taken:
    """Find one end of the span that a text says; a single day that nothing marks is the first."""
    said = list(_marked(replace(search, used=frozenset())))
    marks = [mark for _one, mark in said if mark is not None]
    if len(said) > len(_SIDES) or len(set(marks)) < len(marks):  # which two, nobody can tell
        places = frozenset(place for one, _mark in said for place in range(one.first, one.end))
        return Taken((), places, " or ".join(search.written(one) for one, _mark in said))
    first = next((one for one, mark in said if mark == "first"), None)
    first = first or next((one for one, mark in said if mark is None), None)
    last = next((one for one, mark in said if mark == "last"), None)
    others = (one for one, mark in said if mark is None and one is not first)
    last = last or next(others, None)
    one = first if side == "first" else last
    if one is None:
        return NOTHING
    places = frozenset(range(one.first, one.end))
    is_over = search.toward is Toward.AHEAD and one.is_over
    is_turned = side == "last" and first is not None and _is_before(one, first)
    if one.value is None or is_over or is_turned:
        return Taken((), places, search.written(one))
    return Taken((one.value.isoformat(),), places)


def _marked(search: DaySearch) -> Iterator[tuple[Said, Side | None]]:
    """Give each day with the end that the word before it makes it."""
    normal = search.read.spoken.normal
    for one in search.said:
        if _is_told(one, search):
            continue
        begins = normal.tokens[one.core].start
        gap = normal.text[:begins].rstrip()
        word = "-" if gap.endswith("-") else search.words[one.core - 1] if one.core else ""
        yield one, "first" if word in _FIRST else "last" if word in _LAST else None


def _is_told(one: Said, search: DaySearch) -> bool:
    """Tell a day of a sentence beside the order: `…, I need an answer by Monday`."""
    spoken = search.read.spoken
    clause = next((span for span in spoken.clauses if one.first in span), spoken.asked)
    is_beside = clause.start not in spoken.asked
    return is_beside and not SUBJECTS.isdisjoint(search.words[clause.start : clause.stop])


def _is_before(one: Said, first: Said) -> bool:
    return one.value is not None and first.value is not None and one.value < first.value
