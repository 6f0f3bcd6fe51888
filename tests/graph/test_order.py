"""Once each, in order, whatever is delivered twice, at once, or before a crash."""

import asyncio
from datetime import timedelta
from itertools import permutations
from typing import Any

from state.event import Event
from state.reader import whole
from state.record import DecisionRecord
from tests.graph.conftest import OpenHarbour
from tests.graph.harbour import Harbour

GOAL = {"goal_relevance": 0.9}


async def order_of(harbour: Harbour, events: list[Event], going_on: Any) -> list[str]:
    """Return the event ids in the order in which they were decided."""
    listening = harbour.executive.notices.listen(whole("default"))
    await going_on
    wanted = {event.event_id for event in events}
    decided: list[str] = []
    async with asyncio.timeout(60):
        while wanted - set(decided):
            notice = await anext(listening)
            if notice.kind == "decision":
                decided.append(notice.data["event_id"])
    return decided


def ferry(harbour: Harbour, number: int) -> Event:
    at = harbour.clock.now() + timedelta(milliseconds=number)
    return harbour.event(f"Ferry {number}", salience=GOAL, occurred_at=at)


async def test_a_second_delivery_meets_the_first_record(harbour: Harbour) -> None:
    event = harbour.event("The ferry is early", salience=GOAL)
    first = await harbour.executive.submit(event)
    accepted = await harbour.executive.accept(event)
    again = await harbour.executive.submit(event)
    assert (accepted.duplicate, accepted.decision_id) == (True, first.decision_id)
    assert again == first.model_copy(update={"duplicate": True})
    assert await harbour.records() == [first]


async def test_an_alarm_is_told_whatever_came_under_its_event_id(harbour: Harbour) -> None:
    first = await harbour.executive.submit(harbour.event("all normal", event_id="smoke-1"))
    alarm = await harbour.executive.submit(harbour.event("smoke in the hold", event_id="smoke-1"))
    assert (first.event_id_reused, alarm.event_id_reused) == (False, True)
    assert (alarm.spoke, alarm.reason, alarm.event_id) == (True, "threat", "smoke-1")
    assert alarm.decision_id != first.decision_id


async def test_a_second_delivery_adds_nothing_to_the_session(harbour: Harbour) -> None:
    event = harbour.event("The ferry is early", salience=GOAL)
    await harbour.executive.submit(event)
    before = await harbour.session()
    await harbour.executive.submit(event)
    assert await harbour.session() == before


async def test_the_same_event_many_times_at_once_is_decided_once(harbour: Harbour) -> None:
    listening = harbour.executive.notices.listen(whole("default"))
    event = harbour.event("write in the log: barge moored", user="amir", role="keeper")
    records = await asyncio.gather(*(harbour.executive.submit(event) for _time in range(10)))
    last = await harbour.happens("The end", source="end", salience={"threat": 1})
    assert {record.decision_id for record in records} == {event.decision_id}
    assert len(await harbour.executive.offers.list("default")) == 1
    said = []
    while last.decision_id not in said:
        notice = await anext(listening)
        if notice.kind == "output":
            said.append(notice.data["decision_id"])
    assert said == [event.decision_id, last.decision_id]


async def test_a_doubled_action_runs_once(harbour: Harbour) -> None:
    event = harbour.event("close lock LK-12", user="amir", role="keeper")
    records = await asyncio.gather(*(harbour.executive.submit(event) for _time in range(5)))
    await harbour.answers(records[0].action_id)
    await harbour.executive.submit(event)
    assert harbour.effects() == ["close_lock LK-12 None"]


async def test_events_of_one_session_are_decided_in_their_order(harbour: Harbour) -> None:
    events = [ferry(harbour, number) for number in range(12)]
    accepted = await harbour.executive.accept_all(events)
    decided = await order_of(
        harbour,
        events,
        asyncio.gather(*(harbour.executive.decide(one.decision_id) for one in accepted)),
    )
    assert decided == [event.event_id for event in events]


async def test_what_was_accepted_before_a_crash_is_decided_in_its_order(open_harbour: OpenHarbour):
    async with open_harbour() as before:
        events = [ferry(before, number) for number in range(12)]
        await before.executive.accept_all(events)
    async with open_harbour() as after:
        decided = await order_of(after, events, after.executive.resume_unfinished())
        assert decided == [event.event_id for event in events]
        assert await after.executive.resume_unfinished() == 0


async def test_every_event_ends_in_one_record(harbour: Harbour) -> None:
    events = [
        harbour.event("Wind 3 knots"),
        harbour.event("The ferry is early", salience=GOAL),
        harbour.event("show lock LK-12", user="amir"),
        harbour.event("close lock LK-12", user="amir", role="keeper"),
        harbour.event("write in the log: fog", user="amir", role="keeper"),
        harbour.event("signal", kind="signal", payload={"busy": "call"}),
        harbour.event("High water", salience=GOAL),
        harbour.event("tick", kind="tick"),
        harbour.event("choice", kind="choice", user="amir"),
    ]
    await harbour.executive.accept_all(events)
    for _time in range(2):
        for event in events:
            await harbour.executive.submit(event)
    recorded = sorted(record.event_id for record in await harbour.records())
    assert recorded == sorted(event.event_id for event in events)


async def test_two_sessions_do_not_know_each_other(harbour: Harbour) -> None:
    await harbour.says("be quiet for 10 minutes", session_id="one")
    silent = await harbour.happens("The ferry is early", salience=GOAL, session_id="one")
    spoken = await harbour.happens("The ferry is early", salience=GOAL, session_id="two")
    assert (silent.reason, spoken.outcome) == ("muted", "spoke")


async def test_two_tenants_do_not_see_each_other(harbour: Harbour) -> None:
    event = harbour.event("close lock LK-12", user="amir", role="keeper", tenant_id="north")
    here = await harbour.executive.submit(event)
    there = await harbour.executive.submit(event.model_copy(update={"tenant_id": "south"}))
    assert here.decision_id != there.decision_id
    assert [one.action_id for one in await harbour.executive.approvals.list("north")] == [
        here.action_id
    ]
    assert await harbour.executive.records.newest("default") == []


async def test_a_caller_that_goes_away_stops_nothing(harbour: Harbour) -> None:
    event = harbour.event("The ferry is early", salience=GOAL)
    caller = asyncio.create_task(harbour.executive.submit(event))
    accepted = await harbour.executive.accept(event)
    await asyncio.sleep(0)
    caller.cancel()
    record: DecisionRecord = await harbour.executive.decide(accepted.decision_id)
    assert record.outcome == "spoke"


async def test_a_burst_is_one_decision_and_every_event_has_its_record(harbour: Harbour) -> None:
    burst = [harbour.event("The ferry is early", salience=GOAL) for _time in range(40)]
    accepted = await harbour.executive.accept_all(burst)
    records = await asyncio.gather(*map(harbour.executive.decide_accepted, accepted))
    (spoke,) = [record for record in records if record.spoke]
    folded = [record for record in records if record is not spoke]
    assert {(one.outcome, one.reason) for one in folded} == {
        ("merged", f"folded_into:{spoke.decision_id}")
    }
    assert all(record.counterfactual for record in records)
    assert len(await harbour.records()) == 40
    (known,) = (await harbour.session()).familiar.values()
    assert known.pace == 40


async def test_what_arrives_in_one_tick_is_decided_alike_in_any_order(open_harbour: OpenHarbour):
    logs = set()
    async with open_harbour() as harbour:
        kinds: tuple[dict[str, float], ...] = (
            {"goal_relevance": 0.9},
            {"threat": 0.9},
            {"opportunity": 0.7, "humor": 0.9},
            {"novelty": 0.3},
        )
        for number, order in enumerate(list(permutations(range(4)))[::5]):
            events = [
                harbour.event(
                    f"Thing {'abcd'[place]}",
                    event_id=f"{number}-{place}",
                    salience=kinds[place],
                    session_id=f"s{number}",
                )
                for place in order
            ]
            accepted = await harbour.executive.accept_all(events)
            records = await asyncio.gather(*map(harbour.executive.decide_accepted, accepted))
            logs.add(
                tuple(
                    sorted(
                        (one.event_id[2:], one.outcome, one.reason, one.relevance, one.threshold)
                        for one in records
                    )
                )
            )
    assert len(logs) == 1
