"""Was this threat told already, and is it due again? Source: executive.md §1.3, step 2."""

from hashlib import sha256

from state.session import ThreatTold
from state.stages import Weighed
from state.tuning import RelevanceTuning
from tools.salience.threats import is_burst, last_telling

LONGEST_ABOUT = 400
"""Characters: a session is read and written whole with every event."""
_DIGEST = 16
"""Hex digits, 64 bits: no two events of a session meet by chance."""


def about_of(text: str) -> str:
    """Give the words that are remembered of an event; of a long one the rest is told by a digest.

    Cut without it, the same long event would not be known again, and two that begin alike would
    be taken for one.
    """
    if len(text) <= LONGEST_ABOUT:
        return text
    digest = sha256(text.encode()).hexdigest()[:_DIGEST]
    return f"{text[: LONGEST_ABOUT - _DIGEST - 1]} {digest}"


def already_told(state: Weighed, now: float, tuning: RelevanceTuning) -> str | None:
    """Say in what way a threat was told already; None: it has to be told now."""
    threats, pattern = state.session.threats, state.salience.pattern
    sender = state.event.sender
    told = last_telling(threats, sender, pattern, state.event.text, now)
    if told is None:
        burst = is_burst(threats, sender, pattern, now, tuning)
        return "one of many at once; told when fewer come" if burst else None
    known = state.session.familiar.get(pattern)
    is_fast = known is not None and known.pace >= tuning.burst_pace
    if told_again(told, state.salience.vector.threat, now, tuning, is_fast=is_fast):
        return None
    return f"told {told.times} time(s); told again when it rises"


def said_in_this_burst(state: Weighed, now: float, tuning: RelevanceTuning) -> str | None:
    """Say when the very same may be said again; None: at once, it is news, or somebody watches it.

    P leaves .4 of relevance, enough for who wants to hear much; but doubling an event adds nothing,
    however much it matters (executive.md §2). What waited is judged with its group, not here.
    """
    event, salience = state.event, state.salience
    if state.arrival.released_by is not None or salience.watched is not None or not event.text:
        return None
    about = about_of(event.text)
    known = state.session.familiar.get(salience.pattern)
    if known is not None and salience.vector.threat - known.seen.threat >= tuning.threat_rise:
        return None
    said = [
        one.at
        for one in state.session.spoken
        if one.about == about
        and one.pattern.partition("|")[2] == salience.pattern
        and one.at <= now
    ]
    left = max(said, default=now - tuning.burst_seconds) + tuning.burst_seconds - now
    return f"would be told again in {left:.0f} s, or in other words" if left > 0 else None


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
