"""Spans of the calendar with a first and a last day, and windows that end today."""

from dataclasses import dataclass
from datetime import date, timedelta

from tools.nlu.values import calendar
from tools.nlu.values.model import Stretch


@dataclass(frozen=True)
class CalendarSpan:
    """The days from `first` to `last`, both of them in it."""

    first: date
    last: date
    is_fine: bool = True
    """It was said more finely than by whole years."""

    @classmethod
    def of(cls, days: Stretch, *, is_fine: bool = True) -> "CalendarSpan":
        """Take a stretch that is open on no side."""
        return cls(days.first or date.min, days.last or date.max, is_fine)

    def to(self, other: "CalendarSpan") -> "CalendarSpan":
        """Reach from the earlier of two stretches to the end of the later."""
        fine = self.is_fine or other.is_fine
        return CalendarSpan(min(self.first, other.first), max(self.last, other.last), fine)

    def touches(self, other: "CalendarSpan") -> bool:
        """Tell whether no day lies between two stretches."""
        gap = timedelta(days=1)
        return self.first <= other.last + gap and other.first <= self.last + gap


def year(number: int) -> CalendarSpan:
    """Give a year."""
    return CalendarSpan(date(number, 1, 1), date(number, 12, 31), is_fine=False)


def month(number: int, which: int) -> CalendarSpan:
    """Give a month of a year."""
    return CalendarSpan.of(calendar.month(number, which))


LONGEST_YEARS = 150
"""No journal is much older; beyond, a number of years is a slip."""
UNIT = "(years?|yrs?|y|months?|mos?|weeks?|quarters?|decades?|centur(?:y|ies)|days?)"


def years_of(size: float, unit: str) -> float:
    """Give the years of so many years, decades or centuries; 0 for any smaller unit."""
    return size * {"y": 1, "dec": 10, "cen": 100}.get(unit[:3] if unit[0] in "dc" else unit[0], 0)


def day_back(size: float, unit: str, today: date) -> date | None:
    """Go back from today by so many units; None: that is further than papers go."""
    if unit[:3] == "day" or unit[0] == "w":
        count = round(size * (7 if unit[0] == "w" else 1))
        return today - timedelta(days=count) if count <= LONGEST_YEARS * 365 else None
    months = {"m": size, "q": 3 * size}.get(unit[0], 12 * years_of(size, unit))
    is_near = 1 <= months <= LONGEST_YEARS * 12
    return calendar.moved(today, -round(months), "month") if is_near else None
