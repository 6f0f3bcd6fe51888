"""The line between what wants a word and what does not."""

import numpy as np
import pytest

from tools.attention.situations import Floats, fit_classifier


def cloud(around: list[float], count: int, seed: int = 7) -> Floats:
    random = np.random.default_rng(seed)
    points = np.array(around) + random.normal(0, 0.15, (count, len(around)))
    return np.asarray(points / np.linalg.norm(points, axis=1, keepdims=True), np.float64)


def test_two_sides_are_told_apart_and_the_middle_is_undecided() -> None:
    vectors = np.concatenate([cloud([1, 0, 0], 40), cloud([0, 1, 0], 40, 8)])
    fitted = fit_classifier(vectors, np.arange(80) < 40)
    assert fitted.probability(np.array([1.0, 0, 0])) > 0.9
    assert fitted.probability(np.array([0, 1.0, 0])) < 0.1
    assert fitted.probability(np.array([0.7071, 0.7071, 0])) == pytest.approx(0.5, abs=0.1)


def test_having_more_examples_of_one_side_does_not_move_the_middle() -> None:
    middles = []
    for seed in range(0, 60, 2):
        vectors = np.concatenate([cloud([1, 0, 0], 90, seed), cloud([0, 1, 0], 15, seed + 1)])
        fitted = fit_classifier(vectors, np.arange(105) < 90)
        middles.append(fitted.probability(np.array([0.7071, 0.7071, 0])))
    assert np.mean(middles) == pytest.approx(0.5, abs=0.15)


def test_labels_that_mean_nothing_are_hardly_believed() -> None:
    furthest = []
    for seed in range(100):
        vectors = cloud([1, 1, 1], 60, seed)
        fitted = fit_classifier(vectors, np.arange(60) % 2 == 0)
        furthest.append(max(abs(fitted.probability(vector) - 0.5) for vector in vectors))
    # Sixty coins may lean by chance: seldom, and never so far that they would be called sure.
    assert np.mean(np.array(furthest) > 0.25) < 0.1
    assert max(furthest) < 0.4


def test_the_same_examples_fit_the_same_line() -> None:
    vectors = cloud([1, 0, 0], 30)
    wanted = np.arange(30) < 12
    assert fit_classifier(vectors, wanted).slope == fit_classifier(vectors, wanted).slope
