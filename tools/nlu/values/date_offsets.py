"""Calendar words, days at their words, moves (`a week later`) and past or future leaning."""

import re
from collections.abc import Iterator, Mapping
from contextlib import suppress
from datetime import date
from enum import StrEnum
from functools import lru_cache
from typing import NamedTuple

from state.action import Action
from tools.nlu.lexicon.closed_classes import WEEKDAY, WEEKDAYS, read_lexicon
from tools.nlu.lexicon.normalization import Normal, word_set, words_of
from tools.nlu.values.day_rules import whole_units
from tools.nlu.values.engine import ANY_DAY, extract_kinds
from tools.nlu.values.model import Kind, Side
from tools.platform.clock import shift_of

_WORDS = read_lexicon("en")["words"]
MONTHS: Mapping[str, int] = _WORDS["month"]
"""Their numbers by their names and the short forms of those."""
MONTH_NAMES = tuple(
    dict(zip(list(MONTHS.values())[::-1], list(MONTHS)[::-1], strict=True)).values()
)
SURELY_TIMES = frozenset(MONTH_NAMES) - {"may"} | frozenset(WEEKDAYS)
"""Words that name a month or a day and nothing else: `may` is asked with."""
ORDINALS: Mapping[str, int] = _WORDS["ordinalword"]
"""Their numbers by their words."""


class DateSpan(NamedTuple):
    """A day, said by the words `first` to `end`."""

    value: date | None
    """None: it was said, and which day it is cannot be told."""
    first: int
    end: int
    core: int
    """Where the day itself begins, behind `by`, `due` and the like."""
    is_loose: bool = False
    """It is one only by what is asked for: `on the 19th`, `Friday`, `next month`."""
    is_over: bool = False
    """It is said as one gone by, whether it can be told or not: `last night`."""


def date_span_at(
    normal: Normal,
    start: int,
    end: int,
    value: date | None,
    *,
    core: int | None = None,
    is_loose: bool = False,
    is_over: bool = False,
) -> DateSpan:
    """Give what is said by the characters `start` to `end`; the day itself begins at `core`."""
    tokens = normal.tokens
    inside = [place for place, one in enumerate(tokens) if one.start < end and start < one.end]
    begins = start if core is None else core
    at = next((place for place in inside if tokens[place].end > begins), inside[0])
    return DateSpan(value, inside[0], inside[-1] + 1, at, is_loose, is_over)


_DURATIONS = frozenset({Kind.DURATION})
_SIGNED = re.compile(r"(?:^|\s)([+-])$")
_MORE = re.compile(r"(?:another|a further)\b|.*\b(?:more|extra|further)\b")
_BEHIND_IT = re.compile(
    r" (?:later|longer|more|extra|further|off|after(?! \w)|earlier|sooner|ago|from now|from today)"
)
_LATER = re.compile(
    r"\b(?:postpon\w*|delay\w*|defer\w*|extend\w*|extension|prolong\w*|put(?:ting)?(?: [\w-]+){0,4}"
    r" off|push(?:ed|ing)?|mov(?:e|ed|ing)(?: [\w-]+){1,4} (?:back|on|out)|wait|slip\w*|back)\b"
)
_PROLONGS = re.compile(r"\b(?:lengthen|renew|later|snooze)\b")
"""As `_LATER`, of an action's own words."""
_EARLIER = re.compile(r"\b(?:forward|ahead|earlier|sooner|pull(?:ed|ing)?(?: [\w-]+){1,4} in)\b")
_UNSURE = re.compile(
    r"\b(?:bring|brings|bringing|brought)(?: [\w-]+){1,4} back\b|\bpush\w*\b.*\bforward\b"
)
"""Back is later for who pushes and earlier for who brings."""
_FROM_ANOTHER_DAY = re.compile(
    r" (?:from|after|before|prior to|following) (?!(?:it|that|this)\b"
    r"|(?:its|the)(?: \w+){0,2} (?:date|day)\b)\w"
    rf"| (?:on )?(?:today|tomorrow|{WEEKDAY})\b"
)
"""Behind an amount: the day is told by another one than that which the thing has."""
_NO_MOVE = re.compile(r"(?:within|in|since|past|last|next|every|after|the|first|than|half|and a) $")
_AGO = frozenset({"ago", "from now", "from today"})


class OffsetSpan(NamedTuple):
    """Words `first` to `end` that tell a shift."""

    value: str
    first: int
    end: int


def direction_of(action: Action) -> int:
    """Tell which way an action moves a day by its own words: 1 later, -1 earlier, 0 either."""
    said = " ".join(words_of(" ".join((action.name, *action.words))))
    is_later = _PROLONGS.search(said) is not None or _LATER.search(said) is not None
    is_earlier = _EARLIER.search(said) is not None
    return 0 if is_earlier is is_later else -1 if is_earlier else 1


def offsets_in(normal: Normal, direction: int = 0) -> Iterator[OffsetSpan]:
    """Read by how much something is moved; a direction has to be said, or nothing is.

    Args:
        direction: the only way that the action goes: who extends a loan need not say it.
    """
    text = normal.text
    for one in extract_kinds(text, ANY_DAY, _DURATIONS):
        of, found = whole_units(one.payload), _BEHIND_IT.match(text, one.end)
        behind = found[0].strip() if found else ""
        if of is None or of.is_vague or behind in _AGO or _NO_MOVE.search(text, 0, one.start):
            continue
        if not behind and _FROM_ANOTHER_DAY.match(text, one.end):
            continue
        signed = _SIGNED.search(text, 0, one.start)
        is_more = _MORE.match(text[one.start : one.end]) is not None
        rest = f"{text[: one.start]} {text[found.end() if found else one.end :]}"
        sign = -1 if signed and signed[1] == "-" else 1
        if signed is None:
            sign = _sign(behind, rest, direction, is_more=is_more)
        if sign:
            with suppress(ValueError):  # 0 days, or a thousand and more, are no move
                end = found.end() if found else one.end
                span = date_span_at(normal, one.start, end, None)
                yield OffsetSpan(shift_of(sign * int(of.value), of.unit), span.first, span.end)


def _sign(behind: str, rest: str, direction: int, *, is_more: bool) -> int:
    if behind in ("earlier", "sooner"):
        return -1
    if behind or is_more:
        return 1
    if _UNSURE.search(rest):
        return 0
    is_earlier, is_later = _EARLIER.search(rest) is not None, _LATER.search(rest) is not None
    if is_earlier is is_later:
        return 0 if is_earlier else direction
    return -1 if is_earlier else 1


_TO_COME = word_set("due deadline expires expiry until")
"""In the name of a slot: a day that lies ahead."""
BEGINS = word_set("since from start")
"""In the name of a slot: where a time begins, `from March to May`."""
ENDS = word_set("to end till")
_WAS = word_set(
    "newest latest recorded happened past issued opened closed logged done reported gone"
)
"""In the name or the description of a slot: a day that is over."""
_TIMES = frozenset({Kind.DATE, Kind.INSTANT, Kind.PERIOD})


class DateDirection(StrEnum):
    """Where the day lies that is looked for; it tells which Friday `Friday` is."""

    AHEAD = "ahead"
    BEHIND = "behind"
    UNKNOWN = "unknown"


def date_direction_of(action: Action, name: str) -> DateDirection:
    """Tell where the day of a slot has to lie: by its name or description, or else by the examples.

    By these only of a change: one that is asked for `tomorrow` and never of `yesterday` plans what
    is to come. A read may be of either side; `leaning_of` tells on which of them `Friday` is.
    """
    toward = _by_name(action, name)
    if toward is DateDirection.UNKNOWN and action.effect != "read":
        return leaning_of(action, name)
    return toward


def leaning_of(action: Action, name: str) -> DateDirection:
    """Tell on which side a day lies whose own words leave that open."""
    toward = _by_name(action, name)
    if toward is DateDirection.UNKNOWN and ENDS.isdisjoint(name.split("_")):
        return _by_examples(action.examples)
    return toward


def _by_name(action: Action, name: str) -> DateDirection:
    own = {*name.split("_")}
    if own & _TO_COME:
        return DateDirection.AHEAD
    own |= {*words_of(action.slots[name].description)}
    return DateDirection.BEHIND if own & (_WAS | BEGINS) else DateDirection.UNKNOWN


@lru_cache(maxsize=4096)
def _by_examples(examples: tuple[str, ...]) -> DateDirection:
    sides = [
        Side.AHEAD if one.rule == "this_part" and one.time.side is Side.OPEN else one.time.side
        for example in examples
        for one in extract_kinds(example, ANY_DAY, _TIMES)
    ]
    ahead, behind = sides.count(Side.AHEAD), sides.count(Side.BEHIND)
    if ahead > 3 * behind:
        return DateDirection.AHEAD
    return DateDirection.BEHIND if behind > 3 * ahead else DateDirection.UNKNOWN
