"""Spans of time and clock times as people say them."""

import pytest

from tools.nlu.control.requests import control_request


@pytest.mark.parametrize(
    ("text", "seconds"),
    [
        ("be quiet for twenty minutes", 1200),
        ("be quiet for an hour and a half", 5400),
        ("be quiet for one and a half hours", 5400),
        ("be quiet for 1h30m", 5400),
        ("be quiet for an hour and ten minutes", 4200),
        ("be quiet for twenty-five mins", 1500),
        ("quiet for 20 mins", 1200),
        ("dnd for a quarter of an hour", 900),
        ("be quiet for a day", 86_400),
    ],
)
def test_a_span_may_be_said_in_words(text: str, seconds: float) -> None:
    request = control_request(text)
    assert request is not None
    assert (request.kind, request.seconds) == ("mute", seconds)


@pytest.mark.parametrize(
    ("text", "until"), [("be quiet until noon", "12:00"), ("quiet till midnight", "00:00")]
)
def test_noon_and_midnight_are_clock_times(text: str, until: str) -> None:
    request = control_request(text)
    assert request is not None
    assert request.until == until
