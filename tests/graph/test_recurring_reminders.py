"""Reminders that come back, and those that wait for something to happen."""

from datetime import timedelta
from threading import current_thread
from typing import Any

import pytest
import sqlalchemy

from tests.graph.conftest import OpenHarbour
from tests.graph.harbour import Harbour
from tests.stages import NOW
from tools.memory.event_match import EventMatcher

DAY = 86_400


async def told(harbour: Harbour) -> list[str]:
    """Let the clock tick, and list what it has reminded of so far, the oldest first."""
    await harbour.executive.release_due()
    records = await harbour.records()
    return [one.text for one in reversed(records) if one.reason == "reminder" and one.spoke]


async def test_it_comes_back_and_is_told_once_each_time(harbour: Harbour) -> None:
    asked = await harbour.says("remind me every hour to drink")
    assert asked.text == "I'll remind you every hour, first at 17:00: drink"
    for hours in (1, 2, 3):
        harbour.pass_seconds(3599)
        assert len(await told(harbour)) == hours - 1
        harbour.pass_seconds(1)
        assert await told(harbour) == ["Reminder: drink"] * hours
        assert len(await told(harbour)) == hours


async def test_days_of_the_week_are_kept_and_every_other_one_is_left_out(harbour: Harbour):
    asked = await harbour.says("remind me every other Friday at 9 to pay Sam")
    first = (NOW + timedelta(days=(4 - NOW.weekday()) % 7)).replace(hour=9)
    assert f"{first:%Y-%m-%d} at 09:00" in asked.text
    assert await harbour.executive.initiative.next_due() == first
    harbour.pass_seconds((first - NOW).total_seconds())
    assert await told(harbour) == ["Reminder: pay Sam"]
    assert await harbour.executive.initiative.next_due() == first + timedelta(weeks=2)


async def test_what_passed_while_nobody_ticked_is_told_once(open_harbour: OpenHarbour) -> None:
    async with open_harbour() as harbour:
        await harbour.says("remind me every hour to drink")
    async with open_harbour() as harbour:
        harbour.pass_seconds(5 * 3600 + 600)
        assert await told(harbour) == ["Reminder: drink (late by 10 min)"]
        assert await harbour.executive.initiative.next_due() == NOW + timedelta(hours=6)


async def test_what_is_held_already_is_not_told_twice_after_a_quiet(harbour: Harbour) -> None:
    await harbour.says("remind me every 10 minutes to stretch")
    await harbour.says("be quiet for 45 minutes")
    for _ in range(45):
        harbour.pass_seconds(60)
        assert await told(harbour) in ([], ["While it was quiet: Reminder: stretch"])
    await harbour.executive.release_due()
    assert await told(harbour) == ["While it was quiet: Reminder: stretch"]


async def test_they_are_listed_and_called_off_by_what_they_are(harbour: Harbour) -> None:
    await harbour.says("remind me every hour to drink")
    await harbour.says("every Friday at 9 remind me to pay Sam")
    await harbour.says("remind me to close the hatch when the sun sets")
    listed = (await harbour.says("what are my reminders?")).text or ""
    assert "every hour, next at 17:00: drink" in listed
    assert "every Friday at 09:00" in listed
    assert "when the sun sets: close the hatch" in listed
    assert (await harbour.says("cancel my hourly reminder")).text == "Cancelled: drink"
    assert (await harbour.says("cancel the friday reminder")).text == "Cancelled: pay Sam"
    off = await harbour.says("cancel the reminder about the sun")
    assert off.text == "Cancelled: close the hatch"
    assert (await harbour.says("what are my reminders?")).text == "You have no reminders."


async def test_stop_ends_one_and_do_not_stop_ends_none(harbour: Harbour) -> None:
    await harbour.says("remind me every day at 8 to feed the cat")
    for kept in ("don't stop reminding me to feed the cat", "never stop reminding me of the cat"):
        await harbour.says(kept)
        assert await harbour.executive.initiative.next_due() is not None
    stopped = await harbour.says("stop reminding me to feed the cat")
    assert stopped.text == "Cancelled: feed the cat"


@pytest.mark.parametrize("said", ["every 10 seconds", "every 20 seconds"])
async def test_none_comes_back_all_the_time(harbour: Harbour, said: str) -> None:
    assert "at most" in ((await harbour.says(f"remind me {said} to breathe")).text or "")
    assert await harbour.executive.initiative.next_due() is None


async def test_an_event_makes_it_due_once_after_a_restart_too(open_harbour: OpenHarbour) -> None:
    async with open_harbour() as harbour:
        asked = await harbour.says("when the ferry arrives, remind me to open the gate")
        assert asked.text == "I'll remind you when the ferry arrives: open the gate"
    async with open_harbour() as harbour:
        harbour.pass_seconds(600)
        for other in ("the ferry departs", "the ferry has not arrived", "the ferry is late"):
            await harbour.happens(other)
            assert await told(harbour) == []
        await harbour.happens("the ferry arrives")
    async with open_harbour() as harbour:  # ended between the event and its telling
        assert await told(harbour) == ["Reminder: open the gate"]
        harbour.pass_seconds(600)
        await harbour.happens("the ferry arrives")
        assert await told(harbour) == ["Reminder: open the gate"]


async def test_each_time_means_each_time(harbour: Harbour) -> None:
    await harbour.says("whenever the ferry arrives, remind me to open the gate")
    for times in (1, 2):
        harbour.pass_seconds(600)
        await harbour.happens("the ferry arrives")
        await harbour.happens("the ferry arrives", source="camera")
        assert await told(harbour) == ["Reminder: open the gate"] * times


async def test_an_event_that_never_comes_is_given_up_aloud(harbour: Harbour) -> None:
    await harbour.says("remind me to wave when the ferry arrives")
    harbour.pass_seconds(31 * DAY)
    [said] = await told(harbour)
    assert said.startswith("You wanted a reminder when the ferry arrives: wave.")
    await harbour.happens("the ferry arrives")
    assert len(await told(harbour)) == 1


async def test_what_happens_in_another_session_is_not_it(harbour: Harbour) -> None:
    await harbour.says("remind me to wave when the ferry arrives")
    await harbour.happens("the ferry arrives", session_id="elsewhere")
    assert await told(harbour) == []


async def test_no_writer_waits_for_a_match_or_looks_for_one_without_need(
    harbour: Harbour, monkeypatch: pytest.MonkeyPatch
) -> None:
    matches, threads, looked = EventMatcher.matches, list[str](), list[str]()

    def matching(matcher: EventMatcher, condition: str, event: str) -> bool:
        threads.append(current_thread().name)
        return matches(matcher, condition, event)

    def executing(_connection: Any, _cursor: Any, statement: str, *_rest: Any) -> None:
        if "on_event IS NOT NULL" in statement:
            looked.append(current_thread().name)

    monkeypatch.setattr(EventMatcher, "matches", matching)
    await harbour.says("remind me to wave when the ferry arrives")
    sqlalchemy.event.listen(sqlalchemy.Engine, "before_cursor_execute", executing)
    try:
        await harbour.says("hello")
        await harbour.signals(busy="call")
        assert (threads, looked) == ([], [])
        await harbour.happens("the ferry departs")
        assert len(threads) == len(looked) == 1
        await harbour.happens("the ferry arrives")
    finally:
        sqlalchemy.event.remove(sqlalchemy.Engine, "before_cursor_execute", executing)
    assert len(threads) == 2
    assert not any(name.startswith("writer") for name in threads)
    assert [name for name in looked if name.startswith("writer")] == [looked[-1]]
