"""Reminders: in words, at their time, through quiet, busy and restarts, once."""

from datetime import timedelta

import pytest

from state.principal import Principal
from tests.graph.conftest import OpenHarbour
from tests.graph.harbour import HARBOUR, MASTER, Harbour
from tests.stages import NOW
from tools.attention.judge import Judgement
from tools.platform.texts import t

GUEST = Principal(user="gus", tenant_id="default", roles=("guest",))


async def due(harbour: Harbour) -> list[str]:
    await harbour.executive.release_due()
    return [one.text for one in await harbour.records() if one.reason == "reminder"]


async def test_it_is_told_at_its_time_and_once(harbour: Harbour) -> None:
    asked = await harbour.says("remind me in 20 minutes to check the Furnace")
    assert asked.text == "I'll remind you at 16:20: check the Furnace"
    harbour.pass_seconds(1199)
    assert await due(harbour) == []
    harbour.pass_seconds(1)
    told = ["Reminder: check the Furnace"]
    assert await due(harbour) == told
    assert await due(harbour) == told


async def test_it_waits_for_the_end_of_a_mute(harbour: Harbour) -> None:
    await harbour.says("remind me in 5 minutes to check the furnace")
    await harbour.says("be quiet for 20 minutes")
    harbour.pass_seconds(300)
    await harbour.executive.release_due()
    [held] = [one for one in await harbour.records() if one.outcome == "held"]
    assert held.reason == "muted"
    harbour.pass_seconds(900)
    await harbour.executive.release_due()
    told = await harbour.record(held.decision_id)
    assert told.text == "While it was quiet: Reminder: check the furnace"


async def test_it_waits_for_a_break_and_is_told_at_the_end_of_its_wait(harbour: Harbour) -> None:
    await harbour.says("remind me in 5 minutes to check the furnace")
    await harbour.signals(busy="call")
    harbour.pass_seconds(300)
    await harbour.executive.release_due()
    [held] = [one for one in await harbour.records() if one.outcome == "held"]
    assert held.reason == "busy:call"
    harbour.pass_seconds(600)
    await harbour.executive.release_due()
    assert (await harbour.record(held.decision_id)).spoke


async def test_after_hours_without_us_all_are_told_at_once_and_how_late(open_harbour: OpenHarbour):
    async with open_harbour() as harbour:
        await harbour.says("remind me in 20 minutes to check the furnace")
        for number in range(8):  # with more than a digest would show: each was asked for
            await harbour.says(f"remind me at 17:00 to call yard {number}")
    async with open_harbour() as harbour:
        harbour.pass_seconds(3 * 3600)
        [told] = await due(harbour)
        assert told.splitlines() == [
            "9 reminders:",
            "- check the furnace (late by 3 h)",
            *(f"- call yard {number} (late by 2 h)" for number in range(8)),
        ]


async def test_what_waits_is_listed_and_called_off(harbour: Harbour) -> None:
    await harbour.says("remind me tomorrow at 9 to call the yard")
    await harbour.says("remind me to check the furnace in an hour")
    listed = await harbour.says("what are my reminders?")
    assert listed.text == "at 17:00: check the furnace\ntomorrow at 09:00: call the yard"
    called_off = await harbour.says("cancel the reminder about the furnace")
    assert called_off.text == "Cancelled: check the furnace"
    assert (await harbour.says("list my reminders")).text == "tomorrow at 09:00: call the yard"
    assert await harbour.executive.initiative.next_due() == NOW + timedelta(hours=17)


async def test_a_time_that_is_missing_is_asked_for(harbour: Harbour) -> None:
    assert (await harbour.says("remind me to feed the cat")).text.startswith("When?")
    assert (await harbour.says("in 20 minutes")).text == "I'll remind you at 16:20: feed the cat"


async def test_somebody_who_tells_what_they_have_to_do_is_asked_first(harbour: Harbour) -> None:
    asked = await harbour.says("I need to check the farm in an hour")
    assert asked.text == "Shall I remind you in 60 minutes: check the farm? Say yes or no."
    assert await harbour.executive.initiative.next_due() is None
    await harbour.says("yes please")
    assert await harbour.executive.initiative.next_due() == NOW + timedelta(hours=1)


async def test_who_may_change_nothing_here_is_reminded_of_nothing(open_harbour: OpenHarbour):
    async with open_harbour(packs=(str(HARBOUR.parent / "shelf"),)) as shelf:
        refused = await shelf.says("remind me in 5 minutes to check the furnace", GUEST)
        assert refused.text == t("dialogue.refused.control")
        signal = {"talk": {"kind": "remind", "topic": "tea", "seconds": 60}}
        await shelf.happens("tea", kind="signal", user="gus", role="guest", payload=signal)
        assert await shelf.executive.initiative.next_due() is None


async def test_one_session_is_not_reminded_for_another(harbour: Harbour) -> None:
    await harbour.says("remind me in 5 minutes to check the furnace", session_id="forge")
    assert "no reminders" in (await harbour.says("what are my reminders")).text
    harbour.pass_seconds(300)
    await harbour.executive.release_due()
    [told] = [one for one in await harbour.records() if one.reason == "reminder"]
    assert told.session_id == "forge"


async def test_one_person_s_reminders_are_not_anothers_to_list_or_call_off(harbour: Harbour):
    await harbour.says("remind me in 5 minutes to check the furnace")
    assert (await harbour.says("what are my reminders?", MASTER)).text == "You have no reminders."
    for said in ("cancel all my reminders", "cancel the reminder about the furnace"):
        assert (await harbour.says(said, MASTER)).text == "There is no such reminder."
    call_off = {"talk": {"kind": "no_reminder"}}
    await harbour.happens("off", kind="signal", user="ingrid", role="master", payload=call_off)
    assert await harbour.executive.initiative.next_due() == NOW + timedelta(minutes=5)
    for said in (
        "cancel my next reminder",
        "Clear the last two reminders",
        "drop my 3 old reminders",
    ):
        # None is about the next, so none is called off, and none is said to be unknown.
        assert "No reminder was cancelled" in (await harbour.says(said)).text
    assert (await harbour.says("cancel all my reminders")).text == "Cancelled: check the furnace"


async def test_one_that_stands_beside_a_watch_is_kept_with_it(harbour: Harbour) -> None:
    asked = await harbour.says("keep an eye on the pump and remind me in 20 minutes to eat")
    assert "I'll remind you at 16:20: eat" in asked.text
    assert [one.topic for one in (await harbour.session()).topics] == ["pump"]
    harbour.pass_seconds(1200)
    assert await due(harbour) == ["Reminder: eat"]


class _Even:
    """A judge to whom a word is as good as doubtful, and what is at stake is clear."""

    def judge(self, source: str, text: str, before: str = "") -> Judgement:
        levels = {"now": 0.5, "later": 0.4, "quiet": 0.1}
        return Judgement(levels, "deadline", "raised", "real")


async def test_a_yes_to_the_question_of_an_event_sets_the_reminder(
    harbour: Harbour, monkeypatch: pytest.MonkeyPatch
) -> None:
    scorer = harbour.executive._box.weighing.scorer
    monkeypatch.setitem(scorer.__dict__, "judge", _Even())
    asked = await harbour.happens("Filament runs out in about an hour", source="print")
    assert asked.text.endswith("in 20 minutes?")
    harbour.pass_seconds(5)
    answer = await harbour.says("yes", MASTER)
    assert "Filament runs out in about an hour" in answer.text
    assert "I'll remind you" in answer.text
