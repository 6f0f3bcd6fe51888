"""Relative changes (`two hours less`) and corrected values (`not 3 but 7`)."""

import re
from collections.abc import Collection, Sequence
from functools import lru_cache

from state.action import Action
from tools.nlu.lexicon.closed_classes import read_lexicon
from tools.nlu.lexicon.normalization import Normal, normalise, singular, word_set
from tools.nlu.slots.free_text import TextParts
from tools.nlu.values.numbers import numbers_in
from tools.nlu.values.units import UNITS, Number
from tools.nlu.values.views import date_spans_in

Place = tuple[int, int]
"""The words `first` to `end` of a value."""
_OLD_BEFORE = re.compile(
    r"\b(?:instead of|rather than|in place of|not|no longer|isn't|wasn't)"
    r"(?: (?:on|by|at|the|due|for))*$"
)
_WAS = re.compile(
    r"\b(?:was|were|used to be|had been"
    r"|(?:is|are)(?: (?:still|now|currently))? (?:due|set|down|planned))"
    r"(?: (?:to be|only|still|set|due|planned|on|for|at|down))*$"
)
_NEW = re.compile(
    r"\b(?:make|set|put|move|change|should be|is now|now|to|but|becomes?|it's|it is)\b"
)
_BETWEEN = re.compile(r"(?: ?[\w'%]+){0,3},? (?:over |on )?(?:to|until|till) (?:the )?")


def without_corrected(normal: Normal, places: Sequence[Place]) -> Collection[Place]:
    """Leave out what is said to be the value until now, where the new one is said as well."""
    new = [one for at, one in enumerate(places) if not _is_old(normal, one, places[at + 1 :])]
    return new or places


def is_range(normal: Normal, one: Place, following: Sequence[Place]) -> bool:
    """Tell whether a value begins `from one to another`."""
    if not following:
        return False
    tokens = normal.tokens
    before = normal.text[: tokens[one[0]].start]
    between = normal.text[tokens[one[1] - 1].end : tokens[following[0][0]].start]
    is_from = re.search(r"\bfrom (?:the )?$", before) is not None
    is_arrow = re.fullmatch(r"\s*(?:-+>|=>|→)\s*", between) is not None
    return is_arrow or (is_from and _BETWEEN.fullmatch(between) is not None)


def _is_old(normal: Normal, one: Place, following: Sequence[Place]) -> bool:
    before = normal.text[: normal.tokens[one[0]].start].rstrip()
    if _OLD_BEFORE.search(before) or is_range(normal, one, following):
        return True
    if not following or not _WAS.search(before):
        return False
    start, stop = normal.tokens[one[1] - 1].end, normal.tokens[following[0][0]].start
    return _NEW.search(normal.text[start:stop]) is not None


_MORE = word_set("more extra further additional")
_MORE_BEFORE = _MORE | {"another"}
_THAN = 8
"""Words within which `than` follows: `two more filters than last time`."""
_BOUNDS_BEFORE = re.compile(r"(?:at most|at least|up to|(?:more|less|fewer) than|under|over)$")
_BOUNDS_BEHIND = frozenset({"at most", "at least", "or more", "or less", "or so"})
"""A change needs the number itself: `set it to under 1500` says none."""
_ENOUGH_TO = re.compile(r"\benough(?: [\w-]+){0,3} (?:to|for) (?:have|get|reach|make|bring)\b")
"""`Order enough bulbs to have 12`: how many that are is to be counted first."""
_BY = re.compile(
    r"\bby(?: (?:a|an|about|around|roughly|some|only|just|exactly|another|a further))?$"
)
_REPLACES = word_set("replace exchange substitute swap")
"""What is replaced by 7 becomes 7."""
_LESS = frozenset(read_lexicon("en")["words"]["smaller"])
_LONGER = frozenset(read_lexicon("en")["words"]["larger"])
"""Of what is set; else it may be the amount itself: `snooze it 10 minutes longer`."""
_TOO = word_set("high low many much few little long short big small heavy light")
_GAINED = word_set("plus gained gains lost loses")
_UP = frozenset({"up", "down"})
_TURNS = word_set("raise lower turn correct adjust change move bump increase reduce amend fix")
"""With these `up 2` is a change; `write down 2` is none."""
_ADDS = word_set("add adds added adding")
_TAKES = word_set("take takes took knock shave cut deduct subtract remove trim drop")
_MOVES = word_set("raise lower increase reduce decrease drop cut bump lift knock shave trim nudge")
_AT = word_set("to at is be of than into from on")
"""Between these and a number it is what is moved to, or where it was: `drop it to 17`."""
_TO, _OFF = frozenset({"to", "onto"}), frozenset({"off", "from"})
_END = 4
"""Words behind a number within which the text may end on `less`: `two hours of rest less`."""
_PARTED = re.compile(r"[,;.:!?\n]")
_NEAR = 6
"""Words within which the slot or the action's thing is named: `add 2 hours to Tom's rest`."""


def is_set(action: Action, name: str) -> bool:
    """Tell whether the slot is what something is set to, by the summary: `Set … to {level}`."""
    return re.search(rf"(?:\bto|\bat|[:=]) \{{{name}\}}", action.summary) is not None


def is_relative(action: Action, name: str, number: Number, spoken: TextParts) -> bool:
    """Tell whether it is by how much, or beside what else, and not how much: `dim it by 10`."""
    words = spoken.normal.words
    behind, before = _behind(words, number), words[max(0, number.first - 2) : number.first]
    is_more = not _MORE.isdisjoint(behind[:1]) or not _MORE_BEFORE.isdisjoint(before[-1:])
    if is_more and ("than" in behind[:_THAN] or is_set(action, name)):
        return True
    is_bound = _BOUNDS_BEFORE.search(" ".join(before)) or " ".join(behind[:2]) in _BOUNDS_BEHIND
    if is_bound and action.effect != "read":
        return True
    if _ENOUGH_TO.search(" ".join(words[: number.first])):
        return True
    if action.effect == "read":
        return False
    way = _way(spoken.normal, number, is_level=is_set(action, name))
    is_change = way != "" or _is_added(action, name, number, spoken)
    return is_change and not _is_moved(action.summary, name, action.examples)


def _behind(words: Sequence[str], number: Number) -> Sequence[str]:
    """Give what stands behind a number and its unit."""
    behind = words[number.end :]
    return behind[1:] if behind and behind[0] in UNITS else behind


def _way(normal: Normal, number: Number, *, is_level: bool) -> str:
    """Tell how a change is said: `by two`, or `two less`.

    Args:
        is_level: it is of what is set, of which more words tell a change: `two hours longer`.
    """
    words = normal.words
    if _BY.search(" ".join(words[max(0, number.first - 3) : number.first])):
        return "" if not _REPLACES.isdisjoint(words[: number.first]) else "by"
    parted = _PARTED.search(normal.text, normal.tokens[number.end - 1].end)
    near = [one.text for one in normal.tokens if parted is None or one.start < parted.start()]
    behind, before = _behind(near, number), words[: number.first][-1:]
    is_too = behind[:1] == ["too"] and not _TOO.isdisjoint(behind[1:2])
    is_fewer = 0 < len(behind) <= _END and behind[-1] in ("less", "fewer")
    if is_too or is_fewer or not _LESS.isdisjoint(behind[:1]):
        return "less"
    is_up = not _UP.isdisjoint(before) and not _TURNS.isdisjoint(words)
    is_more = is_up or not _GAINED.isdisjoint(before) or not _LONGER.isdisjoint(behind[:1])
    return "less" if is_level and (is_more or _is_moved_by(words, number)) else ""


def _is_moved_by(words: Sequence[str], number: Number) -> bool:
    """Tell `drop the attic 3 degrees` from `drop the attic to 17 degrees`."""
    verbs = [place for place in range(number.first) if words[place] in _MOVES]
    return verbs != [] and _AT.isdisjoint(words[verbs[-1] : number.first])


def _is_added(action: Action, name: str, number: Number, spoken: TextParts) -> bool:
    """Tell whether it is added to what there is: `add two hours to Tom's rest`."""
    words = spoken.normal.words
    if not _adds(words, number):
        return False
    start = len(words) - len(_behind(words, number)) + 1
    about = range(start, min(len(words), start + _NEAR))
    own = {*name.split("_"), singular(name)}
    things = (one for one in spoken.things.all if one.name == action.object)
    is_named = any(words[place] in own for place in about)
    return is_named or any(one.first in about for one in things)


def _adds(words: Sequence[str], number: Number) -> bool:
    """Tell whether `add` or `take` stands before a number, and `to` or `off` behind it."""
    before = words[max(0, number.first - 2) : number.first]
    behind = _behind(words, number)
    behind = behind[1:2] if behind and behind[0] in _MORE else behind[:1]
    is_added = not _ADDS.isdisjoint(before) and not _TO.isdisjoint(behind)
    return is_added or (not _TAKES.isdisjoint(before) and not _OFF.isdisjoint(behind))


@lru_cache(maxsize=4096)
def _is_moved(summary: str, name: str, examples: tuple[str, ...]) -> bool:
    """Tell whether somebody asks for it by how much: `raise the heat by two`.

    An example that says what it comes to as well asks for that: `extend it by one to make 11`.
    """
    shown = re.sub(r"\{\w+\}", "it", summary.replace(f"{{{name}}}", "2"))
    return any(map(_says_change, (shown, *examples)))


def _says_change(text: str) -> bool:
    normal = normalise(text)
    words = normal.words
    days = {place for day in date_spans_in(normal, None) for place in range(day.first, day.end)}
    found = [one for one in numbers_in(normal) if one.first not in days]
    if len(found) != 1:
        return False
    return _way(normal, found[0], is_level=True) != "" or _adds(words, found[0])
