"""How old an event may be to count, and how long what is true of it can be kept."""

from datetime import timedelta

from state.stages import Weighed
from state.tuning import Context, RelevanceTuning
from tools.relevance.quiet import LONGEST_QUIET

MOMENT = 0.001
"""Seconds below which a time left is none: clocks are read in microseconds."""


def expired_after(state: Weighed, tuning: RelevanceTuning, context: Context) -> float | None:
    """Return the age in seconds that an event has passed and may not; None: it counts.

    An alarm that came late counts all the same. Its sender's own limit holds, and so does the word
    that it is sent as history.
    """
    arrival, life = state.arrival, state.event.expires_in_seconds
    if life is None and arrival.released_by is None:
        if _is_grave_news(state, tuning):
            return None
        life = tuning.stale_seconds[context]  # a hold has a life of its own
    # What waited until its own end is over then, else it is held again to the same moment.
    spared = MOMENT if arrival.released_by is not None else 0.0
    return None if life is None or arrival.age_seconds <= life - spared else life


def is_late(state: Weighed, tuning: RelevanceTuning, context: Context) -> bool:
    """Tell whether what happened is older than most that is told, and told with its age."""
    arrival = state.arrival
    is_news = not state.event.is_addressed and arrival.initiative is None
    waited = arrival.released_by is not None
    return is_news and not waited and arrival.age_seconds > tuning.stale_seconds[context]


def longest_hold(state: Weighed) -> timedelta:
    """Tell how long an event may be kept: no longer than it is true."""
    life = state.event.expires_in_seconds
    if life is None:
        return LONGEST_QUIET
    left = max(0.0, life - state.arrival.age_seconds)
    return min(LONGEST_QUIET, timedelta(seconds=left))


def _is_grave_news(state: Weighed, tuning: RelevanceTuning) -> bool:
    is_history = state.event.payload.get("backfill") is True
    is_grave = state.salience.locked or state.salience.vector.threat >= tuning.threat
    return is_grave and not is_history
