"""What always holds of traits, moods and rapport."""

from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from state.personality import TRAITS, Mood, Profile, Traits, TraitShift
from state.talk import TalkRequest
from tests.stages import SECONDS, TUNING
from tools.response.affect import (
    adjusted_overrides,
    effective_traits,
    mood_after,
    mood_now,
    rapport_after,
    with_feedback,
)

OURS = TUNING.personality
scores = st.floats(0, 1)
shifts = st.builds(TraitShift, **dict.fromkeys(TRAITS, st.floats(-1, 1)))
traits = st.builds(Traits, **dict.fromkeys(TRAITS, scores))
outcomes = st.floats(-1, 1)


@given(traits, shifts, shifts, shifts)
def test_effective_traits_stay_between_0_and_1(
    base: Traits, context: TraitShift, mood: TraitShift, overrides: TraitShift
) -> None:
    Traits.model_validate(effective_traits(base, context, mood, overrides).model_dump())


@given(traits, shifts, st.sampled_from(TRAITS), st.floats(0, 1))
def test_a_trait_of_more_is_never_one_of_less(
    base: Traits, shift: TraitShift, trait: str, to: float
) -> None:
    more = base.model_copy(update={trait: max(to, getattr(base, trait))})
    none = TraitShift()
    lower, higher = (effective_traits(one, shift, none, none) for one in (base, more))
    assert getattr(higher, trait) >= getattr(lower, trait)


@given(st.lists(st.floats(-1, 1), max_size=60), st.floats(0, 1e8))
def test_rapport_stays_between_0_and_1_whatever_is_said(
    feedback: list[float], pause: float
) -> None:
    profile, now = Profile(), SECONDS
    for each in feedback:
        now += pause
        profile = with_feedback(profile, each, now, OURS)
        assert 0 < profile.rapport < 1


def test_rapport_can_always_move_again() -> None:
    rapport = 0.3
    for _praise in range(3000):
        rapport = rapport_after(rapport, 1.0, OURS)
    assert 0.3 < rapport_after(rapport, -1.0, OURS) < rapport < 1


@given(st.floats(0.01, 0.99), st.floats(0.01, 1))
def test_a_complaint_costs_more_than_a_praise_gains_for_who_is_close(
    rapport: float, weight: float
) -> None:
    gained = rapport_after(rapport, weight, OURS) - rapport
    lost = rapport - rapport_after(rapport, -weight, OURS)
    assert min(gained, lost) > 0
    assert lost > gained or rapport < 0.34


@given(st.lists(st.tuples(outcomes, st.floats(0, 5000)), max_size=40), scores)
def test_a_mood_stays_within_its_bounds(steps: list[tuple[float, float]], eager: float) -> None:
    mood, now = Mood(), SECONDS
    for outcome, pause in steps:
        now += pause
        mood = mood_after(mood_now(mood, now, eager, OURS), outcome, OURS)
        Mood.model_validate(mood.model_dump())


@given(traits, shifts, st.sampled_from(TRAITS), st.floats(-1, 1))
def test_a_wish_keeps_a_trait_in_reach_of_the_next_wish(
    base: Traits, overrides: TraitShift, trait: Any, step: float
) -> None:
    wish = TalkRequest(kind="trait", trait=trait, step=step)
    wished = getattr(adjusted_overrides(base, overrides, wish, OURS), trait) + getattr(base, trait)
    assert -1e-6 <= wished <= 1 + 1e-6
