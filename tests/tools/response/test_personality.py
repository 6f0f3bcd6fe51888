"""Traits, mood and rapport: golden values of executive.md §1.6 and §1.7, and what always holds."""

from datetime import timedelta
from typing import Any, get_args

import pytest
from hypothesis import given
from hypothesis import strategies as st

from state.outcome import ActionOutcome
from state.personality import TRAITS, Mood, Profile, Traits, TraitShift
from state.response import ResponseType
from state.salience import DIMENSIONS, SalienceVector
from state.session import Session
from state.stages import Gathered
from state.talk import TalkRequest
from tests.characters import character_of
from tests.stages import NOW, SECONDS, TUNING, arrival_of, event_of, salience_of, session_of
from tools.attention.response_type import ChosenType, choose_response_type
from tools.nlu.control.requests import control_request
from tools.nlu.feedback import sentiment
from tools.response.character import (
    Character,
    adjusted_overrides,
    effective_traits,
    mood_after,
    mood_now,
    mood_shift,
    rapport_after,
    rapport_now,
    with_feedback,
)

OURS = TUNING.personality
SPEC: dict[str, Any] = {
    "high_threat": {"proactive": 0.3, "sarcasm": -0.4, "verbosity": -0.3, "helpfulness": 0.2},
    "opportunity": {"enthusiasm": 0.2, "humor": 0.1},
    "user_struggling": {"helpfulness": 0.3, "sarcasm": -0.5, "formality": -0.2},
}
"""The modifiers of the Executive decision loop §6.3."""


def stirred(session: Session | None = None, later: float = 0, **salience: float) -> Session:
    character = character_of(Traits(sarcasm=0.6, proactive=0.5), context_modifiers=SPEC)
    vector = SalienceVector.model_validate(salience)
    return character.stirred(session or session_of(), event_of(), vector, SECONDS + later)


def after(session: Session, text: str = "", **event: Any) -> Session:
    happened = event_of(text or "The tide turns", **event)
    gathered = Gathered(
        event=happened, arrival=arrival_of(happened), session=session, salience=salience_of()
    )
    return character_of(Traits(enthusiasm=0.5)).after(session, gathered, SECONDS)


def test_danger_moves_the_traits_at_once_by_its_strength():
    afraid = stirred(threat=0.9).traits
    assert afraid.sarcasm == pytest.approx(0.6 - 0.9 * 0.4)
    assert afraid.proactive == pytest.approx(0.5 + 0.9 * 0.3, abs=0.07)  # an hour of sitting


def test_danger_below_the_half_moves_nothing():
    assert stirred(threat=0.49).traits.sarcasm == 0.6


def test_what_moved_the_traits_is_half_gone_after_twenty_seconds():
    later = stirred(stirred(threat=0.9), 20)
    assert later.traits.sarcasm == pytest.approx(0.6 - 0.45 * 0.4)
    assert stirred(later, 200).traits.sarcasm == pytest.approx(0.6, abs=0.002)


def test_a_greater_danger_counts_and_not_both():
    assert stirred(stirred(threat=0.9), threat=0.6).circumstances["high_threat"].level == 0.9


def test_circumstances_move_one_trait_by_a_half_at_most():
    failing = session_of(failures_at=(SECONDS - 200, SECONDS - 100, SECONDS))
    assert stirred(failing, threat=0.9).traits.sarcasm == pytest.approx(0.1)


def test_three_failures_in_five_minutes_are_a_struggle():
    long_ago = session_of(failures_at=(SECONDS - 301, SECONDS - 100, SECONDS))
    assert "user_struggling" not in stirred(long_ago).circumstances
    lately = session_of(failures_at=(SECONDS - 300, SECONDS - 100, SECONDS))
    assert stirred(lately).circumstances["user_struggling"].level == 1.0


@pytest.mark.parametrize(
    ("outcomes", "valence", "arousal"),
    [
        ((0.5,), 0.075, 0.075),
        ((1.0, 1.0), 0.2775, 0.2775),
        ((1.0, -1.0), 0.0, 0.2775),
        ((-1.0, -1.0), -0.2775, 0.2775),
    ],
)
def test_outcomes_move_the_mood(outcomes: tuple[float, ...], valence: float, arousal: float):
    mood = Mood(at=SECONDS)
    for outcome in outcomes:
        mood = mood_after(mood, outcome, OURS)
    assert (mood.valence, mood.arousal) == pytest.approx((valence, arousal))


def test_a_mood_is_halfway_back_to_its_rest_after_twenty_minutes():
    mood = mood_now(Mood(valence=0.5, arousal=0.5, at=SECONDS), SECONDS + 1200, 0.5, OURS)
    assert (mood.valence, mood.arousal) == (0.25, 0.25)
    cheerful = mood_now(Mood(valence=0.5, at=SECONDS), SECONDS + 1e7, 1.0, OURS)
    assert cheerful.valence == pytest.approx(0.1)


def test_moods_and_long_sittings_move_three_traits():
    good = mood_shift(Mood(valence=0.4), 1.5, OURS)
    assert (good.enthusiasm, good.sarcasm, good.proactive) == pytest.approx((0.06, 0.0, -0.1))
    bad = mood_shift(Mood(valence=-0.4), 30.0, OURS)
    assert (bad.enthusiasm, bad.sarcasm, bad.proactive) == pytest.approx((0.0, -0.1, -0.2))


def test_ten_praises_and_three_complaints_are_the_golden_rapport():
    profile = Profile()
    for _praise in range(10):
        profile = with_feedback(profile, 1.0, SECONDS, OURS)
    assert profile.rapport == pytest.approx(0.535, abs=0.0005)
    for _complaint in range(3):
        profile = with_feedback(profile, -1.0, SECONDS, OURS)
    assert profile.rapport == pytest.approx(0.416, abs=0.0005)


def test_the_third_telling_in_a_row_that_is_ignored_costs_a_little():
    known = session_of(person="amir", slighted_at=(SECONDS,))
    assert after(known).profile.rapport == pytest.approx(0.3 * (1 - 0.08 * 0.3))
    assert after(session_of(person="amir", slighted_at=(SECONDS - 1,))).profile.rapport == 0.3


def test_half_of_what_was_won_is_forgotten_in_thirty_days():
    profile = Profile(rapport=0.5, rapport_at=SECONDS)
    assert rapport_now(profile, SECONDS + 30 * 86_400, OURS) == pytest.approx(0.4)


def test_who_is_close_is_spoken_to_less_formally():
    close = session_of(profile=Profile(rapport=0.8, rapport_at=SECONDS), person="amir")
    assert character_of().present(close, SECONDS).traits.formality == pytest.approx(0.35)


@pytest.mark.parametrize(
    ("text", "payload", "valence"),
    [
        ("Gate closed", {"outcome": -1}, -0.15),
        ("Gate closed", {"outcome": 7}, 0.15),
        ("Gate closed", {"outcome": True}, 0.0),
        ("Gate closed", {}, 0.0),
    ],
)
def test_an_event_may_bring_how_it_went(text: str, payload: dict[str, Any], valence: float):
    assert after(session_of(), text, payload=payload).mood.valence == pytest.approx(valence)


def test_a_pack_says_which_words_tell_how_it_went():
    character = character_of(Traits(enthusiasm=0.5), outcomes={-0.8: ["ship sank"]})
    event = event_of("Your ship sank at the quay")
    gathered = Gathered(event=event, arrival=arrival_of(event), session=session_of())
    session = character.after(session_of(), gathered, SECONDS)
    assert session.mood.valence == pytest.approx(-0.12)
    assert session.failures_at == (SECONDS,)


def test_what_failed_for_somebody_is_felt():
    event = event_of("close the lock", kind="message", user="amir")
    failed = ActionOutcome(action_id="a", state="failed", executed_now=True)
    gathered = Gathered(
        event=event, arrival=arrival_of(event), session=session_of(), outcome=failed
    )
    session = character_of(Traits(enthusiasm=0.5)).after(session_of(), gathered, SECONDS)
    assert session.mood.valence == pytest.approx(-0.06)
    assert len(session.failures_at) == 1


def test_who_despairs_struggles_at_once():
    event = event_of("ugh, I keep dying", kind="message", user="amir")
    character = character_of(context_modifiers=SPEC)
    now = character.stirred(session_of(), event, SalienceVector(), SECONDS)
    assert now.traits.sarcasm == 0.0
    assert now.circumstances["user_struggling"].level == 1.0


def test_a_new_sitting_begins_after_half_an_hour_of_nothing():
    going_on = session_of(sitting_since=SECONDS - 7200, seen_at=SECONDS - 60)
    assert after(going_on).sitting_since == SECONDS - 7200
    back = session_of(sitting_since=SECONDS - 7200, seen_at=SECONDS - 1801)
    assert after(back).sitting_since == SECONDS
    assert character_of().present(back, SECONDS).traits.proactive == 0.5


def test_a_clock_that_is_set_back_moves_nothing_out_of_bounds():
    earlier = (NOW - timedelta(days=400)).timestamp()
    session = after(session_of(person="amir"), payload={"outcome": 1})
    assert character_of().present(session, earlier).traits == character_of().present(
        session, SECONDS
    ).traits.model_copy(update={"proactive": 0.5})


# What always holds of traits, moods and rapport.

scores = st.floats(0, 1)
shifts = st.builds(TraitShift, **dict.fromkeys(TRAITS, st.floats(-1, 1)))
traits = st.builds(Traits, **dict.fromkeys(TRAITS, scores))
outcomes = st.floats(-1, 1)


@given(traits, shifts, shifts, shifts)
def test_effective_traits_stay_between_0_and_1(
    base: Traits, context: TraitShift, mood: TraitShift, overrides: TraitShift
):
    Traits.model_validate(effective_traits(base, context, mood, overrides).model_dump())


@given(traits, shifts, st.sampled_from(TRAITS), st.floats(0, 1))
def test_a_trait_of_more_is_never_one_of_less(
    base: Traits, shift: TraitShift, trait: str, to: float
):
    more = base.model_copy(update={trait: max(to, getattr(base, trait))})
    none = TraitShift()
    lower, higher = (effective_traits(one, shift, none, none) for one in (base, more))
    assert getattr(higher, trait) >= getattr(lower, trait)


@given(st.lists(st.floats(-1, 1), max_size=60), st.floats(0, 1e8))
def test_rapport_stays_between_0_and_1_whatever_is_said(feedback: list[float], pause: float):
    profile, now = Profile(), SECONDS
    for each in feedback:
        now += pause
        profile = with_feedback(profile, each, now, OURS)
        assert 0 < profile.rapport < 1


def test_rapport_can_always_move_again():
    rapport = 0.3
    for _praise in range(3000):
        rapport = rapport_after(rapport, 1.0, OURS)
    assert 0.3 < rapport_after(rapport, -1.0, OURS) < rapport < 1


@given(st.floats(0.01, 0.99), st.floats(0.01, 1))
def test_a_complaint_costs_more_than_a_praise_gains_for_who_is_close(rapport: float, weight: float):
    gained = rapport_after(rapport, weight, OURS) - rapport
    lost = rapport - rapport_after(rapport, -weight, OURS)
    assert min(gained, lost) > 0
    assert lost > gained or rapport < 0.34


@given(st.lists(st.tuples(outcomes, st.floats(0, 5000)), max_size=40), scores)
def test_a_mood_stays_within_its_bounds(steps: list[tuple[float, float]], eager: float):
    mood, now = Mood(), SECONDS
    for outcome, pause in steps:
        now += pause
        mood = mood_after(mood_now(mood, now, eager, OURS), outcome, OURS)
        Mood.model_validate(mood.model_dump())


@given(traits, shifts, st.sampled_from(TRAITS), st.floats(-1, 1))
def test_a_wish_keeps_a_trait_in_reach_of_the_next_wish(
    base: Traits, overrides: TraitShift, trait: Any, step: float
):
    wish = TalkRequest(kind="trait", trait=trait, step=step)
    wished = getattr(adjusted_overrides(base, overrides, wish, OURS), trait) + getattr(base, trait)
    assert -1e-6 <= wished <= 1 + 1e-6


# Which kind of response fits: executive.md §1.5.

NEUTRAL = Traits(helpfulness=0.5)


def choose(vector: SalienceVector, **given_as: Any) -> ChosenType:
    asked = {
        "traits": NEUTRAL,
        "confidence": 1.0,
        "context": "default",
        "busy": False,
        **given_as,
    }
    return choose_response_type(vector, asked.pop("traits"), **asked)


@pytest.mark.parametrize(
    ("vector", "kind"),
    [
        (SalienceVector(threat=0.9), "alert"),
        (SalienceVector(humor=0.9), "quip"),
        (SalienceVector(opportunity=0.8, actionability=0.8), "suggestion"),
        (SalienceVector(goal_relevance=0.8), "observation"),
        (SalienceVector(novelty=0.8), "observation"),
        (SalienceVector(social=0.9), "observation"),
        (SalienceVector(), "observation"),
    ],
)
def test_the_strongest_reason_names_the_kind(vector: SalienceVector, kind: str):
    assert choose(vector).type == kind


def test_an_unsure_goal_becomes_a_question():
    goal = SalienceVector(goal_relevance=0.9)
    assert choose(goal, confidence=0.5).type == "question"
    assert choose(goal, confidence=0.0).type == choose(goal, confidence=1.0).type == "observation"


@pytest.mark.parametrize(
    ("kind", "vector", "confidence", "utility"),
    [
        ("alert", SalienceVector(threat=0.8), 1.0, 1.2 * 0.8),
        ("alert", SalienceVector(threat=0.49), 1.0, 0.0),
        ("question", SalienceVector(goal_relevance=0.8), 0.5, 0.8 * 0.75),
        ("question", SalienceVector(goal_relevance=0.8), 0.9, 0.8 * 0.75 * 0.2),
        ("suggestion", SalienceVector(opportunity=0.9, actionability=0.4), 1.0, 0.6),
        ("observation", SalienceVector(novelty=0.6, goal_relevance=0.4), 1.0, 0.4),
        ("quip", SalienceVector(humor=0.5), 1.0, 0.4),
        ("quip", SalienceVector(humor=0.5, threat=0.5), 1.0, 0.1),
    ],
)
def test_a_utility_is_the_formula_of_the_page(kind, vector, confidence, utility):
    assert choose(vector, confidence=confidence).utilities[kind] == pytest.approx(utility, abs=1e-3)


def test_no_joke_while_somebody_is_busy():
    chosen = choose(SalienceVector(humor=0.9), busy=True)
    assert (chosen.type, chosen.utilities["quip"]) == ("observation", 0.0)


@pytest.mark.parametrize(
    ("context", "kind", "factor"),
    [
        ("gaming", "alert", 1.15),
        ("gaming", "quip", 1.15),
        ("work", "observation", 1.15),
        ("work", "quip", 0.5),
        ("home", "alert", 1.0),
    ],
)
def test_a_context_weighs_the_kinds(context: str, kind: str, factor: float):
    vector = SalienceVector(**dict.fromkeys(DIMENSIONS, 0.6))
    here = choose(vector, context=context).utilities[kind]
    assert here == pytest.approx(choose(vector).utilities[kind] * factor, abs=2e-4)


def test_a_helpful_one_suggests_more_and_a_funny_one_jokes_more():
    vector = SalienceVector(opportunity=0.6, actionability=0.6, humor=0.6)
    helpful, funny = Traits(helpfulness=1, humor=0), Traits(helpfulness=0, humor=1)
    assert choose(vector, traits=helpful).type == "suggestion"
    assert choose(vector, traits=funny).type == "quip"


def test_a_tie_goes_to_the_kind_listed_first():
    tied = choose(SalienceVector(threat=0.5, humor=0.96), traits=Traits(humor=1.0))
    assert tied.utilities["alert"] > tied.utilities["quip"]
    even = SalienceVector(opportunity=0.4, actionability=0.4, goal_relevance=1.0)
    chosen = choose(even)
    assert chosen.utilities["suggestion"] == chosen.utilities["observation"] == 0.4
    assert chosen.type == "suggestion"


@given(
    vector=st.builds(SalienceVector, **{name: st.floats(0, 1) for name in DIMENSIONS}),
    confidence=st.floats(0, 1),
    context=st.sampled_from(["gaming", "home", "work", "default"]),
    busy=st.booleans(),
)
def test_any_event_gets_a_kind_with_the_highest_utility(
    vector: SalienceVector, confidence: float, context: str, busy: bool
):
    chosen = choose(vector, confidence=confidence, context=context, busy=busy)
    assert chosen.type in get_args(ResponseType)
    assert chosen.utilities[chosen.type] == max(chosen.utilities.values())
    assert all(utility >= 0 for utility in chosen.utilities.values())


# What people ask of the manner of talking, and what only sounds like it.


@pytest.mark.parametrize(
    ("text", "trait", "steps"),
    [
        ("be less sarcastic", "sarcasm", -1),
        ("Please talk more formally.", "formality", 1),
        ("can you be a bit funnier?", "humor", 0.5),
        ("you’re too verbose", "verbosity", -1),
        ("be much more enthusiastic", "enthusiasm", 2),
        ("be formal", "formality", 2),
        ("be brief", "verbosity", -2),
        ("don't be so formal", "formality", -2),
        ("stop being so serious", "humor", 2),
        ("be more casual with me", "formality", -1),
        ("be more serious please", "humor", -1),
        ("sound calmer", "enthusiasm", -1),
        ("be a little less proactive", "proactive", -0.5),
    ],
)
def test_a_wish_moves_a_trait_by_steps(text: str, trait: str, steps: float):
    wish = control_request(text)
    assert wish is not None
    assert (wish.kind, wish.trait, wish.steps) == ("trait", trait, steps)


@pytest.mark.parametrize(
    ("text", "trait"),
    [
        ("no sarcasm", "sarcasm"),
        ("no more jokes please", "humor"),
        ("stop joking", "humor"),
        ("never be sarcastic", "sarcasm"),
    ],
)
def test_none_of_a_trait_is_none_at_all(text: str, trait: str):
    assert control_request(text) == TalkRequest.model_validate(
        {"kind": "trait", "trait": trait, "value": 0.0}
    )


@pytest.mark.parametrize(
    ("text", "kind", "topic"),
    [
        ("switch to the dry wit personality", "template", "dry_wit"),
        ("use your captain persona", "template", "captain"),
        ("be yourself again", "as_usual", None),
        ("reset your personality", "as_usual", None),
        ("load the minecraft skill", "load_skill", "minecraft"),
        ("stop using the sarcasm skill", "unload_skill", "sarcasm"),
    ],
)
def test_characters_and_skills_are_asked_for_by_name(text: str, kind: str, topic: str | None):
    wish = control_request(text)
    assert wish is not None
    assert (wish.kind, wish.topic) == (kind, topic)


@pytest.mark.parametrize(
    "text",
    [
        "more details",
        "be careful with the formal report",
        "write a more formal letter to the harbour",
        "the report was too formal",
        "he said be less sarcastic, and then close WO-1042",
        "find funnier papers about humor",
        "show me more about sarcasm detection",
        "stop the formal review",
    ],
)
def test_what_is_about_something_else_is_no_wish(text: str):
    assert control_request(text) is None


@pytest.mark.parametrize(
    ("text", "at_least", "at_most"),
    [
        ("ugh, I keep dying", -1, -0.7),
        ("this is impossible", -0.7, -0.5),
        ("I don't love this", -0.4, -0.2),
        ("yay, I did it", 0.7, 1),
        ("close WO-1042", 0, 0),
        ("The great circle route to Lisbon is three days longer than the other one, I think", 0, 0),
    ],
)
def test_outcries_tell_how_somebody_feels(text: str, at_least: float, at_most: float):
    assert at_least <= sentiment(text) <= at_most


def test_a_trial_gives_people_their_templates_by_shares_and_takes_none_that_was_chosen():
    dry, warm = Traits(sarcasm=0.8), Traits(enthusiasm=0.9)
    file = {"templates": {"dry": dry, "warm": warm}}
    plain = character_of(Traits(), **file)
    shared = OURS.model_copy(update={"shares": {"pack": 0.5, "dry": 0.5}})
    trial = Character(plain.own, plain.templates, shared)
    people = [session_of(person=f"p{number}") for number in range(200)]
    given = [trial.standing(one, SECONDS).template for one in people]
    assert 70 < given.count("dry") < 130
    assert given.count(None) == 200 - given.count("dry")
    assert given == [trial.standing(one, SECONDS).template for one in people]
    chosen = session_of(person="p1", profile=Profile(template="warm"))
    assert trial.present(chosen, SECONDS).traits.enthusiasm == pytest.approx(0.9, abs=0.05)
    assert {plain.standing(one, SECONDS).template for one in people} == {None}
