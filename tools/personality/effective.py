"""From base traits to effective ones. Source: executive.md §1.6 and §1.7."""

from state.personality import NEUTRAL_RAPPORT, TRAITS, Traits, TraitShift
from state.talk import TalkRequest
from state.tuning import PersonalityTuning


def effective(base: Traits, context: TraitShift, mood: TraitShift, overrides: TraitShift) -> Traits:
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


def shifted(mood: TraitShift, rapport: float, tuning: PersonalityTuning) -> TraitShift:
    """Add to what a mood moves what rapport does: who is close is spoken to less formally."""
    closer = max(0.0, rapport - NEUTRAL_RAPPORT)
    return mood.model_copy(update={"formality": -tuning.rapport_formality * closer})


def adjusted(
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
