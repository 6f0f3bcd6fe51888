"""Days and months as they are written: 6 May 2020, May 6, 2020, 2020-05, Nov '25."""

import re
from datetime import date

from tools.search_fields.time.dates.spoken_years import SHORT_YEAR, last_ending
from tools.search_fields.time.dates.stretches import Stretch, days, month
from tools.search_fields.time.dates.year_parts import year_of
from tools.search_fields.words.months import MONTH, month_number

MONTH_SHORT_YEAR = rf"({MONTH}) ?{SHORT_YEAR}"


def iso_day(match: re.Match[str], today: date) -> Stretch | None:
    """Read `2020-05-06`."""
    return days(int(match[1]), int(match[2]), int(match[3]))


def dotted_day(match: re.Match[str], today: date) -> Stretch | None:
    """Read `6.5.2020`."""
    return days(int(match[3]), int(match[2]), int(match[1]))


def written_day(match: re.Match[str], today: date) -> Stretch | None:
    """Read `6 May 2020`."""
    return days(int(match[3]), month_number(match[2]), int(re.sub(r"\D", "", match[1])))


def american_day(match: re.Match[str], today: date) -> Stretch | None:
    """Read `May 6, 2020`."""
    return days(int(match[3]), month_number(match[1]), int(re.sub(r"\D", "", match[2])))


def month_span(match: re.Match[str], today: date) -> Stretch | None:
    """Read `March to May 2020`; of March and January the first is of the year before."""
    first, last = month_number(match[1]), month_number(match[2])
    ended = year_of(match[3], today)
    began = ended - 1 if first > last else ended
    return month(began, first).to(month(ended, last))


def month_year(match: re.Match[str], today: date) -> Stretch | None:
    """Read `May 2020`."""
    return month(year_of(match[2], today), month_number(match[1]))


def iso_month(match: re.Match[str], today: date) -> Stretch | None:
    """Read `2020-05`."""
    number = int(match[2])
    return month(int(match[1]), number) if 1 <= number <= 12 else None


def american_month(match: re.Match[str], today: date) -> Stretch | None:
    """Read `5/2020`."""
    number = int(match[1])
    return month(int(match[2]), number) if 1 <= number <= 12 else None


def month_short_year(match: re.Match[str], today: date) -> Stretch | None:
    """Read `Nov '25`."""
    return month(last_ending(int(match[2]), today), month_number(match[1]))
