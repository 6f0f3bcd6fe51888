"""What a situation is like, and whether a word would help; with the encoder that ships."""

from collections.abc import Sequence

import numpy as np
import pytest

from state.errors import EncoderUnavailable
from state.salience import SalienceVector
from tests.stages import TUNING, event_of, session_of
from tools.adapters.embedding.embedder import Vectors
from tools.adapters.embedding.minilm import MiniLM
from tools.attention.lexicon import SalienceLexicon
from tools.attention.relevance import strength
from tools.attention.salience import SalienceScorer
from tools.attention.situations import (
    Floats,
    Situations,
    builtin_kinds,
    fit_classifier,
    merge_examples,
)
from tools.catalog.pack_schema import SituationKinds
from tools.memory.heuristics.matching import PackHeuristics


@pytest.fixture(scope="module")
def situations() -> Situations:
    return Situations(MiniLM(None), merge_examples([builtin_kinds()]), usual=0.4)


class Away:
    """An encoder whose server does not answer."""

    name = "away"
    dimensions = 3

    def embed(self, texts: Sequence[str]) -> Vectors:
        raise EncoderUnavailable("no answer")


def test_our_situations_are_told_once_each_and_both_sides_are_there():
    kinds = builtin_kinds()
    texts = [
        text
        for side in (kinds.wanted, kinds.unwanted)
        for kind in side.values()
        for text in kind.examples
    ]
    assert len(texts) == len(set(texts)) >= 150
    assert not kinds.wanted.keys() & kinds.unwanted.keys()


@pytest.mark.parametrize(
    ("more", "less"),
    [
        ("She cannot decide between two phones in a shop", "She reads a novel on the sofa"),
        ("He asks which platform the train leaves from", "He watches the train pass by"),
        ("The app crashes with an error each time", "The app was saved and closed"),
    ],
)
def test_a_word_is_wanted_more_where_somebody_needs_one(situations: Situations, more, less):
    first, second = situations.judge(more), situations.judge(less)
    assert first is not None
    assert second is not None
    assert first.wanted > 0.5 > second.wanted


def test_the_nearest_example_is_the_evidence(situations: Situations):
    found = situations.judge("Someone compares three laptops in an electronics store.")
    assert found is not None
    assert found.kind == "choosing"
    assert found.like == "Someone compares two laptops in an electronics store."


def test_of_what_is_like_nothing_known_nothing_is_claimed(situations: Situations):
    found = situations.judge("x")
    assert found is not None
    assert found.wanted < 0.2


def test_a_goal_is_matched_by_its_meaning(situations: Situations):
    about = situations.judge("A cheap flight to Lisbon was found", ["travel to Portugal in May"])
    beside = situations.judge("The dishes are washed", ["travel to Portugal in May"])
    assert about is not None
    assert beside is not None
    assert about.goal_match > beside.goal_match == 0.0


def test_a_pack_adds_situations_of_its_domain():
    own = SituationKinds.model_validate(
        {
            "wanted": {"reefing": {"adds": {"goal_relevance": 0.8}, "examples": ["Reef now."]}},
            "unwanted": {"at_ease": {"examples": ["The sails are set and drawing."]}},
        }
    )
    examples = merge_examples([builtin_kinds(), own])
    assert examples.adds["reefing"] == SalienceVector(goal_relevance=0.8)
    kinds = {row.text: (row.kind, row.wanted) for row in examples.rows}
    assert kinds["The sails are set and drawing."] == ("at_ease", False)


def test_the_strength_of_what_is_wanted_is_its_probability(situations: Situations):
    scorer = SalienceScorer(PackHeuristics(()), TUNING.salience, situations=situations)
    event = event_of("Someone thinks about buying a tent and compares the prices")
    scored = scorer.score(event, session_of())
    assert scored.situation is not None
    measured = strength(scored.vector, TUNING.salience.weights)
    assert measured == pytest.approx(min(scored.situation.wanted, 0.8), abs=0.08)
    assert scored.vector.threat <= TUNING.salience.situation_threat


def test_without_an_encoder_the_words_tell_what_they_can():
    absent = Situations(Away(), merge_examples([builtin_kinds()]), usual=0.4)
    away = SalienceScorer(PackHeuristics(()), TUNING.salience, situations=absent)
    none = SalienceScorer(PackHeuristics(()), TUNING.salience)
    event = event_of("Please check the order, the deadline is today")
    assert away.score(event, session_of()) == none.score(event, session_of())
    assert away.score(event, session_of()).vector.actionability > 0.5


def test_a_pack_says_which_words_and_sources_matter():
    lexicon = SalienceLexicon.of({"creeper": ("threat", 0.85)}, [(r"\bhp [0-3]\b", "threat", 0.7)])
    scorer = SalienceScorer(
        PackHeuristics(()), TUNING.salience, lexicon, {"boss": SalienceVector(goal_relevance=0.6)}
    )
    creeper = scorer.score(event_of("A creeper comes closer"), session_of())
    assert (creeper.vector.threat, creeper.words) == (0.85, ("creeper",))
    assert scorer.score(event_of("HP 2"), session_of()).vector.threat == 0.7
    assert scorer.score(event_of("no creeper here"), session_of()).vector.threat == 0.0
    boss = scorer.score(event_of("Well", source="boss"), session_of())
    assert (boss.vector.goal_relevance, boss.prior) == (0.6, "boss")


# The line between what wants a word and what does not.


def cloud(around: list[float], count: int, seed: int = 7) -> Floats:
    random = np.random.default_rng(seed)
    points = np.array(around) + random.normal(0, 0.15, (count, len(around)))
    return np.asarray(points / np.linalg.norm(points, axis=1, keepdims=True), np.float64)


def test_two_sides_are_told_apart_and_the_middle_is_undecided():
    vectors = np.concatenate([cloud([1, 0, 0], 40), cloud([0, 1, 0], 40, 8)])
    fitted = fit_classifier(vectors, np.arange(80) < 40)
    assert fitted.probability(np.array([1.0, 0, 0])) > 0.9
    assert fitted.probability(np.array([0, 1.0, 0])) < 0.1
    assert fitted.probability(np.array([0.7071, 0.7071, 0])) == pytest.approx(0.5, abs=0.1)


def test_having_more_examples_of_one_side_does_not_move_the_middle():
    middles = []
    for seed in range(0, 60, 2):
        vectors = np.concatenate([cloud([1, 0, 0], 90, seed), cloud([0, 1, 0], 15, seed + 1)])
        fitted = fit_classifier(vectors, np.arange(105) < 90)
        middles.append(fitted.probability(np.array([0.7071, 0.7071, 0])))
    assert np.mean(middles) == pytest.approx(0.5, abs=0.15)


def test_labels_that_mean_nothing_are_hardly_believed():
    furthest = []
    for seed in range(100):
        vectors = cloud([1, 1, 1], 60, seed)
        fitted = fit_classifier(vectors, np.arange(60) % 2 == 0)
        furthest.append(max(abs(fitted.probability(vector) - 0.5) for vector in vectors))
    # Sixty coins may lean by chance: seldom, and never so far that they would be called sure.
    assert np.mean(np.array(furthest) > 0.25) < 0.1
    assert max(furthest) < 0.4


def test_the_same_examples_fit_the_same_line():
    vectors = cloud([1, 0, 0], 30)
    wanted = np.arange(30) < 12
    assert fit_classifier(vectors, wanted).slope == fit_classifier(vectors, wanted).slope
