"""What few held-out examples may teach: little, and never nonsense."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tools.nlu.intent_classifier.calibration import (
    BELONGS_PRIORS,
    RIGHT_PRIORS,
    CalibrationFeatures,
    Calibrator,
    PassScores,
    fit_weights,
    likenesses,
)
from tools.nlu.intent_classifier.linear_models import ClassProximity

_HEARING = Calibrator(0.75, 2.0, 0.7, (0.0,) * 6, (1.0,) * 6, BELONGS_PRIORS[0], RIGHT_PRIORS[0])


def test_three_examples_leave_the_weights_near_the_prior() -> None:
    prior = RIGHT_PRIORS[0]
    rows = [(1.0, margin, 1.5, 0.5, 0.9, 1.0) for margin in (8.0, 5.0, 2.0)]
    fitted = fit_weights(prior, rows, [True, True, False], [1.0] * 3)
    assert float(np.abs(np.array(fitted) - np.array(prior)).max()) < 1.0


def test_many_examples_move_them() -> None:
    generator = np.random.default_rng(3)
    likeness = generator.normal(size=400)
    rows = [(1.0, float(one), 0.5, 1.0) for one in likeness]
    fitted = fit_weights(BELONGS_PRIORS[1], rows, [one < 0 for one in likeness], [1.0] * 400)
    assert fitted[1] < 0 < BELONGS_PRIORS[1][1]


def test_the_likeness_that_tells_counts_more() -> None:
    generator = np.random.default_rng(5)
    alike = generator.normal(size=(400, 6))
    rows = [(1.0, *one, 0.5, 1.0) for one in alike.tolist()]
    fitted = fit_weights(BELONGS_PRIORS[0], rows, (alike[:, 4] > 0).tolist(), [1.0] * 400)
    assert fitted[5] > 2 * max(*fitted[1:5], fitted[6])


@settings(max_examples=100, deadline=None)
@given(
    margin=st.floats(-4, 8),
    likeness=st.floats(-5, 3),
    more=st.floats(0, 3),
    lexical=st.floats(0, 0.85),
    known=st.floats(0, 1),
    which=st.integers(0, 5),
)
def test_more_likeness_never_makes_less_sure(
    margin: float, likeness: float, more: float, lexical: float, known: float, which: int
) -> None:
    alike = [likeness] * 6
    less = CalibrationFeatures(margin, tuple(alike), lexical, 0.0, known)
    alike[which] += more
    greater = CalibrationFeatures(margin, tuple(alike), lexical, 0.0, known)
    for is_less, is_more in zip(_HEARING.sureness(less), _HEARING.sureness(greater), strict=True):
        assert is_less <= is_more


def test_what_is_sure_in_ordinary_traffic_may_not_be_sure_at_worst() -> None:
    plain, odd = (CalibrationFeatures(8.0, (alike,) * 6, 0.5, 1.0, 1.0) for alike in (1.0, -1.0))
    assert _HEARING.sureness(odd).confidence > 0.8
    sure = (_HEARING.sureness(plain).is_at_worst, _HEARING.sureness(odd).is_at_worst)
    assert sure == (True, False)


def test_what_is_as_near_to_two_actions_is_nearer_to_any() -> None:
    of_one, of_two = (_of_any(scores) for scores in ([4.0, -9.0, -9.0], [4.0, 4.0, -9.0]))
    assert of_one == pytest.approx(4.0, abs=1e-4)
    assert of_two == pytest.approx(4.0 + np.log(2), abs=1e-4)


def test_near_any_action_does_not_depend_on_where_scores_begin() -> None:
    assert _of_any([104.0, 101.0, 90.0]) == pytest.approx(
        _of_any([4.0, 1.0, -10.0]) + 100, abs=1e-3
    )


def _of_any(scores: list[float]) -> float:
    words = np.zeros(len(scores) + 1, np.float32)
    lexical = np.zeros(len(scores), np.float32)
    heard = PassScores(words, lexical, 1.0, np.array(scores, np.float32))
    return likenesses(0, heard, ClassProximity(0.8, 0.9, 0, 0.0, 0.0), 1.0)[4]


@settings(max_examples=200, deadline=None)
@given(
    rows=st.lists(
        st.tuples(
            st.just(1.0),
            *[st.floats(-8, 8)] * 2,
            st.floats(-5, 3),
            st.floats(0, 1),
            st.floats(0, 1),
        ),
        min_size=1,
        max_size=30,
    ),
    seed=st.integers(0, 99),
)
def test_the_fit_is_never_worse_than_the_prior(rows: list[tuple[float, ...]], seed: int) -> None:
    is_so = (np.random.default_rng(seed).random(len(rows)) < 0.5).tolist()
    prior = RIGHT_PRIORS[0]
    fitted = fit_weights(prior, rows, is_so, [1.0] * len(rows))
    assert _loss(fitted, rows, is_so) <= _loss(prior, rows, is_so) + 1e-6


def _loss(weights: tuple[float, ...], rows: list[tuple[float, ...]], is_so: list[bool]) -> float:
    odds = np.array(rows) @ np.array(weights)
    return float((np.logaddexp(0, odds) - np.array(is_so) * odds).sum())
