"""Values that need no names: numbers, dates, yes or no, lists of words."""

from typing import Any

from state.action import Slot
from tools.routing.slots.days.day_slots import taken_days
from tools.routing.slots.days.shifts import shifts_in
from tools.routing.slots.days.units import in_unit_of, window_of
from tools.routing.slots.named import Read
from tools.routing.slots.numerals import days_in, numbers_in
from tools.routing.slots.superseded import without_old
from tools.routing.slots.texts.free_text import parted, written
from tools.routing.speech_acts.denied_values import denied_from, takes_denied
from tools.routing.words.normalise import words_of
from tools.routing.words.phrases import Match, Phrases, word_set

_BEGIN = frozenset({"from", "since", "start", "min"})
"""In the name of a slot: it is the first number of a range."""
_CHANGES = word_set(
    "change correct update adjust set raise lower reduce increase move bump make edit fix amend "
    "bring actually instead rather not was were"
)
"""Without any of these `from 3 to 7` is how many there may be, and not the old and the new one."""
_NOT = frozenset({"not", "no", "without", "non"})


def plain_value(name: str, slot: Slot, read: Read, used: set[int]) -> Any:  # by slot type
    """Read a number, a date, a yes or no, or a list from the words that are not used yet."""
    if slot.choices:
        return _choice(name, slot, read, used)
    match slot.type:
        case "integer" | "number":
            return _number(name, slot, read, used)
        case "date":
            return _date(name, slot, read, used)
        case "shift":
            return _shift(read, used)
        case "boolean":
            return _boolean(name, read)
    return _told_list(read, used)


def _choice(name: str, slot: Slot, read: Read, used: set[int]) -> str | list[str] | None:
    """Take the one of the slot's choices that is said; of several none, unless it holds many."""
    words = [token.text for token in read.spoken.normal.tokens]
    said = Phrases[str]()
    for choice in slot.choices:
        said.add(words_of(choice), choice)
        said.add(words_of(f"un{choice}"), choice)  # `unread`: denied in one word
    found = said.find(words, lambda place: place in read.spoken.kept and place not in used)
    found = [one for one in found if _is_denied(one, read) == takes_denied(name)]
    values = list(dict.fromkeys(match.payloads[0] for match in found))
    if not values or (len(values) > 1 and not slot.many):
        return None
    used.update(place for match in found for place in range(match.first, match.end))
    return values if slot.many else values[0]


def _is_denied(match: Match[str], read: Read) -> bool:
    token = read.spoken.normal.tokens[match.first]
    is_un = token.text == f"un{words_of(match.payloads[0])[0]}"
    return is_un or denied_from(read.spoken.normal.text, token.start) is not None


def _number(name: str, slot: Slot, read: Read, used: set[int]) -> Any:  # a number, or a list
    """Take the number beside the slot's own name, else the only one that is part of nothing else.

    "4 or 5", "40, sorry, 4", "½": which one is for the person to say.
    """
    normal = read.spoken.normal
    words = [token.text for token in normal.tokens]
    taken = {place for m in read.mentions for place in range(m.first, m.end)} | used
    taken |= {place for day in days_in(normal, None) for place in range(day.first, day.end)}
    own = set(name.split("_"))
    fitting = [
        number
        for number in numbers_in(normal)
        if number.first in read.spoken.kept and not taken & set(range(number.first, number.end))
    ]
    if not slot.many and not own & _BEGIN and not _CHANGES.isdisjoint(words):
        new = without_old(normal, [(one.first, one.end) for one in fitting])
        fitting = [one for one in fitting if (one.first, one.end) in new]

    def is_named(place: int, end: int) -> bool:
        return bool(own & {*words[max(0, place - 1) : place], *words[end : end + 1]})

    named = [number for number in fitting if is_named(number.first, number.end)]
    best = fitting if slot.many else named or fitting
    is_whole = slot.type == "integer"
    window = window_of(name, words) if not best else None
    if window is not None and window.first in read.spoken.kept:
        used.update(range(window.first, window.end))
        return [window.days] if slot.many else window.days
    if not best or (len(best) > 1 and not slot.many):
        return None
    found = [in_unit_of(name, one.value, words[one.end : one.end + 1]) for one in best]
    if not all(one.is_sure for one in best):
        return None
    if is_whole and not all(value.is_integer() for value in found):
        return None
    used.update(place for one in best for place in range(one.first, one.end))
    values = [int(value) if value.is_integer() else value for value in found]
    return list(dict.fromkeys(values)) if slot.many else values[0]


def _date(name: str, slot: Slot, read: Read, used: set[int]) -> str | list[str] | None:
    taken = taken_days(name, slot, read, used)
    if not taken.values:
        return None
    used |= taken.places
    return list(taken.values) if slot.many else taken.values[0]


def day_gone_by(name: str, read: Read, used: set[int]) -> str | None:
    """Find what was said of the day of a slot and tells none that it can be.

    `Due last Friday`, `due tomorrow or Friday` and `on next Friday` are asked about, not dropped;
    in `it failed last Friday` the day is of something else.
    """
    taken = taken_days(name, None, read, used)
    if taken.asked is not None:
        used |= taken.places
    return taken.asked


def _shift(read: Read, used: set[int]) -> str | None:
    """Take the one move that is said; two are for the person to choose from."""
    found = [
        one
        for one in shifts_in(read.spoken.normal)
        if one.first in read.spoken.kept and used.isdisjoint(range(one.first, one.end))
    ]
    if len(found) != 1:
        return None
    used.update(range(found[0].first, found[0].end))
    return found[0].value


def _boolean(name: str, read: Read) -> bool | None:
    words = [token.text for token in read.spoken.normal.tokens]
    own = name.removeprefix("is_").removeprefix("has_").split("_")
    for place in range(len(words) - len(own) + 1):
        if words[place : place + len(own)] == own and place in read.spoken.kept:
            return place == 0 or words[place - 1] not in _NOT
    return None


def _told_list(read: Read, used: set[int]) -> list[str] | None:
    """Part what is told behind a colon; what no colon brings is for the free words to find."""
    first, end = read.spoken.content_first, len(read.spoken.normal.tokens)
    if first is None:
        return None
    items = parted(written(read.spoken.normal, first, end))
    used.update(range(first, end))
    return items or None
