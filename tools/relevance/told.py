"""Was this threat told already, and is it due again? Source: executive.md §1.3, step 2."""

from state.session import ThreatTold
from state.stages import Weighed
from state.tuning import RelevanceTuning
from tools.salience.threats import is_burst, last_telling


def already_told(state: Weighed, now: float, tuning: RelevanceTuning) -> str | None:
    """Say in what way a threat was told already; None: it has to be told now."""
    threats, pattern = state.session.threats, state.salience.pattern
    told = last_telling(threats, pattern, state.event.text, now)
    if told is None:
        burst = is_burst(threats, pattern, now, tuning)
        return "one of many at once; told when fewer come" if burst else None
    known = state.session.familiar.get(pattern)
    is_fast = known is not None and known.pace >= tuning.burst_pace
    if told_again(told, state.salience.vector.threat, now, tuning, is_fast=is_fast):
        return None
    return f"told {told.times} time(s); told again when it rises"


def told_again(
    told: ThreatTold, threat: float, now: float, tuning: RelevanceTuning, *, is_fast: bool = False
) -> bool:
    """Tell whether a threat that was told is due again: it rose, or its next turn has come.

    Args:
        is_fast: it comes many times a second; then the first wait is passed over.

    Told at a time that is still to come means that the clock was set back: then it is due once.
    """
    waits = tuning.threat_again_seconds
    due = not 0 <= now - told.at < waits[min(told.times + is_fast, len(waits)) - 1]
    return due or threat - told.level >= tuning.threat_rise - 1e-9
