"""Choose which date of a text fills a date slot, or report that it has to be asked."""

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import date, timedelta
from functools import cache, cached_property
from typing import Literal, NamedTuple

from state.action import Action
from tools.nlu.lexicon.cue_phrases import FUNCTION_WORDS, SUBJECTS
from tools.nlu.lexicon.normalization import word_set
from tools.nlu.slots.entity_slots import is_the_other_end
from tools.nlu.slots.free_text import SlotContext
from tools.nlu.slots.value_changes import is_range, without_corrected
from tools.nlu.values.date_offsets import (
    BEGINS,
    ENDS,
    DateDirection,
    DateSpan,
    date_direction_of,
    leaning_of,
)
from tools.nlu.values.day_rules import whole_units
from tools.nlu.values.engine import extract_kinds
from tools.nlu.values.model import Kind, Side, Stretch, Value, moved
from tools.nlu.values.views import as_filter, date_spans_in, places_of

_OR_SO = word_set("so later sooner earlier two three four five six")
_CLAUSE = re.compile(r"[^,.;:!?\n]*$")


class DateMatch(NamedTuple):
    """The days of a slot, and the words that say them."""

    values: tuple[str, ...]
    places: frozenset[int]
    asked: str | None = None
    """What was said of the day, where that does not tell which one it is."""


NOTHING = DateMatch((), frozenset())


@dataclass(frozen=True)
class DateSearch:
    """A slot, and the words that its day is looked for in."""

    action: Action
    name: str
    read: SlotContext
    used: frozenset[int]

    @cached_property
    def toward(self) -> DateDirection:
        """On which side of today the day lies."""
        return date_direction_of(self.action, self.name)

    @cached_property
    def leaning(self) -> DateDirection | None:
        """On which side a read takes a day to lie that its name leaves open."""
        is_free = self.action.effect == "read" and self.parts.isdisjoint(BEGINS | ENDS)
        is_free = is_free and self.toward is DateDirection.UNKNOWN
        return leaning_of(self.action, self.name) if is_free else None

    @cached_property
    def parts(self) -> frozenset[str]:
        """The parts of the slot's name."""
        return frozenset(self.name.split("_"))

    @cached_property
    def words(self) -> Sequence[str]:
        """The words of the text."""
        return self.read.spoken.normal.words

    @cached_property
    def said(self) -> Sequence[DateSpan]:
        """All days that count and that no other slot has taken."""
        spoken = self.read.spoken
        named = {place for one in self.read.mentions for place in range(one.first, one.end)}
        return [
            one._replace(value=None) if self._is_rough(one) else one
            for one in date_spans_in(spoken.normal, self.read.today, self.toward, self.leaning)
            if one.first in spoken.kept
            and self.used.isdisjoint(range(one.first, one.end))
            and (self.words[one.core][0].isdigit() or named.isdisjoint(range(one.core, one.end)))
        ]

    def _is_rough(self, one: DateSpan) -> bool:
        """Tell `after tomorrow`, `before Friday` and `Friday or so` from the day itself."""
        before, behind = self.words[: one.core], self.words[one.end : one.end + 2]
        is_beside = before[-1:] in (["before"], ["after"]) and one.first == one.core
        is_beside = is_beside and "end" not in self.written(one)  # before it is by it
        is_about = behind[:1] == ["or"] and (
            behind[1:] == [] or behind[1][0].isdigit() or behind[1] in _OR_SO
        )
        return is_about or (is_beside and self.parts.isdisjoint(BEGINS | ENDS))

    def clause_before(self, one: DateSpan) -> str:
        """Give the words between the last stop and a day."""
        normal = self.read.spoken.normal
        found = _CLAUSE.search(normal.text[: normal.tokens[one.first].start])
        return found[0] if found is not None else ""

    def written(self, one: DateSpan) -> str:
        """Give the words of a day."""
        return " ".join(self.words[one.first : one.end])


End = Literal["first", "last"]

_SIDES = ("first", "last")

_SPAN = re.compile(r"\{(\w+)\},? ?(?:to|until|till|through|-|\u2013) ?\{(\w+)\}")
_BETWEEN = re.compile(r"\bbetween \{(\w+)\} and \{(\w+)\}")
_FIRST = word_set("from since between starting beginning arriving")
_LAST = word_set("to until till through thru - and ending leaving departing")


@cache
def _ends_of(summary: str) -> frozenset[tuple[str, str]]:
    return frozenset((*_SPAN.findall(summary), *_BETWEEN.findall(summary)))


def side_of_span(action: Action, name: str) -> End | None:
    """Tell which end of a span a slot is; None: it is none, or its own name says so (`since`)."""
    if not (BEGINS | ENDS).isdisjoint(name.split("_")):
        return None
    for first, last in _ends_of(action.summary):
        both = (action.slots.get(first), action.slots.get(last))
        if name in (first, last) and all(one and one.type == "date" for one in both):
            return "first" if name == first else "last"
    return None


def taken_of_span(search: DateSearch, side: End) -> DateMatch:
    """Find one end of the span that a text says; a single day that nothing marks is the first."""
    said = list(_marked(replace(search, used=frozenset())))
    marks = [mark for _one, mark in said if mark is not None]
    if len(said) > len(_SIDES) or len(set(marks)) < len(marks):  # which two, nobody can tell
        places = frozenset(place for one, _mark in said for place in range(one.first, one.end))
        return DateMatch((), places, " or ".join(search.written(one) for one, _mark in said))
    first = next((one for one, mark in said if mark == "first"), None)
    first = first or next((one for one, mark in said if mark is None), None)
    last = next((one for one, mark in said if mark == "last"), None)
    others = (one for one, mark in said if mark is None and one is not first)
    last = last or next(others, None)
    one = first if side == "first" else last
    if one is None:
        return NOTHING
    places = frozenset(range(one.first, one.end))
    is_over = search.toward is DateDirection.AHEAD and one.is_over
    is_turned = side == "last" and first is not None and _is_before(one, first)
    if one.value is None or is_over or is_turned:
        return DateMatch((), places, search.written(one))
    return DateMatch((one.value.isoformat(),), places)


def _marked(search: DateSearch) -> Iterator[tuple[DateSpan, End | None]]:
    """Give each day with the end that the word before it makes it."""
    normal = search.read.spoken.normal
    for one in search.said:
        if _is_told(one, search):
            continue
        begins = normal.tokens[one.core].start
        gap = normal.text[:begins].rstrip()
        word = "-" if gap.endswith("-") else search.words[one.core - 1] if one.core else ""
        yield one, "first" if word in _FIRST else "last" if word in _LAST else None


def _is_told(one: DateSpan, search: DateSearch) -> bool:
    """Tell a day of a sentence beside the order: `…, I need an answer by Monday`."""
    spoken = search.read.spoken
    clause = next((span for span in spoken.clauses if one.first in span), spoken.asked)
    is_beside = clause.start not in spoken.asked
    return is_beside and not SUBJECTS.isdisjoint(search.words[clause.start : clause.stop])


def _is_before(one: DateSpan, first: DateSpan) -> bool:
    return one.value is not None and first.value is not None and one.value < first.value


_UNTIL = ENDS | {"until", "before"}
"""In the name of a slot: where a time ends."""
_TIMES = frozenset({Kind.PERIOD, Kind.DURATION, Kind.DATE})
_LONG = frozenset({"week", "weekend", "month", "quarter", "halfyear", "season", "year"})


def taken_period(action: Action, read: SlotContext, used: set[int]) -> dict[str, str]:
    """Give each date slot its end of the only time that is said with both or from now.

    `Between 1 and 15 November`, `the past 10 days`, `older than two weeks`; of a read that takes
    both ends `last week` too.
    """
    begins, ends = ends_of_time(action)
    if read.today is None or not (begins or ends):
        return {}
    found = []
    for value in extract_kinds(read.spoken.normal.text, read.today, _TIMES):
        places = set(places_of(read.spoken.normal, value))
        is_free = places <= read.spoken.kept and not places & used
        days = _ends(action, value, read.today) if is_free else None
        if days is not None and value.kind is Kind.PERIOD:
            found.append((days, places))
        elif is_free and value.kind is not Kind.DURATION:
            return {}  # another day tells more of the time, or puts it right
    if len(found) != 1:
        return {}
    (first, last), places = found[0]
    said = {begins: first, ends: last}
    used |= places
    return {name: day.isoformat() for name, day in said.items() if name and day is not None}


def ends_of_time(action: Action) -> tuple[str, str]:
    """Name the date slots in which a time begins and ends; empty: there is none, or are several."""
    begins, ends = [], []
    for name, slot in action.slots.items():
        if slot.type == "date" and not slot.many:
            side, parts = side_of_span(action, name), {*name.split("_")}
            begins += [name] if side == "first" or parts & BEGINS else []
            ends += [name] if side == "last" or parts & _UNTIL else []
    return begins[0] if len(begins) == 1 else "", ends[0] if len(ends) == 1 else ""


def _ends(action: Action, value: Value, today: date) -> tuple[date | None, date | None] | None:
    """Give where a time begins and ends; None: it is none that both ends of are known of."""
    if value.kind is not Kind.PERIOD or not value.time.options:
        return None
    begins, ends = ends_of_time(action)
    said, options = value.time, value.time.options
    match value.rule:
        case "from_to" if ends:
            return _nearest(options, today, is_ahead=action.effect != "read")
        case "window" if begins and said.side is Side.BEHIND:
            return options[0].first, None
        case "age":
            day = options[0].first
            return (None, day) if said.bound == "before" else (day, None)
    is_whole = said.grain in _LONG and begins and ends and not said.bound
    if not is_whole or action.effect != "read":
        return None
    past = as_filter(value, today)
    return (past.first, past.last) if past is not None else None


def _nearest(options: Sequence[Stretch], today: date, *, is_ahead: bool) -> Stretch:
    """Choose the time that lies ahead, for what is planned, or else the nearest."""
    ahead = [one for one in options if one.first and one.first >= today]
    known = (ahead if is_ahead else ()) or options
    return min(known, key=lambda one: abs(one.first - today) if one.first else timedelta.max)


_LASTS = re.compile(r"\bfor (?:(?:about|another|only|just|up to|the next) )*$")


def day_it_lasts_to(action: Action, read: SlotContext, used: set[int], begin: str | None) -> str:
    """Give the day on which `for a fortnight` ends, counted from its begin or from today.

    Empty: nothing is said to last so long, or that is no whole number of days.

    Args:
        begin: the day it begins on, if one is said.
    """
    normal, today = read.spoken.normal, read.today
    if today is None or action.effect == "read":
        return ""
    for value in extract_kinds(normal.text, today, _TIMES):
        places = set(places_of(normal, value))
        is_free = places <= read.spoken.kept and not places & used
        is_lasting = value.kind is Kind.DURATION and _LASTS.search(normal.text[: value.start])
        if not (is_free and is_lasting) or value.payload.is_vague:
            continue
        of = whole_units(value.payload)
        if of is not None:
            used |= places
            first = date.fromisoformat(begin) if begin else today
            return moved(first, of.value, of.unit).isoformat()
    return ""


_ABOUT = re.compile(
    r"\b(?:(?P<was>issue date|date of issue|issued|issue(?= \d)|opened)|due|deadline|expir\w*"
    r"|ends?|run-?out|valid|good|until|till|by)\b"
)
"""What a day is of, by the last of these before it."""
_TARGETS = word_set(
    "to by till until due deadline expires expiry expire expiring ends before after"
)
_GOES = word_set("to until till before after")
"""Targets of other things too: `change the rota to Monday`, `polish it before Friday`."""
_AFTER_TARGETS = word_set("on is for the at be of midnight noon early late")
_JOINS = word_set(
    "or and but no sorry i mean rather better wait actually maybe perhaps oops make that"
)
"""With nothing but these between, two days are one and the other, or one put right."""
_TOLD_OF = word_set("was were which that")
"""Before `due last Friday`: what is told of a thing, and not asked for it."""
_SAYS_NOTHING = (
    FUNCTION_WORDS
    | _TARGETS
    | word_set("date day end new time current old out up off back over forward")
)
_PAST = re.compile(
    r"\b(?:had|has|have|was|were|did|got|slept|took|went|wrote|gave|left|\w{2,}ed)\b"
)


def taken_days(action: Action, name: str, read: SlotContext, used: set[int]) -> DateMatch:
    """Find the day of a slot; of several that are left none, unless it holds many.

    Two slots that a summary puts as one span take one end of it each.
    """
    search = DateSearch(action, name, read, frozenset(used))
    side = side_of_span(action, name)
    if side is not None:
        return taken_of_span(search, side)
    found = [one for one in search.said if _may_be_meant(one, search)]
    if not found:
        return NOTHING
    said = _best(found, search)
    taken = said if search.parts & (BEGINS | ENDS) else found  # the old one is of no slot
    places = frozenset(place for one in taken for place in range(one.first, one.end))
    days = list(dict.fromkeys(one.value for one in said))
    is_over = search.toward is DateDirection.AHEAD and any(one.is_over for one in said)
    if None in days or is_over or (len(days) > 1 and not action.slots[name].many):
        return DateMatch((), places, " or ".join(map(search.written, said)))
    return DateMatch(tuple(day.isoformat() for day in days if day is not None), places)


def _may_be_meant(one: DateSpan, search: DateSearch) -> bool:
    """Tell whether a day may be the one of the slot, by what stands before it."""
    beside = search.words[: one.core][-2:]
    if not _is_about(one, search) or is_the_other_end(search.parts, beside):
        return False
    if search.toward is DateDirection.AHEAD:
        return _may_lie_ahead(one, search)
    if not one.is_loose:
        return True
    if search.parts & BEGINS:
        return not {"since", "from", "after"}.isdisjoint(beside)
    if search.parts & ENDS:
        return not {"to", "until", "till", "before"}.isdisjoint(beside)
    is_asked = one.first in search.read.spoken.asked
    return is_asked or _PAST.search(search.clause_before(one)) is not None


def _may_lie_ahead(one: DateSpan, search: DateSearch) -> bool:
    before = search.words[: one.core]
    is_named = _is_named(one, search.words) and _TOLD_OF.isdisjoint(before[-3:])
    if before[-1:] == ["since"]:
        return False
    if one.is_over:  # `a work order for the radar, it failed last Friday` is not due then
        return is_named or (before[-1:] in (["for"], ["on"]) and _is_of_order(one, search))
    if not one.is_loose or _goes_on(one, search) or (is_named and before[-1] not in _GOES):
        return True
    return _is_of_order(one, search)


def _is_about(one: DateSpan, search: DateSearch) -> bool:
    """Tell whether no other kind of day was named before it: `the issue date`, `expires`."""
    named = list(_ABOUT.finditer(search.clause_before(one)))
    if not named:
        return True
    was_named = named[-1]["was"] is not None
    if search.toward is DateDirection.AHEAD:
        return not was_named
    return was_named or search.parts.isdisjoint({"issued", "opened"})


def _is_named(one: DateSpan, words: Sequence[str]) -> bool:
    """Tell whether it stands behind `due`, `by`, `to` or `until`, with `on` or `the` between."""
    place = one.core
    while place > 0 and words[place - 1] in _AFTER_TARGETS:
        place -= 1
    if place == 0 or words[place - 1] not in _TARGETS:
        return False
    return place == one.core or words[place - 1] not in _GOES or words[place] == "the"


def _goes_on(one: DateSpan, search: DateSearch) -> bool:
    """Tell whether it is named beside another day: `tomorrow or Friday`, `from tomorrow to Friday`.

    Of `change the rota from Sunday to Monday` neither may be of the slot.
    """
    normal, span = search.read.spoken.normal, (one.first, one.end)
    return any(
        _is_joined(other, one, search)
        or (not other.is_loose and is_range(normal, (other.first, other.end), [span]))
        for other in search.said
    )


def _is_of_order(one: DateSpan, search: DateSearch) -> bool:
    """Tell whether nothing but the order and what it names stands before: no title, no note."""
    spoken = search.read.spoken
    if one.first not in spoken.asked:
        return False
    known = set(search.used | spoken.verb_words)
    for mention in search.read.mentions:
        known |= {*range(mention.first, mention.end)}
    for thing in spoken.things.all:
        known |= {*range(thing.first, thing.end)}
    for other in search.said:
        known |= {*range(other.first, other.end)}
    counts = any(slot.type in ("integer", "number") for slot in search.action.slots.values())
    known |= {place for place, word in enumerate(search.words) if counts and word[0].isdigit()}
    others = [
        place
        for place in range(spoken.asked.start, one.first)
        if place not in known and search.words[place] not in _SAYS_NOTHING
    ]
    is_verb = not spoken.verb_words and others == [spoken.asked.start]  # of no catalogue: `push`
    return not others or is_verb


def _best(said: Sequence[DateSpan], search: DateSearch) -> Sequence[DateSpan]:
    """Keep those that are said to be the slot's, of the asking clause, and not those until now."""
    if search.parts & (BEGINS | ENDS):
        return said[:1]
    normal, asked = search.read.spoken.normal, search.read.spoken.asked
    spans = [(one.first, one.end) for one in said]
    is_ahead = search.toward is DateDirection.AHEAD
    is_through = any(is_range(normal, span, spans[at + 1 :]) for at, span in enumerate(spans))
    if is_through and not is_ahead and "date" not in search.words:
        return said  # `from Monday to Friday` is no day of what was, nor its new one
    new = without_corrected(normal, spans)
    said = [one for one in said if (one.first, one.end) in new]
    own = {part[:5] for part in search.parts}
    tests: tuple[Callable[[DateSpan], bool], ...] = (
        lambda one: any(word[:5] in own for word in search.words[: one.core][-3:]),
        lambda one: is_ahead and _is_named(one, search.words),
        lambda one: one.first >= asked.start,
    )
    for is_better in tests:
        said = _with_joined([one for one in said if is_better(one)], said, search) or said
    return said


def _with_joined(
    better: Sequence[DateSpan], said: Sequence[DateSpan], search: DateSearch
) -> Sequence[DateSpan]:
    """Keep the second of `due tomorrow or Friday` too: only the first is named."""
    joined = [one for one in said if any(_is_joined(other, one, search) for other in better)]
    return [one for one in said if one in better or one in joined]


def _is_joined(one: DateSpan, following: DateSpan, search: DateSearch) -> bool:
    between = search.words[one.end : following.first]
    return one.end <= following.first and _JOINS.issuperset(between)
