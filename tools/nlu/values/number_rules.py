"""Productions of numbers, shares, selections, amounts and lists."""

from datetime import date
from typing import Any

from tools.nlu.values.model import Amount, Num, Reading, Selection, production
from tools.nlu.values.units import UNITS

_MULTIPLES = (12, 100, 1_000, 1_000_000, 1_000_000_000)


@production("tens")
def _tens(read: Reading, today: date) -> Num | None:
    found: Num | None = read.nodes[0].payload
    return found


@production("compound")
def _compound(read: Reading, today: date) -> Num | None:
    ones = read["number"]
    is_one = ones.form == "words" and 1 <= ones.value <= 9
    return Num(read["tens"].value + ones.value) if is_one else None


@production("multiplied")
def _multiplied(read: Reading, today: date) -> Num | None:
    times = read.get("number", Num(1.0))
    of, rest = read["multiple"], read.get("rest", Num(0.0))
    is_whole = rest.value < of.value and (not rest.value or rest.form == times.form == "words")
    return Num(times.value * of.value + rest.value) if is_whole and times.value < 1e6 else None


@production("vague")
def _vague(read: Reading, today: date) -> Num | None:
    said = read.get("vague")
    if said is None:  # half a dozen
        return Num(6.0)
    return Num(abs(float(said)), "vague" if said < 0 else "words")


@production("and_part")
def _and_part(read: Reading, today: date) -> Num | None:
    part = read.get("part") or read.get("vulgar") or read.get("fraction")
    value = part.value if isinstance(part, Num) else part[0] / part[1]
    whole = read["number"]
    is_mixed = whole.value.is_integer() and value < 1
    return Num(whole.value + value, whole.form) if is_mixed else None


@production("times_x")
def _times_x(read: Reading, today: date) -> Num | None:
    return read["number"] if read["number"].form == "digits" else None


@production("part")
def _part(read: Reading, today: date) -> Num | None:
    if fraction := read.get("fraction"):
        over, under = fraction
        return Num(over / under) if 0 < over < under else None
    count = read.get("number", Num(1.0)).value
    value = count * read["partword"]
    return Num(value) if count.is_integer() and 0 < value < 1 else None


@production("vulgar")
def _vulgar(read: Reading, today: date) -> Num | None:
    found: Num | None = read["part"]
    return found


@production("ordinal")
def _ordinal(read: Reading, today: date) -> int | None:
    own = read.get("ordinalword") or read.get("nth")
    tens = read.get("tens")
    if tens is None:
        found: int | None = own
        return found
    return int(tens.value) + own if own < 10 else None


@production("share")
def _share(read: Reading, today: date) -> Num | None:
    if part := read.get("part"):
        found: Num | None = part
        return found
    number, whole = read.get("number"), read.get("whole")
    if number is None:
        return Num(0.5)
    if whole is not None:
        return Num(number.value / whole.value) if 0 < number.value <= whole.value else None
    return Num(number.value / 100, number.form)


@production("range")
def _range(read: Reading, today: date) -> tuple[Num, Num] | None:
    pair = read["a"], read["b"]
    is_word = read.args == "digits" and any(one.form != "digits" for one in pair)
    return None if is_word else pair


@production("amount_range")
def _amount_range(read: Reading, today: date) -> tuple[Amount, Amount] | None:
    """Read `3 to 5 days` and `from 2 kg to 3 kg`: both ends in one unit."""
    first, last = read["a"], read["b"]
    unit = first.unit if isinstance(first, Amount) else last.unit
    pair = tuple(
        one if isinstance(one, Amount) else Amount(one.value, unit) for one in (first, last)
    )
    return (pair[0], pair[1]) if len({one.unit for one in pair}) == 1 else None


@production("all_but")
def _all_but(read: Reading, today: date) -> Selection | None:
    return Selection("all but", (read["number"].value,))


@production("all_but_nth")
def _all_but_nth(read: Reading, today: date) -> Selection | None:
    return Selection("all but nth", (float(read["nth"]),))


@production("which")
def _which(read: Reading, today: date) -> Selection | None:
    return Selection(read.args)


@production("which_count")
def _which_count(read: Reading, today: date) -> Selection | None:
    number = read["number"]
    is_nth = read.args in ("first", "last") and number.value == 1
    return None if is_nth else Selection(read.args, (number.value,))


@production("nths")
def _nths(read: Reading, today: date) -> Selection | None:
    said = [float(one.value if isinstance(one, Num) else one) for one in read.all("nth")]
    said += [one.value for one in read.all("number")]
    return Selection("nth", tuple(said))


@production("quantity", "duration")
def _quantity(read: Reading, today: date) -> Amount | None:
    """Read `2 kg`, `half a litre`, `an hour`, `an hour and a half` and `another week`."""
    kinds = [node.kind for node in read.nodes]
    number, part = read.get("number"), read.get("part")
    is_part_of_one = part is not None and kinds.index("part" if "part" in kinds else "vulgar") == 0
    is_part_of_one = is_part_of_one or kinds[:2] == ["", "part"]
    value = 0.0 if is_part_of_one else number.value if number else 1.0
    is_vague = number is not None and number.form == "vague"
    unit = read.get("unit") or read["timeunit"]
    if unit == "quarter" and (part or value in (1, 3)):
        return None  # a part of something, or the third of a year
    return Amount(value + (part.value if part else 0.0), unit, is_vague)


@production("joined", "joined_duration")
def _joined(read: Reading, today: date) -> Amount | None:
    """Join `2 kg` and `300 g`; the second has to be less than one of the first's unit."""
    more, rest = read["more"], read["rest"]
    said, own = UNITS[rest.unit], UNITS[more.unit]
    is_rest = said.dimension == own.dimension and rest.value * said.factor < own.factor
    if not is_rest or not more.value.is_integer():
        return None
    return Amount(round(more.value + rest.value * said.factor / own.factor, 9), more.unit)


@production("glued_duration")
def _glued_duration(read: Reading, today: date) -> Amount | None:
    minutes = read["minutes"].value
    return Amount(read["number"].value + minutes / 60, "hour") if minutes < 60 else None


@production("money")
def _money(read: Reading, today: date) -> Amount | None:
    number, cents = read.get("number", Num(1.0)), read.get("cents")
    if cents is not None and not (cents.value < 100 and cents.form == "digits"):
        return None
    return Amount(number.value + (cents.value / 100 if cents else 0), read["unit"])


@production("thousands")
def _thousands(read: Reading, today: date) -> Amount | None:
    unit = read.get("unit") or read["money_word"]
    return Amount(1_000 * read["number"].value, unit)


@production("list")
def _list(read: Reading, today: date) -> tuple[Any, ...] | None:
    return tuple(read.all("one"))
