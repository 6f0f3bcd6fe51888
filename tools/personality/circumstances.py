"""What moves the traits for a while: danger, a chance, somebody who struggles.

A circumstance rises at once and fades, so that the character does not flicker. Source:
executive.md §1.6.
"""

from collections.abc import Mapping, Sequence

from state.personality import CIRCUMSTANCES, TRAITS, Activation, Circumstance, TraitShift
from state.salience import SalienceVector
from state.tuning import PersonalityTuning

NEGLIGIBLE = 0.01
"""A level below this is over."""


def stirred_by(
    vector: SalienceVector,
    failures: Sequence[float],
    sentiment: float,
    now: float,
    *,
    tuning: PersonalityTuning,
) -> Mapping[Circumstance, float]:
    """Tell which circumstances hold now and how strongly, 0 to 1.

    Args:
        failures: when something went wrong for the person, seconds since 1970.
        sentiment: of what the person says now, -1 to 1; 0 when nobody speaks.
    """
    lately = sum(1 for at in failures if 0 <= now - at <= tuning.struggle_seconds)
    struggles = lately >= tuning.struggle_failures or sentiment < tuning.struggle_sentiment
    levels: dict[Circumstance, float] = {
        "high_threat": vector.threat if vector.threat >= tuning.threat_from else 0.0,
        "opportunity": (
            vector.opportunity if vector.opportunity >= tuning.opportunity_from else 0.0
        ),
        "user_struggling": float(struggles),
    }
    return {name: level for name, level in levels.items() if level}


def faded(
    circumstances: Mapping[Circumstance, Activation], now: float, tuning: PersonalityTuning
) -> Mapping[Circumstance, float]:
    """Tell what is left of circumstances at `now`, seconds since 1970."""
    levels = {
        name: known.level * 2.0 ** (-max(0.0, now - known.at) / tuning.circumstance_half_seconds)
        for name, known in circumstances.items()
    }
    return {name: level for name, level in levels.items() if level >= NEGLIGIBLE}


def raised(
    circumstances: Mapping[Circumstance, Activation],
    levels: Mapping[Circumstance, float],
    now: float,
    tuning: PersonalityTuning,
) -> dict[Circumstance, Activation]:
    """Return the circumstances after these levels were felt at `now`; the stronger one counts."""
    left = faded(circumstances, now, tuning)
    return {
        name: Activation(level=max(left.get(name, 0.0), levels.get(name, 0.0)), at=now)
        for name in CIRCUMSTANCES
        if name in left or name in levels
    }


def circumstance_shift(
    levels: Mapping[Circumstance, float],
    modifiers: Mapping[Circumstance, TraitShift],
    tuning: PersonalityTuning,
) -> TraitShift:
    """Add up what circumstances do to the traits, bounded for each trait."""
    most = tuning.moved_at_most
    sums = {
        trait: sum(
            level * getattr(modifiers[name], trait)
            for name, level in levels.items()
            if name in modifiers
        )
        for trait in TRAITS
    }
    return TraitShift(**{trait: min(most, max(-most, moved)) for trait, moved in sums.items()})
