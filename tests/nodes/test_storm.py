"""A storm of one alarm: at most three words a minute, and no rise of it lost."""

import pytest

from state.salience import SalienceVector
from tests.nodes.test_stream_properties import Happening, play

A_SECOND = 20
"""A hundred a second are told alike, and take five times as long to play."""


def storm(seconds: int, threat: float = 0.85) -> list[Happening]:
    return [
        Happening(place / A_SECOND, SalienceVector(threat=threat))
        for place in range(seconds * A_SECOND)
    ]


def test_a_storm_of_a_minute_is_told_three_times() -> None:
    told = [place / A_SECOND for place, was_told in enumerate(play(storm(60))) if was_told]
    assert told == pytest.approx([0, 10, 30], abs=0.1)


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
