"""How values are written on a page."""

from collections.abc import Callable, Mapping
from datetime import UTC, datetime
from typing import Any

from graph.words.reasons import meaning_of
from state.offer import Offer
from tools.approvals.dialog import is_long
from tools.approvals.inert import flagged, inert_value
from tools.ledger.pruning import ENDED

_MARKS: Mapping[str, str] = {
    "pending": "asking",
    "proposed": "asking",
    "approved": "asking",
    "started": "asking",
    "awaiting_approval": "asking",
    "offered": "asking",
    "succeeded": "done",
    "executed": "done",
    "active": "done",
    "spoke": "said",
    "failed": "bad",
    "unknown": "bad",
    "refused": "no",
    "rejected": "no",
}
STATES: Mapping[str, str] = {
    "proposed": "queued",
    "pending": "waiting",
    "approved": "approved, about to run",
    "started": "running",
    "succeeded": "done",
    "failed": "failed",
    "unknown": "nobody can tell whether it happened",
    "rejected": "refused",
    "expired": "expired",
    "superseded": "replaced by an edit",
    "stale": "stale: what it is about has changed, or the same was done",
}


def clock(instant: datetime) -> str:
    """Write the time of day, UTC."""
    return f"{instant.astimezone(UTC):%H:%M:%S}"


def day(instant: datetime) -> str:
    """Write date and time, UTC."""
    return f"{instant.astimezone(UTC):%Y-%m-%d %H:%M:%S}"


def date(instant: datetime) -> str:
    """Write the day, UTC."""
    return f"{instant.astimezone(UTC):%Y-%m-%d}"


def iso(instant: datetime) -> str:
    """Write an instant for scripts and the `time` element."""
    return instant.astimezone(UTC).isoformat(timespec="seconds")


def duration(milliseconds: float) -> str:
    """Write how long something took, in the unit people would say."""
    if milliseconds < 1_000:
        return f"{milliseconds:.0f} ms"
    fitting = ((size, unit) for size, unit in _UNITS if milliseconds < _MOST_OF_A_UNIT * size)
    size, unit = next(fitting, _UNITS[-1])
    return f"{float(f'{milliseconds / size:.2g}'):g} {unit}"


_MOST_OF_A_UNIT = 48
_UNITS = ((1_000, "s"), (60_000, "min"), (3_600_000, "h"), (86_400_000, "days"))
"""Milliseconds of each unit."""


def spaced(name: str) -> str:
    """Write an identifier as words."""
    return name.replace("_", " ")


def state_words(state: str) -> str:
    """Say where an action stands."""
    return STATES.get(state, spaced(state))


def standing(status: str) -> str:
    """Say where a decision stands."""
    return "status unknown" if status == "unknown" else status


def mark(outcome: str) -> str:
    """Name the colour of a state or an outcome: asking, done, said, no, bad or quiet."""
    return _MARKS.get(outcome, "quiet")


def is_over(offer: Offer) -> bool:
    """Tell whether a chip of an offer can be chosen no more."""
    ended = offer.expires_at is not None and offer.expires_at <= datetime.now(UTC)
    return offer.chosen is not None or ended


def may_change(state: str) -> bool:
    """Tell whether an action in this state can still come to stand otherwise."""
    return state not in ENDED


def exact(name: str) -> str:
    """Write a name or an id with every character that is not ASCII named behind it."""
    return flagged(name, is_exact=True)


TESTS: Mapping[str, Callable[..., bool]] = {  # as Jinja takes them
    "changeable": may_change,
    "over": is_over,
}
FILTERS: Mapping[str, Callable[..., Any]] = {  # as Jinja takes them
    "clock": clock,
    "date": date,
    "exact": exact,
    "flagged": flagged,
    "inert": inert_value,
    "is_long": is_long,
    "duration": duration,
    "day": day,
    "iso": iso,
    "standing": standing,
    "spaced": spaced,
    "state_words": state_words,
    "mark": mark,
    "meaning": meaning_of,
}
