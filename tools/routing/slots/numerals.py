"""Numbers and dates as people write them; what cannot be read for sure is not read at all."""

import re
from collections.abc import Iterator, Sequence
from datetime import date
from itertools import pairwise
from typing import NamedTuple

from tools.routing.slots.days.all_days import said_days
from tools.routing.slots.days.calendar_days import calendar_days
from tools.routing.slots.days.said import longest
from tools.routing.slots.fractions import fraction_at, with_fraction
from tools.routing.slots.joined_units import joined_units
from tools.routing.slots.measures import AT_NUMBER, COUNTED, TIMES, Number, rhythm_at, unit_at
from tools.routing.words.normalise import Normal
from tools.routing.words.phrases import word_set

_WORDS = {
    word: number
    for number, word in enumerate(
        (
            "zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten",
            "eleven", "twelve", "thirteen", "fourteen", "fifteen", "sixteen", "seventeen",
            "eighteen", "nineteen", "twenty",
        )
    )
} | {"thirty": 30, "forty": 40, "fifty": 50, "sixty": 60, "seventy": 70, "eighty": 80,
     "ninety": 90}  # fmt: skip
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
    for said in said_days(normal, today):
        if said.value is not None:
            yield Day(said.value.isoformat(), said.first, said.end, said.is_over)


def unread_days_in(normal: Normal) -> Iterator[Day]:
    """Find what was said as a day and is none that can be told, wherever it stands.

    That is 2026-02-31, 5 May without a year, and 5/6/2026, which is two days to people. `value` is
    what was written.
    """
    words = normal.words
    for said in longest(calendar_days(normal)):
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
