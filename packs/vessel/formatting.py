"""Checked free text, states, money and days in plain words, and spans of days by name."""

from calendar import monthrange
from dataclasses import dataclass
from datetime import date, datetime, timedelta

from prefrontal.pack import BadInput, shifted

from .unit_of_work import RowChange

LONGEST_TEXT = 8_000
"""Characters one note may have."""
LONGEST_SHOWN = 300
"""Characters of one value that a person is shown before he approves."""


def checked_text(text: str, what: str) -> str:
    """Return free text fit to be kept, without the space around it.

    Raises:
        BadInput: it is empty, too long, or holds characters that cannot be stored.
    """
    kept = text.strip()
    if not kept:
        raise BadInput(f"the {what} is empty; say what it should hold")
    if len(kept) > LONGEST_TEXT:
        raise BadInput(f"the {what} is longer than {LONGEST_TEXT} characters; shorten it")
    if "\x00" in kept or any("\ud800" <= character <= "\udfff" for character in kept):
        raise BadInput(f"the {what} holds characters that cannot be kept; send plain text")
    return kept


def day_of(value: str) -> str:
    """Read an ISO date or time as the day it falls on.

    Raises:
        BadInput: it is neither.
    """
    try:
        return datetime.fromisoformat(value).date().isoformat()
    except ValueError as error:
        raise BadInput(f"{value!r} is no date; write it as 2026-06-14") from error


def day_moved(to: str | None, by: str | None, now: str | None, what: str) -> str | None:
    """Give the day something is moved to, or by how much from the day it has; None: neither.

    Raises:
        BadInput: both are given, or it has no day to move, or one is not to be read.
    """
    if by is None:
        return day_of(to) if to else None
    if to or not now:
        why = "both are given" if to else "it has none"
        raise BadInput(f"a day to be {what}, or by how much it moves from the one there is: {why}")
    try:
        return shifted(date.fromisoformat(now), by).isoformat()
    except ValueError as error:
        raise BadInput(f"the move {error}") from error


def days_between(earlier: str, later: date) -> int:
    """Count the days from an ISO date to `later`; negative when it lies ahead."""
    return (later - date.fromisoformat(earlier)).days


def in_words(state: str) -> str:
    """Write a state for people: `waiting_for_parts` is `waiting for parts`."""
    return state.replace("_", " ")


def euros(cents: int) -> str:
    """Write an amount of money: 2450 is `EUR 24.50`."""
    return f"EUR {cents // 100:,}.{cents % 100:02d}"


def column_in_words(column: str) -> str:
    """Name a column for people: `price_cents` is `price`."""
    return in_words(column.removesuffix("_cents"))


def shown(column: str, value: object) -> str | None:
    """Write one value of a row for people; None: there is none."""
    if value is None:
        return None
    if column.endswith("_cents") and isinstance(value, int):
        return euros(value)
    text = str(value)
    return text if len(text) <= LONGEST_SHOWN else f"{text[:LONGEST_SHOWN]} …"


def change_in_words(change: RowChange) -> str:
    """Tell the change of one row in one line; empty when only an index changed."""
    if change.table == "document_text":
        return ""
    word = in_words(change.table)
    if change.before is None:
        return f"{word} {change.key}: added"
    if change.after is None:
        return f"{word} {change.key}: removed"
    moved = [
        f"{column_in_words(column)} {_or_none(column, value)} -> {_or_none(column, after)}"
        for column, value in change.before.items()
        if (after := change.after[column]) != value
    ]
    return f"{change.key}: {', '.join(moved)}"


def _or_none(column: str, value: object) -> str:
    return in_words(shown(column, value) or "none")


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


def counted(count: int, one: str, many: str = "") -> str:
    """Write a number with its noun: `1 part`, `3 parts`; `many` where it is no plain plural."""
    return f"{count} {one if count == 1 else many or f'{one}s'}"
