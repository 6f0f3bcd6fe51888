"""Stretches of the calendar, from a first to a last day."""

from dataclasses import dataclass
from datetime import date, timedelta


@dataclass(frozen=True)
class Stretch:
    """The days from `first` to `last`, both of them in it."""

    first: date
    last: date
    is_fine: bool = True
    """It was said more finely than by whole years."""

    def to(self, other: "Stretch") -> "Stretch":
        """Reach from the earlier of two stretches to the end of the later."""
        fine = self.is_fine or other.is_fine
        return Stretch(min(self.first, other.first), max(self.last, other.last), fine)

    def touches(self, other: "Stretch") -> bool:
        """Tell whether no day lies between two stretches."""
        gap = timedelta(days=1)
        return self.first <= other.last + gap and other.first <= self.last + gap


def year(number: int) -> Stretch:
    """Give a year."""
    return Stretch(date(number, 1, 1), date(number, 12, 31), is_fine=False)


def decade(first: int, part: str | None) -> Stretch:
    """Give ten years, or the early (0 to 3), middle (4 to 6) or late (7 to 9) ones of them."""
    begin, end = {"early": (0, 3), "mid": (4, 6), "late": (7, 9)}.get(part or "", (0, 9))
    return year(first + begin).to(year(first + end))


def half(number: int, which: int) -> Stretch:
    """Give the first or second half of a year."""
    return quarter(number, 2 * which - 1).to(quarter(number, 2 * which))


def quarter(number: int, which: int) -> Stretch:
    """Give a quarter of a year."""
    return month(number, 3 * which - 2).to(month(number, 3 * which))


def month(number: int, which: int) -> Stretch:
    """Give a month of a year."""
    after = date(number + which // 12, which % 12 + 1, 1)
    return Stretch(date(number, which, 1), after - timedelta(days=1))


def days(number: int, which: int, day: int) -> Stretch | None:
    """Give a day as a stretch; None: there is no such day."""
    try:
        only = date(number, which, day)
    except ValueError:
        return None
    return Stretch(only, only)


def months_back(today: date, months: int) -> date:
    """Go back by months; a day the month does not have becomes its last one."""
    number = today.year * 12 + today.month - 1 - months
    whole = month(number // 12, number % 12 + 1)
    return whole.first.replace(day=min(today.day, whole.last.day))
