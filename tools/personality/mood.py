"""Mood: a slow average of how things went, that fades to a rest. Source: executive.md §1.6."""

from state.personality import Mood, TraitShift
from state.tuning import PersonalityTuning


def mood_now(mood: Mood, now: float, enthusiasm: float, tuning: PersonalityTuning) -> Mood:
    """Let a mood fade until `now`, seconds since 1970; `enthusiasm` moves where it rests."""
    rest = tuning.mood_rest * (2 * enthusiasm - 1)
    if mood.at is None:
        return Mood(valence=rest, arousal=rest, at=now)
    kept = 2.0 ** (-max(0.0, now - mood.at) / tuning.mood_half_seconds)
    return Mood(
        valence=_inside(rest + (mood.valence - rest) * kept),
        arousal=_inside(rest + (mood.arousal - rest) * kept),
        at=now,
    )


def appraised(mood: Mood, outcome: float, tuning: PersonalityTuning) -> Mood:
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
    return _inside(value + step * outcome * room)


def _inside(value: float) -> float:
    return min(1.0, max(-1.0, value))
