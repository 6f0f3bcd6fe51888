"""A salience vector from words: what stands out, what is negated, what is too long to matter."""

import math
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from state.salience import DIMENSIONS, SalienceVector
from state.session import Familiarity
from tests.stages import TUNING
from tools.attention.alarms import sender_status
from tools.attention.lexicon import READ_CHARACTERS, salience_from_words
from tools.attention.polarity import Polarities, is_denied
from tools.attention.relevance import habituation_on_arrival, pattern_of, update_habituation
from tools.platform.text_comparison import COMPARED_CHARACTERS, similarity


def scores(text: str) -> dict[str, float]:
    vector = salience_from_words(text).vector
    return {name: getattr(vector, name) for name in DIMENSIONS if getattr(vector, name)}


@pytest.mark.parametrize(
    "text", ["Fire in the galley", "smoke detected", "Man overboard!", "GAS LEAK in engine room"]
)
def test_an_alarm_is_a_threat_that_is_told_whatever_else(text: str):
    assert scores(text)["threat"] >= TUNING.relevance.threat


@pytest.mark.parametrize(
    "text",
    [
        "no smoke in the galley",
        "without any fire",
        "Fire drill at noon",
        "test of the alarm",
        "cleared fire",
        "there was never an emergency",
    ],
)
def test_a_negated_or_practised_alarm_is_none(text: str):
    assert scores(text).get("threat", 0.0) == 0.0


def test_a_negation_reaches_no_further_than_its_own_words():
    assert scores("No wind at all today, but there is fire in the galley")["threat"] >= 0.9


@pytest.mark.parametrize("text", ["", "Wind 8 knots south-west", "12345", "🙂", "\u202e abc"])
def test_a_plain_text_stands_out_in_nothing(text: str):
    assert scores(text) == {}


@pytest.mark.parametrize(
    ("text", "dimension"),
    [
        ("please check the oil", "actionability"),
        ("deadline on Friday", "goal_relevance"),
        ("discount available", "opportunity"),
        ("something unusual", "novelty"),
        ("Anna asks for you", "social"),
        ("what a funny joke", "humor"),
    ],
)
def test_each_dimension_has_its_words(text: str, dimension: str):
    assert scores(text)[dimension] >= 0.4


def test_a_word_inside_another_word_counts_nothing():
    assert scores("campfires and firewood, alarmingly") == {}


def test_many_weak_signs_are_no_alarm():
    weak = "warning failure failed fault broken exceeded offline unsafe blocked lost error stuck"
    assert scores(weak)["threat"] < TUNING.relevance.threat


def test_the_words_that_scored_are_told_once_each():
    assert salience_from_words("smoke, smoke and more smoke; also a leak").words == (
        "smoke",
        "leak",
    )


def test_a_question_asks_for_something():
    assert scores("Is it raining?")["actionability"] == 0.5


def test_a_long_text_costs_no_more_than_its_beginning():
    assert scores("x " * READ_CHARACTERS + "fire") == {}
    assert scores("fire " + "x " * 50_000)["threat"] >= 0.9


@given(st.text(max_size=200))
def test_any_text_gives_scores_in_range(text: str):
    assert all(0 <= score <= 1 for score in scores(text).values())


def test_a_thing_named_after_a_danger_is_not_the_danger():
    assert salience_from_words("the fire plan was printed").vector.threat == 0.0
    assert salience_from_words("fire in the galley").vector.threat >= 0.8


# An alarm, or its absence, its end, its test: the same words, told apart by their clause.


@pytest.mark.parametrize(
    "text",
    [
        "Chlorine leak in hall 2",
        "No answer from the porter, smoke in the stable",
        "no lights, smoke in the corridor",
        "Barn on fire, no water in the hydrants",
        "Without warning the scaffold fire began",
        "No. 2 engine on fire",
        "0 of 4 extinguishers left, fire in hall 3",
        "No crew near the fire",
        "Not only smoke but fire",
        "The gas leak has not been repaired",
        "Nobody has stopped the gas leak yet",
        "Unable to put out the fire in the attic",
        "Fire in the attic will be put out soon",
        "The fire is far from over",
        "Fire put out, then it flared up again",
        "Gas leak again after it was fixed",
        "Fire killed 2 people",
        "Explosion, rescued by neighbours: two",
        "Somebody dismissed the fire alarm in hall 2",
        "The fire alarm went off in the library",
        "Smoke from the extinguished candle",
        "Fire in the cleared area",
        "Flooding: bilge pump stopped",
        "Intruder in the yard, all gates closed",
        "Intruder not found",
        "Man overboard is gone",
        "Mayday put out by the yacht Alba",
        "Test bench on fire",
        "Testing lab fire",
        "Rocket test explosion",
        "Accident in the workshop: drill, fire",
        "This is not a drill: intruder in the bank",
        "Fire drill broken off: real fire in the gym",
        "Gas leak in the training room",
        "Smoke detector triggered in the loft",
        "Battery ok, but smoke in the hold",
        "Fire on deck 2. Deck 3 all clear.",
    ],
)
def test_an_alarm_stays_one_whatever_else_is_denied_or_over(text: str):
    # Of these words each alone is told always, or nearly.
    assert salience_from_words(text).vector.threat >= 0.75


@pytest.mark.parametrize(
    ("text", "polarity"),
    [
        ("No smoke in the sauna", "absent"),
        ("0 critical, 3 parcels", "absent"),
        ("Audit of the till: zero critical findings", "absent"),
        ("Neither fire nor smoke", "absent"),
        ("There is no sign of smoke in the hold", "absent"),
        ("No smoke, fire or gas leak in the hall", "absent"),
        ("None of the sheep is unconscious", "absent"),
        ("The kiln is not overheating", "absent"),
        ("Smoke detector loft: battery ok, no smoke", "absent"),
        ("smoke detected: false", "over"),
        ("Smoke alarm of the barn tested", "absent"),
        ("Fire in the barn put out by neighbours", "over"),
        ("The vet has stopped the bleeding", "over"),
        ("Emergency on the ski lift is over", "over"),
        ("Leak under the bar repaired at 10:40", "over"),
        ("Server back online after the crash", "over"),
        ("RESOLVED: intruder at dock 4", "over"),
        ("[OK] attack on shop-3", "over"),
        ("Intruder alarm hall; false alarm", "over"),
        ("Gas leak at the hob, all clear", "over"),
        ("The gas leak in Mill Street is fixed, road reopened", "over"),
        ("Intruder report from the depot was a hoax", "over"),
        ("Critical incidents: zero", "over"),
        ("You escaped the explosion", "over"),
        ("The unconscious diver is breathing again", "over"),
        ("The intruder turned out to be the cleaner", "over"),
        ("Fire drill at noon", "practised"),
        ("Test of the fire alarm today at 11", "practised"),
        ("EXERCISE EXERCISE: explosion at the mill", "practised"),
        ("This is only a test. Fire in ward 3", "practised"),
        ("Intruder alarm bank - TEST", "practised"),
        ("Simulated phishing attack ended with 3 clicks", "practised"),
    ],
)
def test_what_is_absent_over_or_practised_is_no_danger(text: str, polarity: str):
    read = salience_from_words(text)
    assert read.vector.threat < TUNING.salience.situation_threat
    assert polarity in read.denied


@pytest.mark.parametrize(
    ("text", "reassures"),
    [
        ("Nightly scan finished. No viruses found.", True),
        ("All lifts operational", True),
        ("Patrol of the stable: nothing to report", True),
        ("No exam papers in room 12", False),
        ("3 problems found, 0 repaired", False),
    ],
)
def test_troubles_that_are_denied_say_that_all_is_well(text: str, reassures: bool):
    assert Polarities(text).reassures is reassures


@pytest.mark.parametrize(
    ("condition", "text", "denied"),
    [
        ("wolf", "A wolf near the pen, no dog there", False),
        ("wolf", "No wolf is near", True),
        ("wolf", "You killed the wolf", True),
        ("wolf", "The wolf killed a lamb", False),
        ("oven hot", "Oven hot no more", True),
        ("gold ore", "Gold ore is not here, only coal", True),
        ("tank low", "Tank low: resolved", True),
        ("tank low", "Tank low, pump not running", False),
        ("tests failed", "0 tests failed", True),
        ("bus leaves", "The bus no longer leaves at 10", True),
        ("engine stopped", "Engine stopped", False),  # it is about an end itself
        ("no answer", "No answer from the lift", False),
    ],
)
def test_a_condition_is_not_met_by_what_denies_it(condition: str, text: str, denied: bool):
    assert is_denied(condition, text) is denied


@pytest.mark.parametrize("text", ["fire, ", "no error ", "test of the ", "fire is over ", "ok: "])
def test_a_long_text_is_read_in_few_steps(text: str):
    assert Polarities(text * READ_CHARACTERS).at(READ_CHARACTERS - 10, READ_CHARACTERS - 5)
    assert salience_from_words(text * READ_CHARACTERS).vector.threat <= 1


# What the bodies of alerts say of themselves, as their senders write them.

FIRING = {"status": "firing", "labels": {"severity": "critical"}}
RESOLVED = {"status": "resolved", "labels": {"severity": "critical"}}


@pytest.mark.parametrize(
    ("payload", "status"),
    [
        ({}, None),
        (FIRING, "urgent"),
        (RESOLVED, "over"),
        ({"status": "resolved", "alerts": [RESOLVED, FIRING]}, "urgent"),
        ({"state": "ok"}, "over"),
        ({"state": "alerting", "ruleName": "heat"}, None),
        ({"event_action": "resolve", "payload": {"severity": "critical"}}, "over"),
        ({"event_action": "trigger"}, None),
        ({"event": {"event_type": "incident.resolved"}}, "over"),
        ({"NewStateValue": "OK", "OldStateValue": "ALARM"}, "over"),
        ({"NewStateValue": "ALARM", "OldStateValue": "OK"}, None),
        ({"entity_id": "binary_sensor.loft_smoke", "state": "off"}, "over"),
        ({"entity_id": "binary_sensor.loft_smoke", "state": "on", "old_state": "off"}, None),
        ({"entity_id": "switch.freezer", "state": "off"}, None),
        ({"status": "ok", "battery": 90}, None),  # the sensor's own health
        ({"status": "ok", "fingerprint": "a1"}, "over"),
        ({"valve": "V3", "status": "closed"}, None),
        ({"incident": "I-3", "status": "Closed"}, "over"),
        ({"pump": "P-1", "status": "inactive"}, None),  # what is wrong with it, and no end
        ({"type": "certificate.expired"}, None),
        ({"status": "order_cancelled"}, None),
        ({"alarm_state": "inactive"}, "over"),
        ({"type": "alert.dismissed"}, "over"),
        ({"state": "inactive", "labels": {"severity": "critical"}}, "over"),
        ({"severity": "info"}, "info"),
        ({"severity": "info", "labels": {"severity": "critical"}}, "urgent"),
        ({"status": "acknowledged", "severity": "critical"}, None),
        ({"alerts": [{"status": "acknowledged"}, FIRING]}, "urgent"),
        ({"is_test": True}, "test"),
        ({"drill": False, "severity": "critical"}, "urgent"),
    ],
)
def test_a_sender_says_how_its_alert_stands(payload: dict[str, Any], status: str | None):
    assert sender_status(payload) == status


# How alike two texts are.


def test_the_same_words_in_another_order_are_the_same():
    assert similarity("Bilge level high", "high bilge LEVEL") == 1.0


def test_texts_without_a_common_word_are_far_apart():
    assert similarity("Bilge level high", "Anna sent money") < 0.5


def test_only_the_beginnings_are_compared():
    head = "a b " * (COMPARED_CHARACTERS // 4)
    assert similarity(head + "left", head + "right") == 1.0


@given(st.text(max_size=50), st.text(max_size=50))
def test_likeness_is_a_share_and_works_both_ways(one: str, other: str):
    assert 0 <= similarity(one, other) <= 1
    assert similarity(one, other) == similarity(other, one)


# Habituation: the golden sequences of executive.md §1.8, and what must hold for any stream.

TUNED = TUNING.habituation
DULL = SalienceVector()
HALF = 0.5
"""At S = .5 the gain is exactly the golden sequences' eta = .30."""


def levels(
    times: list[float],
    fade_seconds: float,
    vectors: list[SalienceVector] | None = None,
    *,
    engaged: bool = False,
) -> list[float]:
    """Return H at each arrival of one pattern at these times."""
    known: Familiarity | None = None
    met = []
    for time, vector in zip(times, vectors or [DULL] * len(times), strict=True):
        level = habituation_on_arrival(known, vector, time, fade_seconds, TUNED)
        met.append(level)
        known = update_habituation(known, vector, level, HALF, time, engaged=engaged, tuning=TUNED)
    return met


def every(seconds: float, count: int, *, fade_seconds: float) -> list[float]:
    """Return H at each arrival after the first."""
    return levels([number * seconds for number in range(count + 1)], fade_seconds)[1:]


def seen(level: float, at: float = 0.0, vector: SalienceVector = DULL) -> Familiarity:
    return Familiarity(level=level, at=at, seen=vector)


def test_what_was_never_seen_is_fresh():
    assert habituation_on_arrival(None, SalienceVector(threat=1), 5, 60, TUNED) == 0.0


def test_the_same_every_second_becomes_boring():
    assert every(1, 5, fade_seconds=60) == pytest.approx([0.30, 0.50, 0.64, 0.73, 0.80], abs=0.006)


def test_the_same_every_ten_seconds_stays_half_interesting():
    assert every(10, 5, fade_seconds=60) == pytest.approx([0.25, 0.40, 0.49, 0.55, 0.58], abs=0.006)


def test_the_same_once_a_fade_hardly_bores():
    assert every(300, 20, fade_seconds=300)[-5:] == pytest.approx([0.15] * 5, abs=0.01)


@pytest.mark.parametrize(("fades", "sensitivity"), [(1, 0.67), (2, 0.88), (6, 1.0)])
@pytest.mark.parametrize("fade_seconds", list(TUNED.fade_seconds.values()))
def test_silence_brings_interest_back(fade_seconds: float, fades: int, sensitivity: float):
    level = habituation_on_arrival(seen(0.9), DULL, fades * fade_seconds, fade_seconds, TUNED)
    assert 1 - level == pytest.approx(sensitivity, abs=0.005)


def test_boredom_has_a_ceiling():
    assert max(every(0, 200, fade_seconds=60)) == TUNED.highest == 0.9


@pytest.mark.parametrize(
    ("strength", "eta"), [(0.0, 0.375), (0.5, 0.30), (1.0, 0.225), (-9.0, 0.40), (9.0, 0.15)]
)
def test_what_stands_out_bores_more_slowly(strength: float, eta: float):
    known = update_habituation(None, DULL, 0.0, strength, 0, engaged=False, tuning=TUNED)
    assert known.level == pytest.approx(eta)


def test_a_rise_wakes_a_bored_pattern_by_as_much():
    calm, loud = SalienceVector(novelty=0.1), SalienceVector(novelty=0.6)
    assert habituation_on_arrival(seen(0.8, vector=calm), loud, 0, 60, TUNED) == pytest.approx(
        0.8 * 0.5
    )


def test_a_small_rise_or_a_fall_wakes_nothing():
    loud, calm = SalienceVector(novelty=0.6), SalienceVector(novelty=0.1)
    almost = SalienceVector(novelty=0.79)
    assert habituation_on_arrival(seen(0.8, vector=loud), calm, 0, 60, TUNED) == 0.8
    assert habituation_on_arrival(seen(0.8, vector=loud), almost, 0, 60, TUNED) == 0.8


def test_somebody_caring_makes_it_interesting_again():
    known = update_habituation(seen(0.8), DULL, 0.8, HALF, 9, engaged=True, tuning=TUNED)
    assert known.level == pytest.approx(0.24)


def test_what_bored_once_bores_faster_after_each_recovery():
    steps = levels([0, 3600, 3601, 7200, 7201], 60)
    first = update_habituation(None, DULL, 0, HALF, 0, engaged=False, tuning=TUNED).level
    assert [steps[2], steps[4]] == pytest.approx(
        [first * 1.15 * math.exp(-1 / 60), first * 1.15**2 * math.exp(-1 / 60)], abs=1e-3
    )


def test_ten_thousand_recoveries_leave_a_pattern_that_can_be_stored():
    known: Familiarity | None = None
    for number in range(10_000):
        now = number * 3600.0
        level = habituation_on_arrival(known, DULL, now, 60, TUNED)
        known = update_habituation(known, DULL, level, HALF, now, engaged=False, tuning=TUNED)
    assert known is not None
    assert known.level == pytest.approx(0.6)
    assert Familiarity.model_validate(known.model_dump()) == known


@given(st.floats(0, 1e9))
def test_a_clock_that_jumps_back_neither_bores_nor_wakes(jump: float):
    assert habituation_on_arrival(seen(0.5, at=1e9), DULL, 1e9 - jump, 60, TUNED) == 0.5


vectors = st.builds(SalienceVector, **{name: st.floats(0, 1) for name in DIMENSIONS})


@given(st.lists(st.tuples(st.floats(0, 1e4), vectors), max_size=8), st.sampled_from([60.0, 300.0]))
def test_no_stream_leaves_the_range(stream: list[tuple[float, SalienceVector]], fade: float):
    times = [sum(gap for gap, _vector in stream[: place + 1]) for place in range(len(stream))]
    met = levels(times, fade, [vector for _gap, vector in stream])
    assert all(0 <= level <= TUNED.highest for level in met)


@given(vectors, vectors, st.sampled_from(DIMENSIONS), st.floats(0, 1), st.floats(0, 0.9))
def test_standing_out_more_never_bores_more(
    before: SalienceVector, now: SalienceVector, name: str, to: float, level: float
):
    louder = now.model_copy(update={name: max(to, getattr(now, name))})
    known = seen(level, vector=before)
    assert habituation_on_arrival(known, louder, 10, 60, TUNED) <= habituation_on_arrival(
        known, now, 10, 60, TUNED
    )


@given(st.floats(0, 0.9))
def test_six_fades_of_quiet_are_as_good_as_new(level: float):
    assert habituation_on_arrival(seen(level), DULL, 6 * 60, 60, TUNED) < 0.01


def test_a_pattern_is_source_kind_and_entity():
    assert pattern_of("panel", "ambient", "port generator") == "panel|ambient|port generator"
    assert pattern_of("panel", "ambient", None) == "panel|ambient|"
