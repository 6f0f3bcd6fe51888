"""Years in words, and short ones: twenty twenty, two thousand and one, '19."""

import re
from datetime import date

from tools.search_fields.time.dates.stretches import Stretch, year
from tools.search_fields.words.amounts import ONES, TENS, amount_of
from tools.search_fields.words.pieces import any_of

_DIGIT = any_of(*ONES[:9])
_TENS = rf"{any_of(*TENS)}(?:[- ]{_DIGIT})?"
_TEEN = any_of(*ONES[9:])
_HUNDREDS = {"eighteen": 18, "nineteen": 19, "twenty": 20}
SPOKEN_YEAR = any_of(
    rf"{any_of(*_HUNDREDS)}[- ](?:(?:oh|o)[- ]{_DIGIT}|hundred|{_TENS}|{_TEEN})",
    rf"two[- ]thousand(?:(?: and)?[- ](?:{_TENS}|{_TEEN}|{_DIGIT}))?",
)
SHORT_YEAR = r"'(\d\d)"


def spoken_year(match: re.Match[str], today: date) -> Stretch | None:
    """Read a year that is written as it is spoken."""
    first, *rest = match[0].replace("-", " ").split()
    rest = [word for word in rest if word not in ("thousand", "and", "oh", "o", "hundred")]
    ending = int(amount_of(" ".join(rest))) if rest else 0
    return year(_HUNDREDS.get(first, 20) * 100 + ending)


def short_year(match: re.Match[str], today: date) -> Stretch | None:
    """Read `'19` as the last year that ends so."""
    return year(last_ending(int(match[1]), today))


def last_ending(digits: int, today: date) -> int:
    """Give the last year with these two digits."""
    number = digits + today.year - today.year % 100
    return number if number <= today.year else number - 100
