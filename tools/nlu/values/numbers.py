"""The numbers of a text as number slots take them: a view of the engine's values on its words."""

import re
from collections.abc import Iterator, Sequence
from functools import lru_cache
from itertools import pairwise

from tools.nlu.lexicon.closed_classes import NUMBER_VALUES
from tools.nlu.lexicon.normalization import Normal, singular, word_set
from tools.nlu.values.engine import ANY_DAY, extract_kinds
from tools.nlu.values.model import Amount, Kind, Value
from tools.nlu.values.units import COUNTED, TIMES, UNITS, Number, rhythm_at, unit_at
from tools.nlu.values.views import places_of

_KINDS = frozenset({Kind.NUMBER, Kind.MONEY, Kind.QUANTITY, Kind.DURATION, Kind.SHARE})
_TIMES = frozenset({Kind.CLOCK, Kind.DATE, Kind.PERIOD})
_OF_TIME = frozenset({
    "date", "month_day", "of_month", "short_date", "dated_weekday", "half_day", "oclock",
    "in_daypart",
})  # fmt: skip
"""Rules of times whose number is no slot's; of others it may be: `in 6 months`, `at 4.20`."""
_AROUND_TIME = frozenset({"at_clock"})
"""What is no time by itself: of `at 6 pm` it is the end, and of `at 6` there is none."""
_PARTS = frozenset({"part", "vulgar"})
_OFTEN = {"once": 1.0, "twice": 2.0, "thrice": 3.0}
_SPOILERS = frozenset({"half", "quarter", "third", "minus", "about", "around", "-"})
_CHANGERS = frozenset({"fewer", "less", "or"})
_SHARES = frozenset({"half", "halves", "quarter", "quarters", "third", "thirds"})
_OTHERWISE = frozenset({"a", "an", "of"})
"""Behind `and a half`: it is a half of something else."""
_OF_LENGTH = frozenset({"for", "of", "was", "slept", "took", "worked", "rested", "lasted", "had"})
"""Before `8h30` these say that it is so long."""
_AT_TIME = frozenset({"at", "from", "between", "since", "until", "till", "before", "after"})
_GOES_TO = frozenset({"to", "and"})
_PLACES_IN_TIME = frozenset(
    {"in", "since", "until", "till", "before", "after", "during", "year", "through", "of"}
)
_POINT = word_set(
    "the this that which other last next same new old first second third fourth fifth sixth"
)
"""Before `one`: it stands for a thing, and is no number."""
_COUNTS = [[word] for word in NUMBER_VALUES]
_SIGNS = frozenset({"-", "−", "/", "⁄", "+"})
_SHARE = re.compile(r"(\d{1,4})/(\d{1,4})")
_THOUSANDS = re.compile(r"\d{1,3}\.\d{3}")
"""A thousand in one half of the world, one in the other."""
_YEAR = re.compile(r"(?:19|20)\d\d")
_EACH = frozenset({"a", "an", "per", "each", "every"})
_JOINS = re.compile(r"\s*(?:and\s+)?")


@lru_cache(maxsize=256)
def numbers_in(normal: Normal, *, of_money: bool = False) -> tuple[Number, ...]:
    """Read `3`, `1,200.50`, `987,5`, `3.5k`, `two dozen`, `half an hour`, `2 kg 300 g`.

    Args:
        of_money: `twenty-nine fifty` is 29.50.

    Returns:
        In the order of the text; those that cannot be taken as they are written are not sure.
    """
    kinds = _KINDS | {Kind.PRICE} if of_money else _KINDS
    times = [
        one
        for one in extract_kinds(normal.text, ANY_DAY, _TIMES, without=_AROUND_TIME)
        if not _OF_TIME.isdisjoint({one.rule, *(part.rule for part in one.parts)})
    ]
    found = [
        one
        for value in extract_kinds(normal.text, ANY_DAY, kinds)
        if all(value.end <= time.start or time.end <= value.start for time in times)
        for one in _number(normal, value)
    ]
    taken = {place for one in found for place in range(one.first, one.end)}
    found += [one for one in _often(normal.words) if one.first not in taken]
    found.sort(key=lambda one: one.first)
    beside = _beside_another(normal, found) | _multiplied(normal.words, found)
    return tuple(one._replace(is_sure=one.is_sure and one not in beside) for one in found)


def _number(normal: Normal, value: Value) -> Iterator[Number]:
    if value.rule in _PARTS | {"vague"}:
        return
    said = next((one for one in value.parts if one.kind is Kind.NUMBER), None)
    if value.kind is Kind.SHARE and (said is None or said.rule in _PARTS or len(value.parts) > 1):
        if len(value.parts) > 1:  # `4 out of 5` is two numbers
            yield from (one for part in value.parts for one in _number(normal, part))
        return
    if value.kind in (Kind.NUMBER, Kind.PRICE):
        said = value
    if said is None and not value.parts:
        return  # `an hour`
    is_plain = said is not None and (
        value.kind in (Kind.NUMBER, Kind.PRICE, Kind.SHARE)
        or said.payload.value == value.payload.value
    )
    whole = places_of(normal, value)
    if not is_plain or said is None or said.rule in _PARTS:
        yield _joined(normal, value, whole)
        return
    own = places_of(normal, said)
    glued = normal.tokens[own.stop - 1]
    is_glued = normal.text[said.end : glued.end] in UNITS
    unit = unit_at(normal, normal.words, own.start, own.stop)
    if is_glued:
        unit = normal.text[said.end : glued.end]
    is_amount = isinstance(value.payload, Amount) and not unit.startswith(COUNTED)
    if is_amount and UNITS.get(unit) != UNITS[value.payload.unit]:
        unit = value.payload.unit
    is_other = own.stop - own.start > 1 and normal.words[own.stop - 1] in _SHARES
    is_other = is_other and not _OTHERWISE.isdisjoint(normal.words[own.stop : own.stop + 1])
    is_sure = not is_other and not _is_spoilt(normal, own) and _is_finite(said)
    if is_plain and not is_pronoun(normal.words, own.start):
        yield Number(said.payload.value, own.start, own.stop, is_sure, unit, is_glued=is_glued)


def _joined(normal: Normal, value: Value, places: range) -> Number:
    """Take what is said in several words: `half an hour`, `2 kg 300 g`, `half of the 60 euros`."""
    written = (word.lstrip("0123456789.,") for word in normal.words[places.start : places.stop])
    own = UNITS[value.payload.unit]
    unit = next((word for word in written if UNITS.get(word) == own), value.payload.unit)
    is_sure = not _is_spoilt(normal, places) and _is_finite(value)
    if value.rule == "glued_duration" and normal.words[places.stop - 1][-1].isdigit():
        is_sure = is_sure and _is_length(normal.words, places)
    return Number(value.payload.value, places.start, places.stop, is_sure, unit, is_glued=True)


def _is_length(words: Sequence[str], places: range) -> bool:
    """Tell `8h30 of rest` from the time of day that `log rest 22h30` may be."""
    before, behind = words[places.start - 1 : places.start], words[places.stop : places.stop + 1]
    return behind == ["of"] or not _OF_LENGTH.isdisjoint(before)


def _is_finite(value: Value) -> bool:
    """Tell a number of a few decimals from `four and a third`, which the person has to round."""
    number = float(value.payload.value)
    return abs(round(number, 3) - number) < 1e-9 or value.rule.startswith("joined")


def _often(words: Sequence[str]) -> Iterator[Number]:
    """Read `twice a day` and `twice`; `once` only with how often: `once a week`."""
    for place, word in enumerate(words):
        value, rhythm = _OFTEN.get(word), rhythm_at(words, place + 1)
        if value is None or words[place + 1 : place + 2] == ["as"] or (value == 1 and not rhythm):
            continue
        yield Number(value, place, place + 1, unit=rhythm or COUNTED, is_glued=True)


def is_pronoun(words: Sequence[str], place: int) -> bool:
    """Tell `the second one` from `one`."""
    is_thing = words[place] == "one" and place > 0
    return is_thing and (words[place - 1] in _POINT or words[place + 1 : place + 2] in _COUNTS)


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


def _is_spoilt(normal: Normal, own: range) -> bool:
    """Tell whether a number cannot be taken as it is written."""
    words, first, end = normal.words, own.start, own.stop
    start, stop = normal.tokens[first].start, normal.tokens[end - 1].end
    before, after = normal.text[max(0, start - 1) : start], normal.text[stop : stop + 1]
    written = normal.text[start:stop]
    behind = words[end + 1 :] if words[end : end + 1] and words[end] in UNITS else words[end:]
    return (
        not _SPOILERS.isdisjoint(words[max(0, first - 2) : first])
        or not _CHANGERS.isdisjoint(words[end : end + 1])
        or (words[end : end + 1] == ["to"] and words[end + 1 : end + 2] != []
            and words[end + 1][0].isdigit())
        or before in _SIGNS
        or after in _SIGNS
        or _THOUSANDS.fullmatch(written) is not None
        or _goes_on_as_share(behind[:3])
        or _is_year(written, words[max(0, first - 1) : first], words[end : end + 1])
    )  # fmt: skip


def _goes_on_as_share(words: Sequence[str]) -> bool:
    """Tell `four and a half` from four."""
    if words[:1] == ["and"]:
        words = [word for word in words[1:] if word not in ("a", "one", "three")]
    return words[:1] != [] and words[0] in _SHARES


def _is_year(written: str, before: Sequence[str], after: Sequence[str]) -> bool:
    """Tell `in 2027` from 2027 things: a year is no count of days."""
    is_placed = not _PLACES_IN_TIME.isdisjoint(before) and TIMES.isdisjoint(after)
    return is_placed and _YEAR.fullmatch(written) is not None


def _beside_another(normal: Normal, found: Sequence[Number]) -> set[Number]:
    """Find numbers with nothing between: `three five`, `10 hours 90 minutes`, `8 to 9`."""
    unsure: set[Number] = set()
    for one, other in pairwise(found):
        end = _behind_unit(normal.words, one)
        between = normal.text[normal.tokens[end - 1].end : normal.tokens[other.first].start]
        is_same = one.unit in UNITS and other.unit in UNITS
        is_same = is_same and UNITS[one.unit].dimension == UNITS[other.unit].dimension
        if (end == one.end and between == " ") or (is_same and _JOINS.fullmatch(between)):
            unsure |= {one, other}
        if between.strip() == "to":
            unsure.add(one)
    return unsure


def _behind_unit(words: Sequence[str], number: Number) -> int:
    """Find where a number ends, with the unit that stands behind it."""
    return number.end + (words[number.end : number.end + 1] == [number.unit])


def _multiplied(words: Sequence[str], found: Sequence[Number]) -> set[Number]:
    """Find what is to be multiplied first: `4 weeks at 2.50 a week`, `4 bags of 25 kg`."""
    unsure: set[Number] = set()
    counted = {singular(word): one for one in found for word in words[one.end : one.end + 1]}
    for one in found:
        end = _behind_unit(words, one)
        each = words[end : end + 2]
        is_rate = len(each) > 1 and each[0] in _EACH | {"for"}
        if is_rate and each[0] == "for" and each[1] in _EACH:
            each = ["each", *[word for word in words[end + 2 :] if word.isalpha()][2:3]]
        other = counted.get(singular(each[1])) if is_rate and len(each) > 1 else None
        if other is not None and other is not one:
            unsure |= {one, other}
        holder = [more for more in found if more.end == one.first - 2]
        if words[one.first - 1 : one.first] == ["of"] and holder and words[one.first - 2] != "out":
            unsure |= {one, *holder}
    return unsure
