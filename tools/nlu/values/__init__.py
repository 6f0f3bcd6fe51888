"""Numbers, units, dates and times as people write them, independent of any slot.

`extract` reads every kind of value by the rules of a lexicon; the views decide what a value means
where it is said. See docs/decisions for how it compares with the libraries there are.
"""

from tools.nlu.values.engine import ANY_DAY, extract, extract_kinds
from tools.nlu.values.model import Amount, Kind, Recurrence, Side, Stretch, Time, Value
from tools.nlu.values.views import (
    AT_A_TIME,
    as_filter,
    as_instant,
    calendar_words,
    hours_in,
    seconds_of,
)

__all__ = [
    "ANY_DAY",
    "AT_A_TIME",
    "Amount",
    "Kind",
    "Recurrence",
    "Side",
    "Stretch",
    "Time",
    "Value",
    "as_filter",
    "as_instant",
    "calendar_words",
    "extract",
    "extract_kinds",
    "hours_in",
    "seconds_of",
]
