"""Spans of days as people name them: `this week`, `next month`."""

from calendar import monthrange
from dataclasses import dataclass
from datetime import date, timedelta

from state.errors import BadInput

from .wording import day_of


@dataclass(frozen=True)
class Window:
    """The days from `first` to `last`, both of them included; None: there is no such bound."""

    first: str | None = None
    last: str | None = None

    def holds(self, day: str | None) -> bool:
        """Tell whether a day falls in it; what has no day falls only in one without bounds."""
        if self.first is None and self.last is None:
            return True
        return day is not None and (self.first or "") <= day[:10] <= (self.last or day)

    def __str__(self) -> str:
        """Write it behind `due`: `by 2026-06-15`, `2026-06-08 to 2026-06-14`."""
        return f"{self.first} to {self.last}" if self.first else f"by {self.last}"

    @property
    def is_open(self) -> bool:
        """Tell whether every day falls in it."""
        return self.first is None and self.last is None


def window(by: str | None, named: str | None, today: date) -> Window:
    """Give the days up to one day, or those of a week, month or year by its name.

    Raises:
        BadInput: both are given, or one cannot be read.
    """
    if by and named:
        raise BadInput(f"{named} and a day, {by}: name one of them")
    if not named:
        return Window(last=day_of(by)) if by else Window()
    which, _, unit = named.partition(" ")
    ahead = {"this": 0, "next": 1}.get(which)
    if ahead is None or unit not in ("week", "month", "year"):
        raise BadInput(f"no span of days is called {named[:40]!r}")
    first, last = _of(unit, ahead, today)
    return Window(first.isoformat(), last.isoformat())


def _of(unit: str, ahead: int, today: date) -> tuple[date, date]:
    if unit == "week":
        monday = today + timedelta(days=7 * ahead - today.weekday())
        return monday, monday + timedelta(days=6)
    if unit == "year":
        return date(today.year + ahead, 1, 1), date(today.year + ahead, 12, 31)
    year, month = divmod(today.year * 12 + today.month - 1 + ahead, 12)
    return date(year, month + 1, 1), date(year, month + 1, monthrange(year, month + 1)[1])
