"""By how much is a day moved: `push it back a week`, `three days earlier`, `one more month`?"""

import re
from collections.abc import Iterator
from contextlib import suppress
from datetime import date
from typing import NamedTuple

from state.action import Action
from tools.routing.slots.days.said import Said, said_at
from tools.routing.words.normalise import Normal, words_of
from tools.shift import shift_of, shifted

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
    r"| (?:on )?(?:today|tomorrow|(?:mon|tues|wednes|thurs|fri|satur|sun)day)\b"
)
"""Behind an amount: the day is told by another one than that which the thing has."""
_NO_MOVE = re.compile(r"(?:within|in|since|past|last|next|every|after|the|first|than|half|and a) $")
_IN, _AGO = re.compile(r"\bin $"), frozenset({"ago", "from now", "from today"})
FORTNIGHT = {"fortnight": ("week", 2)}


class Span(NamedTuple):
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


def shifts_in(normal: Normal, direction: int = 0) -> Iterator[Span]:
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


def days_away_in(normal: Normal, today: date) -> Iterator[Said]:
    """Read `in two weeks`, `10 days from now` and `three days ago` as the day that is meant."""
    for found in _SPAN.finditer(normal.text):
        behind = (found["behind"] or "").strip()
        is_in = not behind and _IN.search(normal.text, 0, found.start()) is not None
        if not found["signed"] and (is_in or behind in _AGO):
            with suppress(ValueError):  # as above, or outside the calendar
                day = shifted(today, _shift(found, -1 if behind == "ago" else 1))
                start, end = found.span()
                yield said_at(normal, start, end, day, is_over=behind == "ago")


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


def _span(normal: Normal, found: re.Match[str], value: str) -> Span:
    inside = [
        place
        for place, token in enumerate(normal.tokens)
        if found.start() <= token.start < found.end()
    ]
    return Span(value, inside[0], inside[-1] + 1)
