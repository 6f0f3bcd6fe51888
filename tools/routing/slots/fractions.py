"""Fractions as people write them: `ten and a half`, `half an hour`, `8,5 kg`, `8h30`, `10½`."""

import re
from collections.abc import Sequence
from typing import NamedTuple

from tools.routing.slots.measures import AT_NUMBER, MONEY_BEFORE, SIGNS, UNITS
from tools.routing.words.normalise import Normal

_PARTS = {"half": 0.5, "quarter": 0.25, "quarters": 0.25}
_OTHER_PARTS = frozenset({"halves", "third", "thirds", "fifth", "fifths", "eighth", "eighths"})
"""What no number with a few decimals is: it is for the person to say."""
_COUNTS = {"a": 1, "one": 1, "three": 3}
_ARTICLES = frozenset({"a", "an"})
_OTHERWISE = _ARTICLES | {"of", "dozen", "hundred", "thousand", "million"}
"""Behind `and a half`: it is a half of something else, `and a half dozen`."""
_CLOCK = re.compile(r"(\d{1,2})(?:h|hr|hrs)([0-5]\d)(?:m|min|mins)?")
_OF_LENGTH = frozenset({"for", "of", "was", "slept", "took", "worked", "rested", "lasted", "had"})
"""Before `8h30` these say that it is so long."""
_AT_TIME = frozenset({"at", "from", "between", "since", "until", "till", "before", "after"})
_GOES_TO = frozenset({"to", "and"})
_SLASHED = re.compile(r"(\d{1,2})/([1-9]\d?)")
_FINITE = frozenset({2, 4, 5, 8, 10})
"""Into so many parts a number is cut that has a few decimals."""
_VULGAR = {"½": 0.5, "¼": 0.25, "¾": 0.75}
_WRITTEN = re.compile(rf"(?P<whole>\d{{0,4}})(?P<part>[{''.join(_VULGAR)}])(?P<unit>[a-z]*)")
_DECIMALS = re.compile(r"\d{1,2}")


class Fraction(NamedTuple):
    """A number that goes on until the word `end`."""

    value: float
    end: int
    unit: str = ""
    """Where that is a part of it: `half an hour`."""
    is_sure: bool = True
    is_glued: bool = False
    """Only of a slot that is held in such a unit: `done in half an hour` counts nothing else."""


def fraction_at(normal: Normal, words: Sequence[str], place: int) -> Fraction | None:
    """Read `half an hour`, `an hour and a half`, `8,5 hours`, `8h30` and `10½` at a word."""
    return (
        _vulgar(normal, place)
        or _decimal(normal, words, place)
        or _clock(words, place)
        or _part_of_one(words, place)
        or _one_and_part(words, place)
    )


def with_fraction(normal: Normal, words: Sequence[str], value: float, end: int) -> Fraction | None:
    """Read what a number goes on with: `and a half hours`, `hours and a half`, `½`, `1/2`.

    Args:
        end: where the words of the number end.
    """
    following = normal.text[normal.tokens[end - 1].end :][:1]
    vulgar = _vulgar(normal, end) if following == " " and end < len(words) else None
    if vulgar is not None and vulgar.value < 1:
        return vulgar._replace(value=value + vulgar.value)
    if following == " " and _SLASHED.fullmatch(_word(words, end)):
        return _slashed(words, value, end)
    return _and_part(normal, words, value, end)


def _slashed(words: Sequence[str], value: float, end: int) -> Fraction:
    """Read `8 1/2 kg`; without a unit `8 1/6` may be a day as well."""
    over, under = map(int, words[end].split("/"))
    is_part = over < under and under in _FINITE
    is_sure = is_part and _word(words, end + 1) in UNITS
    return Fraction(value + over / under, end + 1, is_sure=is_sure)


def _and_part(normal: Normal, words: Sequence[str], value: float, end: int) -> Fraction | None:
    """Read `and a half hours` and `hours and a half`."""
    unit = words[end] if _word(words, end) in UNITS else ""
    place = end + bool(unit)
    is_and = _word(words, place) == "and"
    if not is_and and (place >= len(words) or _between(normal, place).strip() != "&"):
        return None
    part, stop = _part(words, place + is_and)
    if stop == place + is_and:
        return None
    behind = _word(words, stop)
    # `Two litres and a half day`: the half is one of days.
    is_other = behind in _OTHERWISE - {"of"} if unit else behind in _OTHERWISE
    is_other = is_other or (bool(unit) and behind in UNITS) or part is None
    if is_other or not value.is_integer():
        return Fraction(value, end, unit, is_sure=False)
    return Fraction(value + (part or 0), stop, unit)


def _word(words: Sequence[str], place: int) -> str:
    return words[place] if place < len(words) else ""


def _part(words: Sequence[str], place: int) -> tuple[float | None, int]:
    """Read `half`, `a quarter` or `three quarters`; gives the place to go on from."""
    count = _COUNTS.get(_word(words, place))
    at = place if count is None else place + 1
    if _word(words, at) in _OTHER_PARTS:
        return None, at + 1
    part = _PARTS.get(_word(words, at))
    return (None, place) if part is None else (part * (count or 1), at + 1)


def _part_of_one(words: Sequence[str], place: int) -> Fraction | None:
    """Read `half an hour`, `a quarter of an hour` and `a half hour`."""
    part, end = _part(words, place)
    if part is None:
        return None
    if _word(words, end) == "of" and _word(words, end + 1) in _ARTICLES:
        end += 1
    end += _word(words, end) in _ARTICLES
    unit = _word(words, end)
    return Fraction(part, end + 1, unit, is_glued=True) if unit in UNITS else None


def _one_and_part(words: Sequence[str], place: int) -> Fraction | None:
    """Read `an hour and a half`."""
    unit = _word(words, place + 1)
    if words[place] not in _ARTICLES or unit not in UNITS or _word(words, place + 2) != "and":
        return None
    part, end = _part(words, place + 3)
    is_other = _word(words, end) in UNITS or _word(words, end) in _OTHERWISE - {"of"}
    return None if part is None or is_other else Fraction(1 + part, end, unit, is_glued=True)


def _clock(words: Sequence[str], place: int) -> Fraction | None:
    """Read `8h30` as so many hours, where it is no time of day: `from 8h30 to 17h00`."""
    said = _CLOCK.fullmatch(words[place])
    before = words[max(0, place - 2) : place]
    is_end = before[-1:] and before[-1] in _GOES_TO and _CLOCK.fullmatch(before[0]) is not None
    if said is None or is_end or not _AT_TIME.isdisjoint(before[-1:]):
        return None
    is_length = _word(words, place + 1) == "of" or not _OF_LENGTH.isdisjoint(before[-1:])
    if not is_length:
        return None  # `log rest 22h30` may be when it ended
    return Fraction(int(said[1]) + int(said[2]) / 60, place + 1, "hours", is_glued=True)


def _decimal(normal: Normal, words: Sequence[str], place: int) -> Fraction | None:
    """Read the comma of `8,5 hours`: only a unit behind tells it from a list."""
    if not re.fullmatch(r"\d{1,3}", words[place]) or place + 1 >= len(words):
        return None
    if _between(normal, place) == "," or _between(normal, place + 1) != ",":
        return None
    glued = AT_NUMBER.fullmatch(words[place + 1])
    decimals = glued["digits"] if glued else words[place + 1]
    if not _DECIMALS.fullmatch(decimals):
        return None
    value = float(f"{words[place]}.{decimals}")
    if glued:
        return Fraction(value, place + 2, glued["unit"], is_glued=True)
    before = normal.text[: normal.tokens[place].start]
    after = normal.text[normal.tokens[place + 1].end :].lstrip(" ")[:1]
    is_measured = _word(words, place + 2) in UNITS and after.isalpha()
    is_signed = MONEY_BEFORE.search(before) is not None or (after != "" and after in SIGNS)
    return Fraction(value, place + 2) if is_measured or is_signed else None


def _vulgar(normal: Normal, place: int) -> Fraction | None:
    """Read `10½`, whose half became `1⁄2` when the text was brought into one form."""
    tokens = normal.tokens
    if normal.origin is None or place + 1 >= len(tokens) or _between(normal, place + 1) != "⁄":
        return None
    said = _WRITTEN.fullmatch(normal.written(tokens[place].start, tokens[place + 1].end).lower())
    if said is None or (said["unit"] and said["unit"] not in UNITS):
        return None
    value = int(said["whole"] or 0) + _VULGAR[said["part"]]
    return Fraction(value, place + 2, said["unit"], is_glued=bool(said["unit"]))


def _between(normal: Normal, place: int) -> str:
    """Give what stands between a word and the one before it."""
    if place == 0:
        return ""
    return normal.text[normal.tokens[place - 1].end : normal.tokens[place].start]
