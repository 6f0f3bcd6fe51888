"""A storm of one alarm: at most three words a minute, and no rise of it lost."""

import pytest

from state.salience import SalienceVector
from tests.nodes.test_stream_properties import Happening, play
from tests.torture.counts import few_or_many

A_SECOND = 20


def storm(seconds: int, threat: float = 0.85, a_second: int = A_SECOND) -> list[Happening]:
    return [
        Happening(place / a_second, SalienceVector(threat=threat))
        for place in range(seconds * a_second)
    ]


@few_or_many(A_SECOND, 100)
def test_a_storm_of_a_minute_is_told_three_times_and_takes_no_room(count: int) -> None:
    sizes: list[int] = []
    spoken = play(storm(60, a_second=count), sizes=sizes)
    told = [place / count for place, was_told in enumerate(spoken) if was_told]
    assert told == pytest.approx([0, 10, 30], abs=0.1)
    assert sizes[-1] <= sizes[0] + 1_000  # two more tellings


@few_or_many(A_SECOND, 100)
def test_each_rise_of_a_tenth_in_a_storm_is_told_with_its_first_event(count: int) -> None:
    levels = (0.8, 0.9, 1.0)
    stream = [
        Happening(place / count, SalienceVector(threat=levels[place // (3 * count)]))
        for place in range(9 * count)
    ]
    told = [place / count for place, was_told in enumerate(play(stream)) if was_told]
    assert told == [0.0, 3.0, 6.0]


def test_an_alarm_that_comes_now_and_then_keeps_its_schedule() -> None:
    slow = [Happening(5 * place, SalienceVector(threat=0.85)) for place in range(12)]
    told = [5 * place for place, was_told in enumerate(play(slow)) if was_told]
    assert told == [0, 5, 15, 35]


@pytest.mark.parametrize("at", [1, 7, 25])
def test_a_rise_in_the_storm_is_told_at_once(at: int) -> None:
    rising = [
        one if one.at < at else Happening(one.at, SalienceVector(threat=0.95))
        for one in storm(at + 2)
    ]
    told = [place / A_SECOND for place, was_told in enumerate(play(rising)) if was_told]
    assert at in told


def test_the_repeats_of_many_sources_that_say_the_same_are_told_once() -> None:
    stream = [
        Happening(place / 4, SalienceVector(threat=0.85), source=f"s{place % 9}")
        for place in range(400)
    ]
    told = [place for place, was_told in enumerate(play(stream)) if was_told]
    assert told[:9] == list(range(9))  # each place may have a fire of its own
    assert len(told) <= 9 + 5


def test_another_alarm_does_not_put_a_repeat_off() -> None:
    smoke = SalienceVector(threat=0.85)
    fire, flood = "Fire in the galley", "Water in the bilge"
    stream = [
        Happening(0, smoke, fire, "s0"),
        Happening(4, smoke, flood, "s1"),
        Happening(5, smoke, fire, "s0"),
    ]
    assert play(stream) == [True, True, True]
