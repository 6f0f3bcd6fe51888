"""Calendar offsets, the values of slots of type `shift`: `+1 week`, `-3 days`, `+2 months`."""

import re
from calendar import monthrange
from datetime import date, timedelta

_WRITTEN = re.compile(r"([+-])(\d{1,3}) (day|week|month|year)s?")
_DAYS = {"day": 1, "week": 7}
_MONTHS = {"month": 1, "year": 12}


def shift_of(amount: int, unit: str) -> str:
    """Write a move; `unit` is day, week, month or year.

    Raises:
        ValueError: no such unit, or an amount of none or of 1,000 and more.
    """
    if unit not in _DAYS | _MONTHS or not 0 < abs(amount) < 1_000:
        raise ValueError("must be a move of 1 to 999 days, weeks, months or years")
    return f"{amount:+d} {unit}{'s' if abs(amount) > 1 else ''}"


def shifted(day: date, shift: str) -> date:
    """Move a day; a month later than 31 January is the last day of February.

    Raises:
        ValueError: it is no such move, or the day would lie outside the calendar.
    """
    sign, amount, unit = _read(shift)
    try:
        if unit in _DAYS:
            return day + timedelta(days=sign * amount * _DAYS[unit])
        months = day.year * 12 + day.month - 1 + sign * amount * _MONTHS[unit]
        year, month = months // 12, months % 12 + 1
        return date(year, month, min(day.day, monthrange(year, month)[1]))
    except (OverflowError, ValueError) as error:
        raise ValueError(f"leads from {day} out of the calendar") from error


def clean_shift(value: object) -> str:
    """Read a move strictly and write it in its one form: `+1 weeks` is `+1 week`.

    Raises:
        ValueError: see shift_of.
    """
    if not isinstance(value, str):
        raise ValueError("must be a move such as +1 week")
    sign, amount, unit = _read(value)
    return shift_of(sign * amount, unit)


def _read(value: str) -> tuple[int, int, str]:
    match = _WRITTEN.fullmatch(value)
    if match is None or not int(match[2]):
        raise ValueError("must be a move such as +1 week or -3 days")
    return (1 if match[1] == "+" else -1), int(match[2]), match[3]
