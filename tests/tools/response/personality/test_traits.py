"""Traits, mood and rapport: golden values of executive.md §1.6 and §1.7, and what always holds."""

from datetime import timedelta
from typing import Any

import pytest

from state.outcome import ActionOutcome
from state.personality import Mood, Profile, Traits
from state.salience import SalienceVector
from state.session import Session
from state.stages import Gathered
from tests.characters import character_of
from tests.stages import NOW, SECONDS, TUNING, arrival_of, event_of, salience_of, session_of
from tools.response.affect import mood_after, mood_now, mood_shift, rapport_now, with_feedback

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
        event=happened,
        arrival=arrival_of(happened),
        session=session,
        salience=salience_of(),
    )
    return character_of(Traits(enthusiasm=0.5)).after(session, gathered, SECONDS)


def test_danger_moves_the_traits_at_once_by_its_strength() -> None:
    afraid = stirred(threat=0.9).traits
    assert afraid.sarcasm == pytest.approx(0.6 - 0.9 * 0.4)
    assert afraid.proactive == pytest.approx(0.5 + 0.9 * 0.3, abs=0.07)  # an hour of sitting


def test_danger_below_the_half_moves_nothing() -> None:
    assert stirred(threat=0.49).traits.sarcasm == 0.6


def test_what_moved_the_traits_is_half_gone_after_twenty_seconds() -> None:
    later = stirred(stirred(threat=0.9), 20)
    assert later.traits.sarcasm == pytest.approx(0.6 - 0.45 * 0.4)
    assert stirred(later, 200).traits.sarcasm == pytest.approx(0.6, abs=0.002)


def test_a_greater_danger_counts_and_not_both() -> None:
    assert stirred(stirred(threat=0.9), threat=0.6).circumstances["high_threat"].level == 0.9


def test_circumstances_move_one_trait_by_a_half_at_most() -> None:
    failing = session_of(failures_at=(SECONDS - 200, SECONDS - 100, SECONDS))
    assert stirred(failing, threat=0.9).traits.sarcasm == pytest.approx(0.1)


def test_three_failures_in_five_minutes_are_a_struggle() -> None:
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
def test_outcomes_move_the_mood(
    outcomes: tuple[float, ...], valence: float, arousal: float
) -> None:
    mood = Mood(at=SECONDS)
    for outcome in outcomes:
        mood = mood_after(mood, outcome, OURS)
    assert (mood.valence, mood.arousal) == pytest.approx((valence, arousal))


def test_a_mood_is_halfway_back_to_its_rest_after_twenty_minutes() -> None:
    mood = mood_now(Mood(valence=0.5, arousal=0.5, at=SECONDS), SECONDS + 1200, 0.5, OURS)
    assert (mood.valence, mood.arousal) == (0.25, 0.25)
    cheerful = mood_now(Mood(valence=0.5, at=SECONDS), SECONDS + 1e7, 1.0, OURS)
    assert cheerful.valence == pytest.approx(0.1)


def test_moods_and_long_sittings_move_three_traits() -> None:
    good = mood_shift(Mood(valence=0.4), 1.5, OURS)
    assert (good.enthusiasm, good.sarcasm, good.proactive) == pytest.approx((0.06, 0.0, -0.1))
    bad = mood_shift(Mood(valence=-0.4), 30.0, OURS)
    assert (bad.enthusiasm, bad.sarcasm, bad.proactive) == pytest.approx((0.0, -0.1, -0.2))


def test_ten_praises_and_three_complaints_are_the_golden_rapport() -> None:
    profile = Profile()
    for _praise in range(10):
        profile = with_feedback(profile, 1.0, SECONDS, OURS)
    assert profile.rapport == pytest.approx(0.535, abs=0.0005)
    for _complaint in range(3):
        profile = with_feedback(profile, -1.0, SECONDS, OURS)
    assert profile.rapport == pytest.approx(0.416, abs=0.0005)


def test_the_third_telling_in_a_row_that_is_ignored_costs_a_little() -> None:
    known = session_of(person="amir", slighted_at=(SECONDS,))
    assert after(known).profile.rapport == pytest.approx(0.3 * (1 - 0.08 * 0.3))
    earlier = session_of(person="amir", slighted_at=(SECONDS - 1,))
    assert after(earlier).profile.rapport == 0.3


def test_half_of_what_was_won_is_forgotten_in_thirty_days() -> None:
    profile = Profile(rapport=0.5, rapport_at=SECONDS)
    assert rapport_now(profile, SECONDS + 30 * 86_400, OURS) == pytest.approx(0.4)


def test_who_is_close_is_spoken_to_less_formally() -> None:
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
def test_an_event_may_bring_how_it_went(text: str, payload: dict[str, Any], valence: float) -> None:
    assert after(session_of(), text, payload=payload).mood.valence == pytest.approx(valence)


def test_a_pack_says_which_words_tell_how_it_went() -> None:
    character = character_of(Traits(enthusiasm=0.5), outcomes={-0.8: ["ship sank"]})
    event = event_of("Your ship sank at the quay")
    gathered = Gathered(event=event, arrival=arrival_of(event), session=session_of())
    session = character.after(session_of(), gathered, SECONDS)
    assert session.mood.valence == pytest.approx(-0.12)
    assert session.failures_at == (SECONDS,)


def test_what_failed_for_somebody_is_felt() -> None:
    event = event_of("close the lock", kind="message", user="amir")
    failed = ActionOutcome(action_id="a", state="failed", executed_now=True)
    gathered = Gathered(
        event=event, arrival=arrival_of(event), session=session_of(), outcome=failed
    )
    session = character_of(Traits(enthusiasm=0.5)).after(session_of(), gathered, SECONDS)
    assert session.mood.valence == pytest.approx(-0.06)
    assert len(session.failures_at) == 1


def test_who_despairs_struggles_at_once() -> None:
    event = event_of("ugh, I keep dying", kind="message", user="amir")
    character = character_of(context_modifiers=SPEC)
    now = character.stirred(session_of(), event, SalienceVector(), SECONDS)
    assert now.traits.sarcasm == 0.0
    assert now.circumstances["user_struggling"].level == 1.0


def test_a_new_sitting_begins_after_half_an_hour_of_nothing() -> None:
    going_on = session_of(sitting_since=SECONDS - 7200, seen_at=SECONDS - 60)
    assert after(going_on).sitting_since == SECONDS - 7200
    back = session_of(sitting_since=SECONDS - 7200, seen_at=SECONDS - 1801)
    assert after(back).sitting_since == SECONDS
    assert character_of().present(back, SECONDS).traits.proactive == 0.5


def test_a_clock_that_is_set_back_moves_nothing_out_of_bounds() -> None:
    earlier = (NOW - timedelta(days=400)).timestamp()
    session = after(session_of(person="amir"), payload={"outcome": 1})
    assert character_of().present(session, earlier).traits == character_of().present(
        session, SECONDS
    ).traits.model_copy(update={"proactive": 0.5})
