"""Busy means busy: what waits, what ends the wait, and that it ends once."""

from datetime import timedelta

import pytest

from state.reader import whole
from state.record import DecisionRecord
from tests.graph.conftest import OpenHarbour
from tests.graph.harbour import Harbour
from tests.stages import NOW

GOAL = {"goal_relevance": 0.9}
QUIP = {"humor": 0.95}


async def settled(harbour: Harbour, held: DecisionRecord) -> DecisionRecord:
    """Wait until what a signal released is decided, and read the record."""
    return await harbour.executive.decide(held.decision_id)


async def held_while(
    harbour: Harbour, busy: str, text: str = "The ferry is early"
) -> DecisionRecord:
    await harbour.signals(busy=busy)
    return await harbour.happens(text, salience=GOAL)


@pytest.mark.parametrize(
    ("busy", "ends"),
    [
        ("typing", "typing_pause"),
        ("menu", "menu_closed"),
        ("combat", "combat_ended"),
        ("call", "call_ended"),
        ("speaking", "speech_ended"),
        ("focused", "prompt"),
    ],
)
async def test_what_is_relevant_waits_and_is_told_at_the_break(
    harbour: Harbour, busy: str, ends: str
) -> None:
    held = await held_while(harbour, busy)
    assert (held.outcome, held.timing, held.reason, held.spoke) == (
        "held",
        "queued",
        f"busy:{busy}",
        False,
    )
    harbour.pass_seconds(20)
    await harbour.signals(ends)
    told = await settled(harbour, held)
    assert (told.outcome, told.spoke, told.text) == ("spoke", True, "The ferry is early")


async def test_it_is_told_exactly_once(harbour: Harbour) -> None:
    listening = harbour.executive.notices.listen(whole("default"))
    held = await held_while(harbour, "typing")
    for _time in range(3):
        await harbour.signals("typing_pause")
        await settled(harbour, held)
        harbour.pass_seconds(600)
        await harbour.executive.release_due()
        await harbour.executive.resume_unfinished()
    await harbour.happens("The end", source="end", salience={"threat": 1})
    said = []
    async for notice in listening:
        if notice.kind == "output":
            said.append(notice.data["text"])
        if said and said[-1] == "The end":
            break
    assert said == ["The ferry is early", "The end"]
    assert (await harbour.record(held.decision_id)).outcome == "spoke"


async def test_another_break_ends_nothing(harbour: Harbour) -> None:
    held = await held_while(harbour, "typing")
    await harbour.signals("somebody_coughed")
    assert (await settled(harbour, held)).outcome == "held"


async def test_another_session_is_not_released(harbour: Harbour) -> None:
    held = await held_while(harbour, "typing")
    await harbour.happens(
        "signal", kind="signal", payload={"signal": "typing_pause"}, session_id="elsewhere"
    )
    assert (await settled(harbour, held)).outcome == "held"


async def test_at_the_end_of_its_life_a_hold_is_dropped_with_a_reason(harbour: Harbour) -> None:
    held = await held_while(harbour, "typing")
    due = await harbour.executive.initiative.next_due()
    assert due is not None
    assert held.relevance is not None
    assert due - NOW == timedelta(seconds=300 * (0.5 + held.relevance))
    harbour.pass_seconds(300 * 1.5)
    assert await harbour.executive.release_due() == 1
    dropped = await harbour.record(held.decision_id)
    assert (dropped.outcome, dropped.reason) == ("passed", "hold_expired")
    assert await harbour.executive.initiative.next_due() is None


async def test_what_is_urgent_is_told_late_rather_than_never(harbour: Harbour) -> None:
    await harbour.signals(busy="call")
    held = await harbour.happens("Fog rolls in", salience={**GOAL, "threat": 0.5})
    assert held.outcome == "held"
    harbour.pass_seconds(600)
    await harbour.executive.release_due()
    told = await harbour.record(held.decision_id)
    assert (told.outcome, told.timing) == ("spoke", "immediate")


async def test_a_hold_is_judged_again_when_it_is_released(harbour: Harbour) -> None:
    held = await held_while(harbour, "typing")
    await harbour.says("be quiet for 10 minutes")
    await harbour.signals("typing_pause")
    silent = await settled(harbour, held)
    assert (silent.outcome, silent.reason, silent.spoke) == ("held", "muted", False)


async def test_a_hold_that_outlived_its_event_is_not_told(harbour: Harbour) -> None:
    await harbour.signals(busy="typing")
    held = await harbour.happens("Ferry leaves in a minute", salience=GOAL, expires_in_seconds=60)
    harbour.pass_seconds(61)
    await harbour.signals("typing_pause")
    late = await settled(harbour, held)
    assert (late.outcome, late.reason) == ("passed", "expired")


async def test_a_joke_waits_for_an_opportunity_even_when_nobody_is_busy(harbour: Harbour) -> None:
    held = await harbour.happens("A seal in a hat", salience=QUIP)
    assert (held.outcome, held.timing, held.reason) == ("held", "deferred", "conversational")
    await harbour.signals("prompt")
    assert (await settled(harbour, held)).outcome == "spoke"


async def test_a_threat_waits_for_nobody(harbour: Harbour) -> None:
    await harbour.signals(busy="combat")
    record = await harbour.happens("Smoke on the quay", salience={"threat": 0.9})
    assert (record.outcome, record.timing) == ("spoke", "immediate")


async def test_a_near_deadline_waits_for_nobody(harbour: Harbour) -> None:
    await harbour.signals(busy="call")
    record = await harbour.happens("Berth expires", salience=GOAL, payload={"deadline_seconds": 30})
    assert (record.outcome, record.timing) == ("spoke", "immediate")


async def test_a_hold_outlives_a_restart(open_harbour: OpenHarbour) -> None:
    async with open_harbour() as before:
        held = await held_while(before, "typing")
    async with open_harbour() as after:
        assert (await after.record(held.decision_id)).outcome == "held"
        await after.signals("typing_pause")
        assert (await settled(after, held)).outcome == "spoke"
