"""When a reminder that comes back is told: calendars, clocks, and how it is worded."""

from datetime import UTC, datetime, timedelta
from itertools import islice
from zoneinfo import ZoneInfo

import pytest

from state.attention import QuietHours
from state.talk import Repeat, TalkRequest
from tests.stages import TUNING
from tools.memory.reminders import first_due, occurrences
from tools.nlu import control_request
from tools.nlu.control.occasions import event_reminder, repeat_text, split_cue

SATURDAY = datetime(2026, 11, 28, 11, 0, tzinfo=UTC)
PROACTIVE = TUNING.proactive


def times(repeats: Repeat, count: int, since: datetime = SATURDAY) -> list[str]:
    found = islice(occurrences(repeats, since, SATURDAY, UTC), count)
    return [f"{one:%m-%d %H:%M}" for one in found]


@pytest.mark.parametrize(
    ("repeats", "wanted"),
    [
        (Repeat(every=2, unit="hour"), ["11-28 13:00", "11-28 15:00"]),
        (Repeat(unit="day", at=("08:00", "20:00")), ["11-28 20:00", "11-29 08:00"]),
        (Repeat(unit="week", on=("mon",), at=("09:00",)), ["11-30 09:00", "12-07 09:00"]),
        (Repeat(every=2, unit="week", on=("sat",), at=("12:00",)), ["11-28 12:00", "12-12 12:00"]),
        (Repeat(unit="month", on=("1mon",), at=("09:00",)), ["12-07 09:00", "01-04 09:00"]),
        (Repeat(unit="month", on=("31",), at=("09:00",)), ["11-30 09:00", "12-31 09:00"]),
        (Repeat(unit="month", on=("last",), at=("09:00",)), ["11-30 09:00", "12-31 09:00"]),
        (Repeat(unit="year", at=("12:00",)), ["11-28 12:00", "11-28 12:00"]),
    ],
)
def test_the_next_times_are_those_of_the_calendar(repeats: Repeat, wanted: list[str]):
    assert times(repeats, len(wanted)) == wanted


def test_hours_of_the_day_bound_what_comes_back_every_hour():
    within = Repeat(unit="hour", hours=QuietHours(starts="09:00", ends="12:00"))
    assert times(within, 3) == ["11-28 12:00", "11-29 09:00", "11-29 10:00"]


def test_a_clock_stays_when_the_summer_time_ends():
    zone, before = ZoneInfo("Europe/Amsterdam"), datetime(2026, 10, 24, 12, 0, tzinfo=UTC)
    daily = occurrences(Repeat(unit="day", at=("08:00",)), before, before, zone)
    assert [one.hour for one in islice(daily, 2)] == [7, 7]
    summer = datetime(2026, 10, 22, 12, 0, tzinfo=UTC)
    daily = occurrences(Repeat(unit="day", at=("08:00",)), summer, summer, zone)
    assert [one.hour for one in islice(daily, 4)] == [6, 6, 7, 7]


def test_every_other_friday_begins_with_the_next_one():
    asked = control_request("remind me every other Friday at 9 to pay Sam", SATURDAY)
    assert asked is not None
    assert first_due(asked, SATURDAY, UTC, PROACTIVE) == datetime(2026, 12, 4, 9, tzinfo=UTC)


def test_what_would_never_end_or_come_all_the_time_has_no_time():
    often = TalkRequest(kind="remind", topic="x", repeats=Repeat(every=0.5, unit="minute"))
    assert first_due(often, SATURDAY, UTC, PROACTIVE) is None
    waits = TalkRequest(kind="remind", topic="x", when="it rains")
    assert first_due(waits, SATURDAY, UTC, PROACTIVE) == SATURDAY + timedelta(days=30)


@pytest.mark.parametrize(
    ("said", "when", "what"),
    [
        ("remind me to close the blinds when the sun sets", "the sun sets", "close the blinds"),
        ("once Lena is home remind me to call", "Lena is home", "call"),
        ("remind me when it rains, to shut the roof", "it rains", "shut the roof"),
        ("remind me when I get to the shop to buy milk", "I get to the shop", "buy milk"),
        ("the next time it rains remind me to shut the roof", "it rains", "shut the roof"),
    ],
)
def test_an_event_is_parted_from_the_matter(said: str, when: str, what: str):
    asked = control_request(said, SATURDAY)
    assert asked is not None
    assert (asked.kind, asked.when, asked.topic) == ("remind", when, what)


def test_a_question_to_be_asked_is_no_event():
    assert event_reminder("remind me to ask when the shop opens", r"^remind me") is None
    asked = control_request("remind me in 10 minutes to check if the oven is off", SATURDAY)
    assert asked is not None
    assert (asked.when, asked.topic) == (None, "check if the oven is off")


def test_words_before_an_event_say_whether_each_is_meant():
    assert split_cue("whenever the doorbell rings") == ("the doorbell rings", True)
    assert split_cue("as soon as it rains") == ("it rains", False)
    assert split_cue("the doorbell rings") is None


def test_how_often_is_said_in_words():
    assert repeat_text(Repeat(every=2, unit="week", on=("fri",), at=("09:00",))) == (
        "every 2 weeks on Friday at 09:00"
    )
    assert repeat_text(Repeat(unit="hour")) == "every hour"
