"""Quiet hours by the clock on the wall, and mutes."""

from datetime import UTC, datetime, timedelta
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st

from state.attention import QuietHours
from tests.stages import NOW, SECONDS, session_of
from tools.attention.relevance import quiet_now

NIGHT = QuietHours(starts="22:00", ends="07:00")
ATHENS = ZoneInfo("Europe/Athens")
clocks = st.times().map(lambda time: f"{time:%H:%M}")


def at(clock: str, zone: ZoneInfo | None = None) -> datetime:
    hour, minute = map(int, clock.split(":"))
    return NOW.astimezone(zone or UTC).replace(hour=hour, minute=minute)


@pytest.mark.parametrize(
    ("clock", "hours_left"), [("22:00", 9), ("23:30", 7.5), ("00:00", 7), ("06:30", 0.5)]
)
def test_a_night_spans_midnight(clock: str, hours_left: float) -> None:
    assert NIGHT.until(at(clock)) == at(clock) + timedelta(hours=hours_left)


@pytest.mark.parametrize("clock", ["07:00", "12:00", "21:59"])
def test_by_day_it_is_not_quiet(clock: str) -> None:
    assert NIGHT.until(at(clock)) is None


def test_the_clock_is_that_of_the_wall() -> None:
    assert NIGHT.until(at("20:30", None), ATHENS) is not None  # 23:30 in Athens
    assert NIGHT.until(at("20:30", ATHENS), ATHENS) is None


@given(clocks, clocks, st.integers(0, 86_399))
def test_quiet_ends_within_a_day_and_then_it_is_over(starts: str, ends: str, second: int) -> None:
    hours = QuietHours(starts=starts, ends=ends)
    now = NOW.replace(hour=0) + timedelta(seconds=second)
    until = hours.until(now)
    if until is not None:
        assert now < until <= now + timedelta(days=1)
        assert hours.until(until) is None or starts == ends
    begins = hours.next_start(now)
    assert now < begins <= now + timedelta(days=1)
    assert hours.until(begins) is not None or starts == ends


def test_of_a_mute_and_quiet_hours_the_later_end_counts() -> None:
    evening = QuietHours(starts="15:00", ends="18:00")
    session = session_of(muted_until=SECONDS + 60, quiet_hours=evening)
    found = quiet_now(session, NOW)
    assert (found.reason, found.until) == ("quiet_hours", NOW + timedelta(hours=2)) if found else 0
    longer = session.model_copy(update={"muted_until": SECONDS + 9_000})
    muted = quiet_now(longer, NOW)
    assert muted is not None
    assert muted.reason == "muted"


def test_a_session_has_the_usual_hours_until_it_has_its_own() -> None:
    usual = QuietHours(starts="15:00", ends="18:00")
    assert quiet_now(session_of(), NOW, usual=usual) is not None
    own = session_of(quiet_hours=NIGHT)
    assert quiet_now(own, NOW, usual=usual) is None
