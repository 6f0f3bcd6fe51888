"""What the value extractor finds: kinds of values, the readings of a time, and the calendar."""

from calendar import monthrange
from collections.abc import Callable
from dataclasses import dataclass
from datetime import date, time, timedelta
from enum import StrEnum
from functools import cached_property
from typing import Any, NamedTuple


class Kind(StrEnum):
    """The kinds of values that a text may hold."""

    NUMBER = "number"
    PRICE = "price"
    """A number that only money is said in, `twenty-nine fifty`; `extract` leaves it out."""
    ORDINAL = "ordinal"
    SHARE = "share"
    SELECTION = "selection"
    QUANTITY = "quantity"
    MONEY = "money"
    DURATION = "duration"
    DATE = "date"
    CLOCK = "clock"
    INSTANT = "instant"
    PERIOD = "period"
    RANGE = "range"
    RECURRENCE = "recurrence"
    LIST = "list"


class Num(NamedTuple):
    """A number, and whether it was written in digits, in words, as an article or vaguely."""

    value: float
    form: str = "words"

    def __str__(self) -> str:
        return f"{self.value:.10g}"


class Amount(NamedTuple):
    """So many of a unit, or of money in a currency."""

    value: float
    unit: str
    is_vague: bool = False
    """It was said as `a few` or the like."""

    def __str__(self) -> str:
        return f"{'~' if self.is_vague else ''}{self.value:.10g} {self.unit}"


class Selection(NamedTuple):
    """Some of what was shown: `all but 2`, `both`, `last 2`, `at most 3`, `second, last`."""

    way: str
    numbers: tuple[float, ...] = ()

    def __str__(self) -> str:
        return " ".join((self.way, *(f"{one:g}" for one in self.numbers)))


class Stretch(NamedTuple):
    """The days from `first` to `last`, both in it; None: open on that side."""

    first: date | None
    last: date | None

    def __str__(self) -> str:
        if self.first == self.last:
            return str(self.first)
        return f"{self.first or ''}..{self.last or ''}"

    def to(self, other: "Stretch") -> "Stretch":
        """Reach from the begin of this stretch to the end of another."""
        return Stretch(self.first, other.last)


PARTS_OF_DAY = {"morning": 8, "noon": 12, "afternoon": 13, "evening": 18, "night": 20}
"""The hour that each stands for where one is needed."""


class Side(StrEnum):
    """On which side of now a time lies, as far as its own words say."""

    BEHIND = "behind"
    AHEAD = "ahead"
    OPEN = ""


@dataclass(frozen=True, slots=True)
class Time:
    """A day, a longer stretch or a moment, in each way that it can be read."""

    options: tuple[Stretch, ...]
    """In the order of the calendar; none: it was said, and the calendar has no such time."""
    grain: str = "day"
    side: Side = Side.OPEN
    is_absolute: bool = False
    """It is the same whenever it is said."""
    clocks: tuple[time, ...] = ()
    """The times of day it may mean: 3:00 and 15:00 of `at 3`."""
    until: tuple[time, ...] = ()
    """Where the hours that begin at `clocks` end."""
    away: Amount | None = None
    """How far from now it is, or how long the stretch that begins or ends now: less than none is
    behind."""
    bound: str = ""
    """The word for an open end: since, after, until, before, by, around."""

    def __str__(self) -> str:
        said = [" | ".join(map(str, self.options))] if self.options else []
        said += (
            [f"now {'~' * self.away.is_vague}{self.away.value:+g} {self.away.unit}"]
            if self.away and not said
            else []
        )
        said += [self.grain] if self.grain in PARTS_OF_DAY else []
        said += ["/".join(f"{one:%H:%M}" for one in self.clocks)] if self.clocks else []
        said += ["-", "/".join(f"{one:%H:%M}" for one in self.until)] if self.until else []
        return " ".join([*([self.bound] if self.bound else []), *(said or ["?"])])


@dataclass(frozen=True, slots=True)
class Recurrence:
    """How often something comes back, on which days and at which times."""

    every: float
    unit: str
    on: tuple[str, ...] = ()
    at: tuple[time, ...] = ()
    times: float = 1

    def __str__(self) -> str:
        said = f"every {self.every:g} {self.unit}"
        said += f" x{self.times:g}" if self.times != 1 else ""
        said += f" on {','.join(self.on)}" if self.on else ""
        return said + (f" at {','.join(f'{one:%H:%M}' for one in self.at)}" if self.at else "")


@dataclass(frozen=True)
class Value:
    """A value of a text, at its characters `start` to `end`, and the rule that read it."""

    kind: Kind
    start: int
    end: int
    payload: Any  # by kind: Num, Amount, Selection, Time, Recurrence or a tuple of those
    rule: str
    parts: tuple["Value", ...] = ()
    """The values that it was made of, in the order of the text."""

    @cached_property
    def time(self) -> Time:
        """The readings of a date, clock, instant or period.

        Raises:
            TypeError: it is a value of another kind.
        """
        if not isinstance(self.payload, Time):
            raise TypeError(f"a {self.kind} is no time")
        return self.payload

    def __str__(self) -> str:
        joint = {Kind.LIST: " + ", Kind.RANGE: " to "}.get(self.kind)
        said = joint.join(map(str, self.payload)) if joint else str(self.payload)
        return f"{self.kind} {said}"


class Node(NamedTuple):
    """A value in the making: of a finer kind than `Kind`, at tokens `start` to `end`."""

    kind: str
    start: int
    end: int
    payload: Any
    rule: str
    parts: tuple["Node", ...] = ()


class Reading:
    """What a production is given: the nodes of its pattern by kind or name, and the arguments."""

    def __init__(self, nodes: tuple[Node, ...], names: tuple[str, ...], args: Any) -> None:
        self.nodes = nodes
        self.args = args
        self._names = names

    def all(self, name: str) -> list[Any]:
        """List the payloads of all nodes of a kind or name."""
        return [node.payload for node, own in zip(self.nodes, self._names, strict=True)
                if own == name]  # fmt: skip

    def get(self, name: str, default: Any = None) -> Any:
        """Give the payload of the first node of a kind or name."""
        return next(iter(self.all(name)), default)

    def __getitem__(self, name: str) -> Any:
        return self.all(name)[0]


Production = Callable[[Reading, date], Any]
"""Makes the payload of a rule; None: the words are no such value."""
PRODUCTIONS: dict[str, Production] = {}
"""Each production by the names of its rules in the lexicon."""


def production(*names: str) -> Callable[[Production], Production]:
    """Let a function make the values of the rules with these names."""

    def named(function: Production) -> Production:
        PRODUCTIONS.update(dict.fromkeys(names, function))
        return function

    return named


DAY = timedelta(days=1)
MONTHS = {"month": 1, "quarter": 3, "halfyear": 6, "year": 12, "decade": 120, "century": 1200}
"""How many months a unit has."""
DAYS = {"day": 1, "night": 1, "week": 7, "fortnight": 14}
"""How many days a unit has."""


def day_stretch(of: int, which: int, day: int) -> Stretch | None:
    """Give one day; None: no calendar has it."""
    try:
        return one_day(date(of, which, day))
    except ValueError:
        return None


def one_day(day: date) -> Stretch:
    """Give the stretch of one day."""
    return Stretch(day, day)


def year(of: int) -> Stretch:
    """Give a year."""
    return Stretch(date(of, 1, 1), date(of, 12, 31))


def month(of: int, which: int) -> Stretch:
    """Give a month; one below 1 or above 12 is of a year beside."""
    of, which = of + (which - 1) // 12, (which - 1) % 12 + 1
    return Stretch(date(of, which, 1), date(of, which, monthrange(of, which)[1]))


def months(of: int, first: int, count: int) -> Stretch:
    """Give so many months from one on."""
    return month(of, first).to(month(of, first + count - 1))


def quarter(of: int, which: int) -> Stretch:
    """Give a quarter of a year."""
    return months(of, 3 * which - 2, 3)


def half(of: int, which: int) -> Stretch:
    """Give a half of a year."""
    return months(of, 6 * which - 5, 6)


def decade(first: int, begin: int = 0, end: int = 9) -> Stretch:
    """Give ten years, or the ones of them from `begin` to `end`."""
    return year(first + begin).to(year(first + end))


def moved(day: date, count: float, unit: str) -> date:
    """Move a day by so many units; a day that the month lacks becomes its last one.

    Raises:
        ValueError: it lies outside the calendar.
    """
    if unit in DAYS:
        return day + timedelta(days=round(count * DAYS[unit]))
    total = day.year * 12 + day.month - 1 + round(count * MONTHS[unit])
    whole = month(total // 12, total % 12 + 1)
    return date(total // 12, total % 12 + 1, min(day.day, whole.last.day if whole.last else 28))


def unit_at(day: date, unit: str, away: int = 0) -> Stretch:
    """Give the week, month, quarter, year, … that a day is in, or the one so many away.

    A week begins on Monday, a weekend on Saturday.
    """
    if unit in ("day", "night"):
        return one_day(day + timedelta(days=away))
    if unit in ("week", "weekend", "fortnight"):
        monday = day - timedelta(days=day.weekday()) + timedelta(weeks=away)
        first = monday + 5 * DAY if unit == "weekend" else monday
        return Stretch(first, monday + (13 if unit == "fortnight" else 6) * DAY)
    size = MONTHS[unit]
    if size >= 120:  # a century begins with its first year: 2001
        shift = 1 if size == 1200 else 0
        first_year = (day.year - shift) // (size // 12) * (size // 12) + shift + away * size // 12
        return year(first_year).to(year(first_year + size // 12 - 1))
    number = day.year * 12 + day.month - 1
    number = number - number % size + away * size
    return months(number // 12, number % 12 + 1, size)


STEPS = {"this": 0, "next": 1, "last": -1, "previous": -1}
"""How many units a direction leads away from now."""


def side_of(away: float) -> Side:
    """Tell on which side of now a step of so many units leads."""
    return Side.BEHIND if away < 0 else Side.AHEAD if away > 0 else Side.OPEN


def on_day(day: date, away: int = 0, grain: str = "day") -> Time:
    """Give the time of one day, which lies so many steps from now."""
    return Time((one_day(day),), grain, side_of(away))


def gone(today: date, weekday: int) -> date:
    """Give the last such day before today."""
    return today - ((today.weekday() - weekday - 1) % 7 + 1) * DAY


def coming(today: date, weekday: int) -> date:
    """Give the next such day, which may be today."""
    return today + (weekday - today.weekday()) % 7 * DAY


def day_number(said: Num | int) -> int:
    """Give the number of a day as it is written, in digits or as an ordinal; 0: it is none."""
    if isinstance(said, int):
        return said
    return int(said.value) if said.value.is_integer() and said.form == "digits" else 0


def around(of_year: Callable[[int], Stretch | None], today: date) -> tuple[Stretch, ...]:
    """Give the last and the next of what comes once a year; of what lasts, the one that began."""
    known = [one for away in range(-4, 5) if (one := of_year(today.year + away))]
    behind = [one for one in known if one.first and one.first <= today]
    ahead = [one for one in known if one.first and one.first >= today]
    return tuple(dict.fromkeys([*behind[-1:], *ahead[:1]]))
