"""Habituation: repeated events of one pattern matter less until they change or time has passed.

Source: executive.md §1.8, which gives the formulas and the golden values.
"""

import math

from state.salience import DIMENSIONS, SalienceVector
from state.session import Familiarity
from state.tuning import HabituationTuning

RECOVERED = 0.01
"""A level below this is a full recovery: the next time it becomes boring faster."""
SLOWEST, FASTEST = 0.15, 0.6
"""The share of what is left that one event may bore by."""
HIGHEST_GAIN = FASTEST / SLOWEST
"""More would change nothing; without an end it grows past what a float holds in a few weeks."""


def pattern_of(source: str, kind: str, entity: str | None) -> str:
    """Name what repeats: source, type and entity, never free text."""
    return f"{source}|{kind}|{entity or ''}"


def habituation_on_arrival(
    known: Familiarity | None,
    vector: SalienceVector,
    now: float,
    fade_seconds: float,
    tuning: HabituationTuning,
) -> float:
    """Compute H for an event that arrives now, 0 to `tuning.highest`."""
    if known is None:
        return 0.0
    level = habituation_now(known, now, fade_seconds)
    rise = max(0.0, *(getattr(vector, name) - getattr(known.seen, name) for name in DIMENSIONS))
    if rise >= tuning.wakes_at_rise:
        level *= 1 - rise
    return min(level, tuning.highest)


def habituation_now(known: Familiarity, now: float, fade_seconds: float) -> float:
    """Compute what is left of a habituation at `now`, seconds since 1970."""
    return known.level * math.exp(-max(0.0, now - known.at) / fade_seconds)


def update_habituation(
    known: Familiarity | None,
    vector: SalienceVector,
    level: float,
    strength: float,
    now: float,
    *,
    engaged: bool,
    tuning: HabituationTuning,
    times: int = 1,
) -> Familiarity:
    """Update a pattern after one of its events; `strength` is S, `engaged`: somebody cared.

    Args:
        times: so many identical ones came at once; they bore as one, and count for the pace.
    """
    pace = pace_of(known, now, tuning) + times
    if engaged:
        fresh = {"level": level * tuning.engaged_share, "at": now, "seen": vector, "pace": pace}
        return known.model_copy(update=fresh) if known else Familiarity.model_validate(fresh)
    gain = known.gain if known else 1.0
    if known and level < RECOVERED < known.level:
        gain = min(HIGHEST_GAIN, gain * 1.15)
    eta = min(0.40, max(SLOWEST, tuning.bores_by * (1.25 - 0.5 * strength))) * gain
    eta = min(FASTEST, eta)
    level = min(tuning.highest, level + eta * (1 - level))
    if known is None:
        return Familiarity(level=level, at=now, seen=vector, gain=gain, pace=pace)
    update = {"level": level, "at": now, "seen": vector, "gain": gain, "pace": pace}
    return known.model_copy(update=update)


def pace_of(known: Familiarity | None, now: float, tuning: HabituationTuning) -> float:
    """Compute how fast events of a pattern come: their number, each halved as time passes."""
    if known is None:
        return 0.0
    return float(known.pace * 2.0 ** (-max(0.0, now - known.at) / tuning.pace_half_seconds))
