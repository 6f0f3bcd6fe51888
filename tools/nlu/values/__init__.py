"""Numbers, units, dates and times as people write them, independent of any slot."""

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
