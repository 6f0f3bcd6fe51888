"""Calendar words, spans of date expressions, offsets.

(`a week later`) and past or future leaning.
"""

import re
from collections.abc import Iterator
from contextlib import suppress
from datetime import date
from enum import StrEnum
from functools import lru_cache
from typing import NamedTuple

from state.action import Action
from tools.nlu.lexicon.closed_classes import ORDINAL_WORDS, WEEKDAY, WEEKDAYS
from tools.nlu.lexicon.normalization import Normal, word_set, words_of
from tools.platform.clock import shift_of

MONTHS = (
    ("january", "jan"), ("february", "feb"), ("march", "mar"), ("april", "apr"), ("may",),
    ("june", "jun"), ("july", "jul"), ("august", "aug"), ("september", "sep", "sept"),
    ("october", "oct"), ("november", "nov"), ("december", "dec"),
)  # fmt: skip
"""In their order, each with its short forms."""
MONTH_NAMES = tuple(names[0] for names in MONTHS)
SURELY_TIMES = frozenset(MONTH_NAMES) - {"may"} | frozenset(WEEKDAYS)
"""Words that name a month or a day and nothing else: `may` is asked with."""


ORDINALS = (
    {word: number for number, word in enumerate(ORDINAL_WORDS, start=1)}
    | {f"twenty {word}": 20 + number for number, word in enumerate(ORDINAL_WORDS[:9], start=1)}
    | {"thirtieth": 30, "thirty first": 31}
)
"""Their numbers by their words, joined by a space."""


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


COUNTS = {
    "a": 1, "an": 1, "one": 1, "another": 1, "two": 2, "a couple of": 2, "a further": 1, "three": 3,
    "four": 4, "five": 5, "six": 6, "seven": 7, "eight": 8, "nine": 9, "ten": 10, "twelve": 12,
    "fourteen": 14,
}  # fmt: skip
COUNT = "|".join(sorted(COUNTS, key=len, reverse=True))
_SPAN = re.compile(
    rf"(?:(?<![\w.,/+-])|(?<!\S)(?P<signed>[+-]))(?P<count>\d{{1,3}}|{COUNT})"
    r"(?: (?P<more>more|extra|further))?[ -]"
    r"(?P<unit>day|week|fortnight|month|year)s?(?![\w-])(?P<behind> (?:later|longer|more|extra"
    r"|further|off|after(?! \w)|earlier|sooner|ago|from now|from today))?"
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
FORTNIGHT = {"fortnight": ("week", 2)}


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
    for found in _SPAN.finditer(text):
        behind = (found["behind"] or "").strip()
        if behind in _AGO or _NO_MOVE.search(text, 0, found.start()):
            continue
        if not behind and _FROM_ANOTHER_DAY.match(text, found.end()):
            continue
        sign = _sign(found, behind, text, direction)
        if sign:
            with suppress(ValueError):  # 0 days, or a thousand and more, are no move
                yield _span(normal, found, _shift(found, sign))


def _sign(found: re.Match[str], behind: str, text: str, direction: int) -> int:
    if found["signed"]:
        return -1 if found["signed"] == "-" else 1
    if behind in ("earlier", "sooner"):
        return -1
    if behind or found["more"] or found["count"] in ("another", "a further"):
        return 1
    rest = f"{text[: found.start()]} {text[found.end() :]}"
    if _UNSURE.search(rest):
        return 0
    is_earlier, is_later = _EARLIER.search(rest) is not None, _LATER.search(rest) is not None
    if is_earlier is is_later:
        return 0 if is_earlier else direction
    return -1 if is_earlier else 1


def _shift(found: re.Match[str], sign: int) -> str:
    count = COUNTS.get(found["count"]) or int(found["count"])
    unit, times = FORTNIGHT.get(found["unit"], (found["unit"], 1))
    return shift_of(sign * count * times, unit)


def _span(normal: Normal, found: re.Match[str], value: str) -> OffsetSpan:
    inside = [
        place
        for place, token in enumerate(normal.tokens)
        if found.start() <= token.start < found.end()
    ]
    return OffsetSpan(value, inside[0], inside[-1] + 1)


_TO_COME = word_set("due deadline expires expiry until")
"""In the name of a slot: a day that lies ahead."""
BEGINS = word_set("since from start")
"""In the name of a slot: where a time begins, `from March to May`."""
ENDS = word_set("to end till")
_WAS = word_set(
    "newest latest recorded happened past issued opened closed logged done reported gone"
)
"""In the name or the description of a slot: a day that is over."""
_PERIOD = "(?:days?|weeks?|weekends?|fortnights?|months?|quarters?|years?)"
_NAMED = rf"(?:{_PERIOD}|{'|'.join((*WEEKDAYS, *MONTH_NAMES))}|spring|summer|autumn|winter|fall)"
_AHEAD = re.compile(
    rf"\b(?:tomorrow|tonight|(?:next|coming) (?:\w+ )?{_NAMED}|from (?:now|today)"
    rf"|(?:with)?in (?:{COUNT}|\d+) {_PERIOD})\b",
    re.IGNORECASE,
)
_BEHIND = re.compile(
    rf"\b(?:yesterday|last (?:night|(?:\w+ )?{_NAMED})|ago|(?:this|the) past)\b", re.IGNORECASE
)


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
    ahead = sum(_AHEAD.search(one) is not None for one in examples)
    behind = sum(_BEHIND.search(one) is not None for one in examples)
    if ahead > 3 * behind:
        return DateDirection.AHEAD
    return DateDirection.BEHIND if behind > 3 * ahead else DateDirection.UNKNOWN
