"""Which day it is when somebody says `tomorrow`: by the clock on the wall."""

from pathlib import Path
from zoneinfo import ZoneInfo

import pytest

from state.event import Event
from tools.ports import RoutingEnvironment


@pytest.mark.parametrize(
    ("at", "zone", "today"),
    [
        ("2026-06-14T12:00:00Z", "UTC", "2026-06-14"),
        ("2026-06-15T03:30:00Z", "America/Chicago", "2026-06-14"),
        ("2026-06-14T22:30:00Z", "Europe/Athens", "2026-06-15"),
        ("2026-06-14T23:30:00-05:00", "America/Chicago", "2026-06-14"),
    ],
)
def test_today_is_what_the_calendar_on_the_wall_shows(at: str, zone: str, today: str) -> None:
    event = Event.model_validate({"text": "book me in for tomorrow", "occurred_at": at})

    assert str(RoutingEnvironment(Path("data"), ZoneInfo(zone)).looks_in(event)["today"]) == today


def test_an_event_of_no_known_time_has_no_today() -> None:
    assert RoutingEnvironment(Path("data")).looks_in(Event(text="tomorrow"))["today"] is None
