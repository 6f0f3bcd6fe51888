"""How far back so many years, months, weeks or days are."""

from datetime import date, timedelta

from tools.search_fields.time.dates.stretches import Stretch, days, month, months_back, year

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
    return months_back(today, round(months)) if 1 <= months <= LONGEST_YEARS * 12 else None


def unit_of(day: date, unit: str) -> Stretch:
    """Give the year, month, week or day that a day is in; of longer units the year."""
    if years_of(1, unit):
        return year(day.year)
    if unit[0] in "mq":
        return month(day.year, day.month)
    if unit[0] == "w":
        monday = day - timedelta(days=day.weekday())
        return Stretch(monday, monday + timedelta(days=6))
    return days(day.year, day.month, day.day) or year(day.year)
