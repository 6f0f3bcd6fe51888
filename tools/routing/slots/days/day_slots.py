"""Which of the days that a text says is the one of a slot, and which has to be asked about?"""

import re
from collections.abc import Callable, Sequence

from state.action import Action
from tools.routing.slots.days.said import Said
from tools.routing.slots.days.searching import NOTHING, DaySearch, Taken
from tools.routing.slots.days.spans import side_of_span, taken_of_span
from tools.routing.slots.days.toward import BEGINS, ENDS, Toward
from tools.routing.slots.directions import is_the_other_end
from tools.routing.slots.read import Read
from tools.routing.slots.superseded import is_range, without_old
from tools.routing.words.phrases import word_set
from tools.routing.words.signs import FUNCTION_WORDS

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


def taken_days(action: Action, name: str, read: Read, used: set[int]) -> Taken:
    """Find the day of a slot; of several that are left none, unless it holds many.

    Two slots that a summary puts as one span take one end of it each.
    """
    search = DaySearch(action, name, read, frozenset(used))
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
    is_over = search.toward is Toward.AHEAD and any(one.is_over for one in said)
    if None in days or is_over or (len(days) > 1 and not action.slots[name].many):
        return Taken((), places, " or ".join(map(search.written, said)))
    return Taken(tuple(day.isoformat() for day in days if day is not None), places)


def _may_be_meant(one: Said, search: DaySearch) -> bool:
    """Tell whether a day may be the one of the slot, by what stands before it."""
    beside = search.words[: one.core][-2:]
    if not _is_about(one, search) or is_the_other_end(search.parts, beside):
        return False
    if search.toward is Toward.AHEAD:
        return _may_lie_ahead(one, search)
    if not one.is_loose:
        return True
    if search.parts & BEGINS:
        return not {"since", "from", "after"}.isdisjoint(beside)
    if search.parts & ENDS:
        return not {"to", "until", "till", "before"}.isdisjoint(beside)
    is_asked = one.first in search.read.spoken.asked
    return is_asked or _PAST.search(search.clause_before(one)) is not None


def _may_lie_ahead(one: Said, search: DaySearch) -> bool:
    before = search.words[: one.core]
    is_named = _is_named(one, search.words) and _TOLD_OF.isdisjoint(before[-3:])
    if before[-1:] == ["since"]:
        return False
    if one.is_over:  # `a work order for the radar, it failed last Friday` is not due then
        return is_named or (before[-1:] in (["for"], ["on"]) and _is_of_order(one, search))
    if not one.is_loose or _goes_on(one, search) or (is_named and before[-1] not in _GOES):
        return True
    return _is_of_order(one, search)


def _is_about(one: Said, search: DaySearch) -> bool:
    """Tell whether no other kind of day was named before it: `the issue date`, `expires`."""
    named = list(_ABOUT.finditer(search.clause_before(one)))
    if not named:
        return True
    was_named = named[-1]["was"] is not None
    if search.toward is Toward.AHEAD:
        return not was_named
    return was_named or search.parts.isdisjoint({"issued", "opened"})


def _is_named(one: Said, words: Sequence[str]) -> bool:
    """Tell whether it stands behind `due`, `by`, `to` or `until`, with `on` or `the` between."""
    place = one.core
    while place > 0 and words[place - 1] in _AFTER_TARGETS:
        place -= 1
    if place == 0 or words[place - 1] not in _TARGETS:
        return False
    return place == one.core or words[place - 1] not in _GOES or words[place] == "the"


def _goes_on(one: Said, search: DaySearch) -> bool:
    """Tell whether it is named beside another day: `tomorrow or Friday`, `from tomorrow to Friday`.

    Of `change the rota from Sunday to Monday` neither may be of the slot.
    """
    normal, span = search.read.spoken.normal, (one.first, one.end)
    return any(
        _is_joined(other, one, search)
        or (not other.is_loose and is_range(normal, (other.first, other.end), [span]))
        for other in search.said
    )


def _is_of_order(one: Said, search: DaySearch) -> bool:
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


def _best(said: Sequence[Said], search: DaySearch) -> Sequence[Said]:
    """Keep those that are said to be the slot's, of the asking clause, and not those until now."""
    if search.parts & (BEGINS | ENDS):
        return said[:1]
    normal, asked = search.read.spoken.normal, search.read.spoken.asked
    spans = [(one.first, one.end) for one in said]
    is_ahead = search.toward is Toward.AHEAD
    is_through = any(is_range(normal, span, spans[at + 1 :]) for at, span in enumerate(spans))
    if is_through and not is_ahead and "date" not in search.words:
        return said  # `from Monday to Friday` is no day of what was, nor its new one
    new = without_old(normal, spans)
    said = [one for one in said if (one.first, one.end) in new]
    own = {part[:5] for part in search.parts}
    tests: tuple[Callable[[Said], bool], ...] = (
        lambda one: any(word[:5] in own for word in search.words[: one.core][-3:]),
        lambda one: is_ahead and _is_named(one, search.words),
        lambda one: one.first >= asked.start,
    )
    for is_better in tests:
        said = _with_joined([one for one in said if is_better(one)], said, search) or said
    return said


def _with_joined(better: Sequence[Said], said: Sequence[Said], search: DaySearch) -> Sequence[Said]:
    """Keep the second of `due tomorrow or Friday` too: only the first is named."""
    joined = [one for one in said if any(_is_joined(other, one, search) for other in better)]
    return [one for one in said if one in better or one in joined]


def _is_joined(one: Said, following: Said, search: DaySearch) -> bool:
    between = search.words[one.end : following.first]
    return one.end <= following.first and _JOINS.issuperset(between)
