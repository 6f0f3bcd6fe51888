"""Mood, rapport and circumstances, and the effective traits that result from them.

Mood is a slow average of outcomes, rapport is kept per person, circumstances rise at once and
fade. Source: executive.md §1.6 and §1.7.
"""

from collections.abc import Mapping, Sequence

from state.personality import (
    CIRCUMSTANCES,
    NEUTRAL_RAPPORT,
    TRAITS,
    Activation,
    Circumstance,
    Mood,
    Profile,
    Traits,
    TraitShift,
)
from state.salience import SalienceVector
from state.talk import TalkRequest
from state.tuning import PersonalityTuning
from tools.platform.clock import DAY_SECONDS

NEGLIGIBLE = 0.01
"""A level below this is over."""


def active_circumstances(
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


def decayed_circumstances(
    circumstances: Mapping[Circumstance, Activation], now: float, tuning: PersonalityTuning
) -> Mapping[Circumstance, float]:
    """Tell what is left of circumstances at `now`, seconds since 1970."""
    levels = {
        name: known.level * 2.0 ** (-max(0.0, now - known.at) / tuning.circumstance_half_seconds)
        for name, known in circumstances.items()
    }
    return {name: level for name, level in levels.items() if level >= NEGLIGIBLE}


def raise_circumstances(
    circumstances: Mapping[Circumstance, Activation],
    levels: Mapping[Circumstance, float],
    now: float,
    tuning: PersonalityTuning,
) -> dict[Circumstance, Activation]:
    """Return the circumstances after these levels were felt at `now`; the stronger one counts."""
    left = decayed_circumstances(circumstances, now, tuning)
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


def mood_now(mood: Mood, now: float, enthusiasm: float, tuning: PersonalityTuning) -> Mood:
    """Let a mood fade until `now`, seconds since 1970; `enthusiasm` moves where it rests."""
    rest = tuning.mood_rest * (2 * enthusiasm - 1)
    if mood.at is None:
        return Mood(valence=rest, arousal=rest, at=now)
    kept = 2.0 ** (-max(0.0, now - mood.at) / tuning.mood_half_seconds)
    return Mood(
        valence=_inside_mood_range(rest + (mood.valence - rest) * kept),
        arousal=_inside_mood_range(rest + (mood.arousal - rest) * kept),
        at=now,
    )


def mood_after(mood: Mood, outcome: float, tuning: PersonalityTuning) -> Mood:
    """Move a mood of this moment by an outcome, -1 (very bad) to 1; more of the same moves less."""
    return mood.model_copy(
        update={
            "valence": _moved(mood.valence, outcome, tuning.mood_step),
            "arousal": _moved(mood.arousal, abs(outcome), tuning.mood_step),
        }
    )


def mood_shift(mood: Mood, sitting_hours: float, tuning: PersonalityTuning) -> TraitShift:
    """Tell what a mood, and a long sitting, does to the traits."""
    sat = min(1.0, max(0.0, sitting_hours) / tuning.long_sitting_hours)
    return TraitShift(
        enthusiasm=tuning.mood_enthusiasm * max(0.0, mood.valence),
        sarcasm=-tuning.mood_sarcasm * max(0.0, -mood.valence),
        proactive=-tuning.long_sitting_proactive * sat,
    )


def _moved(value: float, outcome: float, step: float) -> float:
    room = 1 - abs(value) if outcome * value >= 0 else 1.0
    return _inside_mood_range(value + step * outcome * room)


def _inside_mood_range(value: float) -> float:
    return min(1.0, max(-1.0, value))


LOWEST, HIGHEST = 0.001, 0.999
"""Never quite lost and never complete: at 0 or 1 it could not move any more."""


def rapport_now(profile: Profile, now: float, tuning: PersonalityTuning) -> float:
    """Compute what is left of rapport at `now`, seconds since 1970, inside (0, 1)."""
    age = max(0.0, now - profile.rapport_at)
    kept = 2.0 ** (-age / (tuning.rapport_half_days * DAY_SECONDS))
    return _inside_rapport_range(NEUTRAL_RAPPORT + (profile.rapport - NEUTRAL_RAPPORT) * kept)


def rapport_after(rapport: float, feedback: float, tuning: PersonalityTuning) -> float:
    """Move rapport by a reaction: its sign is that of `feedback`, its weight the amount."""
    if feedback >= 0:
        return _inside_rapport_range(rapport + tuning.rapport_gain * feedback * (1 - rapport))
    return _inside_rapport_range(rapport - tuning.rapport_loss * -feedback * rapport)


def with_feedback(
    profile: Profile, feedback: float, now: float, tuning: PersonalityTuning
) -> Profile:
    """Return a profile after a reaction at `now`: 1 praise, -1 annoyance, less for a hint of it."""
    rapport = rapport_after(rapport_now(profile, now, tuning), feedback, tuning)
    return profile.model_copy(update={"rapport": rapport, "rapport_at": now})


def _inside_rapport_range(rapport: float) -> float:
    return min(HIGHEST, max(LOWEST, rapport))


def effective_traits(
    base: Traits, context: TraitShift, mood: TraitShift, overrides: TraitShift
) -> Traits:
    """Add up what the traits are now, each clamped to 0 and 1."""
    return Traits(
        **{
            trait: _clamped(
                getattr(base, trait)
                + getattr(context, trait)
                + getattr(mood, trait)
                + getattr(overrides, trait)
            )
            for trait in TRAITS
        }
    )


def combined_shift(mood: TraitShift, rapport: float, tuning: PersonalityTuning) -> TraitShift:
    """Add to what a mood moves what rapport does: who is close is spoken to less formally."""
    closer = max(0.0, rapport - NEUTRAL_RAPPORT)
    return mood.model_copy(update={"formality": -tuning.rapport_formality * closer})


def adjusted_overrides(
    base: Traits, overrides: TraitShift, request: TalkRequest, tuning: PersonalityTuning
) -> TraitShift:
    """Return a person's overrides after a wish for one trait.

    What they wish for stays inside 0 and 1, so that `less` ten times is taken back by one `more`.
    """
    if request.trait is None:
        return overrides
    own = getattr(base, request.trait)
    wished = request.value
    if wished is None:
        step = (request.step or 0.0) + (request.steps or 0.0) * tuning.trait_step
        wished = own + getattr(overrides, request.trait) + step
    return overrides.model_copy(update={request.trait: round(_clamped(wished) - own, 6)})


def _clamped(value: float) -> float:
    return round(min(1.0, max(0.0, value)), 6)
