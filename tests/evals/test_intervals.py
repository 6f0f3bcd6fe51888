import pytest
from hypothesis import given
from hypothesis import strategies as st

from evals.measures import half_of_interval_seen, mean_by_unit, wilson
from evals.runner.compare import mcnemar


@pytest.mark.parametrize(
    ("hits", "n", "low", "high"),
    [(0, 60, 0.0, 0.0602), (60, 60, 0.9398, 1.0), (45, 60, 0.6277, 0.8422), (1, 2, 0.0945, 0.9055)],
)
def test_the_interval_is_wilsons(hits: int, n: int, low: float, high: float) -> None:
    interval = wilson(hits, n)

    assert interval.low == pytest.approx(low, abs=1e-4)
    assert interval.high == pytest.approx(high, abs=1e-4)


def test_nothing_measured_says_nothing() -> None:
    interval = wilson(0, 0)

    assert (interval.low, interval.high) == (0.0, 1.0)


@given(st.integers(1, 500), st.data())
def test_the_interval_holds_the_rate(n: int, data: st.DataObject) -> None:
    hits = data.draw(st.integers(0, n))

    interval = wilson(hits, n)

    assert 0.0 <= interval.low <= hits / n + 1e-9
    assert hits / n - 1e-9 <= interval.high <= 1.0


def test_a_bootstrap_of_like_values_is_a_point_and_of_one_is_none() -> None:
    interval = mean_by_unit([2.0] * 5, list("abcde"))

    assert interval is not None
    assert (interval.low, interval.high) == (2.0, 2.0)
    assert mean_by_unit([2.0, 3.0], ["a", "a"]) is None


def test_a_bootstrap_comes_near_the_normal_interval_of_many_values() -> None:
    values = [float(number % 10) for number in range(1_000)]

    interval = mean_by_unit(values, [str(number) for number in range(1_000)])

    assert interval is not None
    half = 1.96 * 2.8723 / 1_000**0.5
    assert interval.low == pytest.approx(4.5 - half, abs=0.02)
    assert interval.high == pytest.approx(4.5 + half, abs=0.02)


def test_two_points_are_seen_from_three_hundred_cases() -> None:
    assert half_of_interval_seen(300) == 0.02
    assert (half_of_interval_seen(5), half_of_interval_seen(6)) == (None, 1.0)
    assert mcnemar(0, 6) < 0.05 < mcnemar(0, 5)
