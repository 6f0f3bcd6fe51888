"""Rapport: how it stands with one person. Source: executive.md §1.7."""

from state.personality import NEUTRAL_RAPPORT, Profile
from state.tuning import PersonalityTuning
from tools.clock import DAY_SECONDS

LOWEST, HIGHEST = 0.001, 0.999
"""Never quite lost and never complete: at 0 or 1 it could not move any more."""


def rapport_now(profile: Profile, now: float, tuning: PersonalityTuning) -> float:
    """Compute what is left of rapport at `now`, seconds since 1970, inside (0, 1)."""
    age = max(0.0, now - profile.rapport_at)
    kept = 2.0 ** (-age / (tuning.rapport_half_days * DAY_SECONDS))
    return _inside(NEUTRAL_RAPPORT + (profile.rapport - NEUTRAL_RAPPORT) * kept)


def rapport_after(rapport: float, feedback: float, tuning: PersonalityTuning) -> float:
    """Move rapport by a reaction: its sign is that of `feedback`, its weight the amount."""
    if feedback >= 0:
        return _inside(rapport + tuning.rapport_gain * feedback * (1 - rapport))
    return _inside(rapport - tuning.rapport_loss * -feedback * rapport)


def with_feedback(
    profile: Profile, feedback: float, now: float, tuning: PersonalityTuning
) -> Profile:
    """Return a profile after a reaction at `now`: 1 praise, -1 annoyance, less for a hint of it."""
    rapport = rapport_after(rapport_now(profile, now, tuning), feedback, tuning)
    return profile.model_copy(update={"rapport": rapport, "rapport_at": now})


def _inside(rapport: float) -> float:
    return min(HIGHEST, max(LOWEST, rapport))
