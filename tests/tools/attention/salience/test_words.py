"""A salience vector from words: what stands out, what is negated, what is too long to matter."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from state.salience import DIMENSIONS
from tests.stages import TUNING
from tools.attention.lexicon import READ_CHARACTERS, salience_from_words


def scores(text: str) -> dict[str, float]:
    vector = salience_from_words(text).vector
    return {name: getattr(vector, name) for name in DIMENSIONS if getattr(vector, name)}


@pytest.mark.parametrize(
    "text", ["Fire in the galley", "smoke detected", "Man overboard!", "GAS LEAK in engine room"]
)
def test_an_alarm_is_a_threat_that_is_told_whatever_else(text: str) -> None:
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
def test_a_negated_or_practised_alarm_is_none(text: str) -> None:
    assert scores(text).get("threat", 0.0) == 0.0


def test_a_negation_reaches_no_further_than_its_own_words() -> None:
    assert scores("No wind at all today, but there is fire in the galley")["threat"] >= 0.9


@pytest.mark.parametrize("text", ["", "Wind 8 knots south-west", "12345", "🙂", "\u202e abc"])
def test_a_plain_text_stands_out_in_nothing(text: str) -> None:
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
def test_each_dimension_has_its_words(text: str, dimension: str) -> None:
    assert scores(text)[dimension] >= 0.4


def test_a_word_inside_another_word_counts_nothing() -> None:
    assert scores("campfires and firewood, alarmingly") == {}


def test_many_weak_signs_are_no_alarm() -> None:
    weak = "warning failure failed fault broken exceeded offline unsafe blocked lost error stuck"
    assert scores(weak)["threat"] < TUNING.relevance.threat


def test_the_words_that_scored_are_told_once_each() -> None:
    assert salience_from_words("smoke, smoke and more smoke; also a leak").words == (
        "smoke",
        "leak",
    )


def test_a_question_asks_for_something() -> None:
    assert scores("Is it raining?")["actionability"] == 0.5


def test_a_long_text_costs_no_more_than_its_beginning() -> None:
    assert scores("x " * READ_CHARACTERS + "fire") == {}
    assert scores("fire " + "x " * 50_000)["threat"] >= 0.9


@given(st.text(max_size=200))
def test_any_text_gives_scores_in_range(text: str) -> None:
    assert all(0 <= score <= 1 for score in scores(text).values())


def test_a_thing_named_after_a_danger_is_not_the_danger() -> None:
    assert salience_from_words("the fire plan was printed").vector.threat == 0.0
    assert salience_from_words("fire in the galley").vector.threat >= 0.8
