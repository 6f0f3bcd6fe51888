"""Values that need no names: numbers, dates, yes or no, lists of words."""

from typing import Any

from state.action import Action, Slot
from tools.routing.slots.days.day_slots import taken_days
from tools.routing.slots.days.shifts import direction_of, shifts_in
from tools.routing.slots.quantities import number_of
from tools.routing.slots.read import Read
from tools.routing.slots.texts.free_text import parted, written
from tools.routing.speech_acts.denied_values import denied_from, takes_denied
from tools.routing.words.normalise import words_of
from tools.routing.words.phrases import Match, Phrases

_NOT = frozenset({"not", "no", "without", "non"})


def plain_value(action: Action, name: str, read: Read, used: set[int]) -> Any:  # by slot type
    """Read a number, a date, a yes or no, or a list from the words that are not used yet."""
    slot = action.slots[name]
    if slot.choices:
        return _choice(name, slot, read, used)
    match slot.type:
        case "integer" | "number":
            return number_of(action, name, read, used)
        case "date":
            return _date(action, name, read, used)
        case "shift":
            return _shift(action, read, used)
        case "boolean":
            return _boolean(name, read)
    return _told_list(read, used)


def _choice(name: str, slot: Slot, read: Read, used: set[int]) -> str | list[str] | None:
    """Take the one of the slot's choices that is said; of several none, unless it holds many."""
    words = read.spoken.normal.words
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


def _date(action: Action, name: str, read: Read, used: set[int]) -> str | list[str] | None:
    taken = taken_days(action, name, read, used)
    if not taken.values:
        return None
    used |= taken.places
    return list(taken.values) if action.slots[name].many else taken.values[0]


def day_gone_by(action: Action, name: str, read: Read, used: set[int]) -> str | None:
    """Find what was said of the day of a slot and tells none that it can be.

    `Due last Friday`, `due tomorrow or Friday` and `on next Friday` are asked about, not dropped;
    in `it failed last Friday` the day is of something else.
    """
    taken = taken_days(action, name, read, used)
    if taken.asked is not None:
        used |= taken.places
    return taken.asked


def _shift(action: Action, read: Read, used: set[int]) -> str | None:
    """Take the one move that is said; two are for the person to choose from."""
    found = [
        one
        for one in shifts_in(read.spoken.normal, direction_of(action))
        if one.first in read.spoken.kept and used.isdisjoint(range(one.first, one.end))
    ]
    if len(found) != 1:
        return None
    used.update(range(found[0].first, found[0].end))
    return found[0].value


def _boolean(name: str, read: Read) -> bool | None:
    words = read.spoken.normal.words
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
