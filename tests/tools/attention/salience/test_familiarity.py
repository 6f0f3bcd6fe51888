"""Habituation: the golden sequences of executive.md §1.8, and what must hold for any stream."""

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from state.salience import DIMENSIONS, SalienceVector
from state.session import Familiarity
from tests.stages import TUNING
from tools.attention.habituation import habituation_on_arrival, pattern_of, update_habituation

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


def test_what_was_never_seen_is_fresh() -> None:
    assert habituation_on_arrival(None, SalienceVector(threat=1), 5, 60, TUNED) == 0.0


def test_the_same_every_second_becomes_boring() -> None:
    met = every(1, 5, fade_seconds=60)
    assert met == pytest.approx([0.30, 0.50, 0.64, 0.73, 0.80], abs=0.006)


def test_the_same_every_ten_seconds_stays_half_interesting() -> None:
    met = every(10, 5, fade_seconds=60)
    assert met == pytest.approx([0.25, 0.40, 0.49, 0.55, 0.58], abs=0.006)


def test_the_same_once_a_fade_hardly_bores() -> None:
    assert every(300, 20, fade_seconds=300)[-5:] == pytest.approx([0.15] * 5, abs=0.01)


@pytest.mark.parametrize(("fades", "sensitivity"), [(1, 0.67), (2, 0.88), (6, 1.0)])
@pytest.mark.parametrize("fade_seconds", list(TUNED.fade_seconds.values()))
def test_silence_brings_interest_back(fade_seconds: float, fades: int, sensitivity: float) -> None:
    level = habituation_on_arrival(seen(0.9), DULL, fades * fade_seconds, fade_seconds, TUNED)
    assert 1 - level == pytest.approx(sensitivity, abs=0.005)


def test_boredom_has_a_ceiling() -> None:
    assert max(every(0, 200, fade_seconds=60)) == TUNED.highest == 0.9


@pytest.mark.parametrize(
    ("strength", "eta"), [(0.0, 0.375), (0.5, 0.30), (1.0, 0.225), (-9.0, 0.40), (9.0, 0.15)]
)
def test_what_stands_out_bores_more_slowly(strength: float, eta: float) -> None:
    known = update_habituation(None, DULL, 0.0, strength, 0, engaged=False, tuning=TUNED)
    assert known.level == pytest.approx(eta)


def test_a_rise_wakes_a_bored_pattern_by_as_much() -> None:
    calm, loud = SalienceVector(novelty=0.1), SalienceVector(novelty=0.6)
    assert habituation_on_arrival(seen(0.8, vector=calm), loud, 0, 60, TUNED) == pytest.approx(
        0.8 * 0.5
    )


def test_a_small_rise_or_a_fall_wakes_nothing() -> None:
    loud, calm = SalienceVector(novelty=0.6), SalienceVector(novelty=0.1)
    almost = SalienceVector(novelty=0.79)
    assert habituation_on_arrival(seen(0.8, vector=loud), calm, 0, 60, TUNED) == 0.8
    assert habituation_on_arrival(seen(0.8, vector=loud), almost, 0, 60, TUNED) == 0.8


def test_somebody_caring_makes_it_interesting_again() -> None:
    known = update_habituation(seen(0.8), DULL, 0.8, HALF, 9, engaged=True, tuning=TUNED)
    assert known.level == pytest.approx(0.24)


def test_what_bored_once_bores_faster_after_each_recovery() -> None:
    steps = levels([0, 3600, 3601, 7200, 7201], 60)
    first = update_habituation(None, DULL, 0, HALF, 0, engaged=False, tuning=TUNED).level
    assert [steps[2], steps[4]] == pytest.approx(
        [first * 1.15 * math.exp(-1 / 60), first * 1.15**2 * math.exp(-1 / 60)], abs=1e-3
    )


def test_ten_thousand_recoveries_leave_a_pattern_that_can_be_stored() -> None:
    known: Familiarity | None = None
    for number in range(10_000):
        now = number * 3600.0
        level = habituation_on_arrival(known, DULL, now, 60, TUNED)
        known = update_habituation(known, DULL, level, HALF, now, engaged=False, tuning=TUNED)
    assert known is not None
    assert known.level == pytest.approx(0.6)
    assert Familiarity.model_validate(known.model_dump()) == known


@given(st.floats(0, 1e9))
def test_a_clock_that_jumps_back_neither_bores_nor_wakes(jump: float) -> None:
    known = seen(0.5, at=1e9)
    assert habituation_on_arrival(known, DULL, 1e9 - jump, 60, TUNED) == 0.5


vectors = st.builds(SalienceVector, **{name: st.floats(0, 1) for name in DIMENSIONS})


@given(st.lists(st.tuples(st.floats(0, 1e4), vectors), max_size=8), st.sampled_from([60.0, 300.0]))
def test_no_stream_leaves_the_range(
    stream: list[tuple[float, SalienceVector]], fade: float
) -> None:
    times = [sum(gap for gap, _vector in stream[: place + 1]) for place in range(len(stream))]
    met = levels(times, fade, [vector for _gap, vector in stream])
    assert all(0 <= level <= TUNED.highest for level in met)


@given(vectors, vectors, st.sampled_from(DIMENSIONS), st.floats(0, 1), st.floats(0, 0.9))
def test_standing_out_more_never_bores_more(
    before: SalienceVector, now: SalienceVector, name: str, to: float, level: float
) -> None:
    louder = now.model_copy(update={name: max(to, getattr(now, name))})
    known = seen(level, vector=before)
    assert habituation_on_arrival(known, louder, 10, 60, TUNED) <= habituation_on_arrival(
        known, now, 10, 60, TUNED
    )


@given(st.floats(0, 0.9))
def test_six_fades_of_quiet_are_as_good_as_new(level: float) -> None:
    assert habituation_on_arrival(seen(level), DULL, 6 * 60, 60, TUNED) < 0.01


def test_a_pattern_is_source_kind_and_entity() -> None:
    assert pattern_of("panel", "ambient", "port generator") == "panel|ambient|port generator"
    assert pattern_of("panel", "ambient", None) == "panel|ambient|"
