"""Read numbers, fractions and days as people write them; what is ambiguous is not read."""

import re
from collections.abc import Iterator, Sequence
from datetime import date
from itertools import pairwise
from typing import NamedTuple

from tools.nlu.lexicon.closed_classes import NUMBER_VALUES
from tools.nlu.lexicon.normalization import Normal, word_set
from tools.nlu.values.units import (
    AT_NUMBER,
    COUNTED,
    MONEY_BEFORE,
    SIGNS,
    TIMES,
    UNITS,
    Number,
    joined_units,
    rhythm_at,
    unit_at,
)
from tools.nlu.values.views import date_spans_in

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


_WORDS = {"zero": 0} | NUMBER_VALUES
_TENS = range(20, 91, 10)
_OFTEN = {"once": 1.0, "twice": 2.0, "thrice": 3.0}
_MULTIPLES = {"dozen": 12, "hundred": 100, "thousand": 1_000}
_SPOILERS = frozenset({"half", "quarter", "third", "minus", "about", "around", "-"})
_CHANGERS = frozenset({"million", "billion", "fewer", "less", "or", "hundred", "thousand", "dozen"})
_SHARES = frozenset({"half", "halves", "quarter", "quarters", "third", "thirds"})
_PLACES_IN_TIME = frozenset(
    {"in", "since", "until", "till", "before", "after", "during", "year", "through", "of"}
)
_POINT = word_set(
    "the this that which other last next same new old first second third fourth fifth sixth"
)
"""Before `one`: it stands for a thing, and is no number."""
_SIGNS = frozenset({"-", "−", "/", "⁄", "½", "¼", "¾"})
_SHARE = re.compile(r"(\d{1,4})/(\d{1,4})")
_THOUSANDS = re.compile(r"\d{1,3}\.\d{3}")
"""A thousand in one half of the world, one in the other."""
_DIGITS = re.compile(r"x?(\d{1,12}(?:\.\d{1,6})?)x?")
_YEAR = re.compile(r"(?:19|20)\d\d")


class Day(NamedTuple):
    """A date, in ISO form, written at words `first` to `end`."""

    value: str
    first: int
    end: int
    is_gone: bool = False
    """It is told as one that lies behind: yesterday, three days ago, last Friday."""


def numbers_in(normal: Normal) -> Iterator[Number]:
    """Read `3`, `x3`, `1,000`, `two`, `twenty five`, `two dozen`; not `half a dozen`.

    Fractions too, `half an hour`, and what is said in two units, `2 kg 300 g`.
    """
    words = normal.words
    last: Number | None = None
    for number in _each_number(normal, words):
        joined = joined_units(normal, words, last, number) if last else None
        if last is not None and joined is None:
            yield last
        last = joined or number
    if last is not None:
        yield last


def _each_number(normal: Normal, words: Sequence[str]) -> Iterator[Number]:
    place = 0
    while place < len(words):
        number = _fraction(normal, words, place) or _often(words, place)
        if number is not None:
            yield number
            place = number.end
            continue
        first = place
        glued = AT_NUMBER.fullmatch(words[place])
        value: float | None
        if glued:
            value, place = float(glued["digits"]), place + 1
        else:
            value, place = _number_at(normal, words, place)
            is_either = words[first] in _WORDS and words[first] != "one"
            if value is None and is_either:  # `eight, nine`: which of them is meant?
                yield Number(float(_WORDS[words[first]]), first, place, is_sure=False)
        if value is not None and not _is_pronoun(words, first):
            unit = glued["unit"] if glued else unit_at(normal, words, first, place)
            is_sure = not _is_spoilt(normal, words, first, place)
            more = None if glued else with_fraction(normal, words, value, place)
            if more is not None:
                value, place, unit = more.value, more.end, more.unit
                unit = unit or unit_at(normal, words, first, place)
                is_sure = more.is_sure and not _is_spoilt(normal, words, first, place)
            yield Number(value, first, place, is_sure, unit, is_glued=glued is not None)


def _fraction(normal: Normal, words: Sequence[str], place: int) -> Number | None:
    """Read what begins as a fraction, `half an hour`."""
    said = fraction_at(normal, words, place)
    if said is None:
        return None
    unit = said.unit or unit_at(normal, words, place, said.end)
    is_sure = not _is_spoilt(normal, words, place, said.end)
    return Number(said.value, place, said.end, is_sure, unit, is_glued=said.is_glued)


def _often(words: Sequence[str], place: int) -> Number | None:
    """Read `twice a day` and `twice`; `once` only with how often: `once a week`."""
    value, rhythm = _OFTEN.get(words[place]), rhythm_at(words, place + 1)
    if value is None or words[place + 1 : place + 2] == ["as"] or (value == 1 and not rhythm):
        return None
    return Number(value, place, place + 1, unit=rhythm or COUNTED, is_glued=True)


def _is_pronoun(words: Sequence[str], place: int) -> bool:
    """Tell `the second one` from `one`."""
    return words[place] == "one" and words[place - 1 : place] != [] and words[place - 1] in _POINT


def out_of(normal: Normal, most: float) -> Iterator[Number]:
    """Read `4 out of 5`, `4 of 5` and `4/5` as the 4 of what goes up to 5."""
    words = normal.words
    for one, whole in pairwise(numbers_in(normal)):
        is_share = words[one.end : whole.first] in (["out", "of"], ["of"])
        if is_share and one.value <= whole.value == most:
            yield one._replace(end=whole.end, is_sure=True)
    for place, word in enumerate(words):
        share = _SHARE.fullmatch(word)
        if share and float(share[1]) <= float(share[2]) == most:
            yield Number(float(share[1]), place, place + 1)


def _is_spoilt(normal: Normal, words: Sequence[str], first: int, end: int) -> bool:
    """Tell whether a number cannot be taken as it is written."""
    start, stop = normal.tokens[first].start, normal.tokens[end - 1].end
    before, after = normal.text[max(0, start - 1) : start], normal.text[stop : stop + 1]
    written = normal.text[start:stop]
    return (
        not _SPOILERS.isdisjoint(words[max(0, first - 2) : first])
        or not _CHANGERS.isdisjoint(words[end : end + 1])
        or (words[end : end + 1] == ["to"] and _is_counted(words[end + 1 : end + 2]))
        or before in _SIGNS | {"+"}
        or after in _SIGNS
        or bool(_THOUSANDS.fullmatch(written))
        or _goes_on_as_share(words[end : end + 3])
        or _is_year(written, words[max(0, first - 1) : first], words[end : end + 1])
        or (words[end : end + 1] != [] and words[end].isdigit() and _gap(normal, end) == " ")
        or (
            words[end + 1 : end + 2] == ["of"]
            and words[end + 2 : end + 3] != []
            and words[end + 2].isdigit()
        )
    )


def _goes_on_as_share(words: Sequence[str]) -> bool:
    """Tell `four and a half` from four."""
    if words[:1] == ["and"]:
        words = [word for word in words[1:] if word not in ("a", "one", "three")]
    return words[:1] != [] and words[0] in _SHARES


def _is_year(written: str, before: Sequence[str], after: Sequence[str]) -> bool:
    """Tell `in 2027` from 2027 things: a year is no count of days."""
    is_placed = not _PLACES_IN_TIME.isdisjoint(before) and TIMES.isdisjoint(after)
    return is_placed and _YEAR.fullmatch(written) is not None


def _is_counted(words: Sequence[str]) -> bool:
    """Tell a range, `50 to 60`, from what goes somewhere, `50 to Anna`."""
    return any(word in _WORDS or word[0].isdigit() for word in words)


def days_in(normal: Normal, today: date | None) -> Iterator[Day]:
    """Read 2026-02-07, 7 February 2026; tomorrow and `by Friday` only when today is known."""
    for said in date_spans_in(normal, today):
        if said.value is not None:
            yield Day(said.value.isoformat(), said.first, said.end, said.is_over)


def unread_days_in(normal: Normal) -> Iterator[Day]:
    """Find what was said as a day and is none that can be told, wherever it stands.

    That is 2026-02-31, 5 May without a year, and 5/6/2026, which is two days to people. `value` is
    what was written.
    """
    words = normal.words
    for said in date_spans_in(normal, None):
        if said.value is None:
            yield Day(" ".join(words[said.first : said.end]), said.first, said.end)


def _number_at(normal: Normal, words: Sequence[str], place: int) -> tuple[float | None, int]:
    """Read the number that begins at a word; gives the place to go on from."""
    match = _DIGITS.fullmatch(words[place])
    if match:
        digits, end = match[1], place + 1
        while end < len(words) and _gap(normal, end) == "," and words[end].isdigit():
            digits += words[end] if len(words[end]) == 3 else "?"
            end += 1
        return (float(digits), end) if "?" not in digits else (None, end)
    total: float | None = None
    end = place
    while (end < len(words) and _gap(normal, end) in (" ", "-", "")) or end == place:
        word = words[end]
        if word in _MULTIPLES and (total is not None or (end and words[end - 1] in ("a", "one"))):
            total = (total or 1.0) * _MULTIPLES[word]
        elif word in _WORDS and total is None:
            total = float(_WORDS[word])
        elif word in _WORDS and (total in _TENS or (total or 0) >= 100) and _WORDS[word]:
            total = (total or 0) + _WORDS[word]
        else:
            break
        end += 1
        if end == len(words):
            break
    is_spoilt = end < len(words) and end > place and words[end] in _WORDS
    return (None if is_spoilt else total), max(end, place + 1)


def _gap(normal: Normal, place: int) -> str:
    if place == 0 or place >= len(normal.tokens):
        return ""
    return normal.text[normal.tokens[place - 1].end : normal.tokens[place].start]
