"""Whose turn it is in a session: the gravest first, identical ones as one, nobody for ever."""

import asyncio
from datetime import timedelta
from itertools import permutations
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from state.event import Event
from state.salience import SalienceVector
from tests.stages import NOW, TUNING, event_of
from tools.attention.inbox import Inbox


def inbox() -> Inbox:
    return Inbox(TUNING.salience, TUNING.relevance)


def happening(name: str, *, after: float = 0.0, text: str = "", **fields: Any) -> Event:
    salience = {key: fields.pop(key) for key in list(fields) if key in SalienceVector.model_fields}
    return event_of(
        text or f"text of {name}",
        event_id=name,
        occurred_at=NOW + timedelta(seconds=after),
        salience=SalienceVector(**salience),
        **fields,
    )


async def decided(events: list[Event], *, settles: bool = True) -> list[tuple[str, int]]:
    """Let events that came at once have their turns; each with how many were taken with it."""
    box, order = inbox(), []

    places = [box.enter(event) for event in events]

    async def take(place: Any) -> None:
        async with box.turn(place) as has_turn:
            if has_turn:
                name = place.event.decision_id
                order.append((place.event.event_id, len(box.twins_of(name))))
                await asyncio.sleep(0)
                if settles:
                    box.settle(name)

    await asyncio.gather(*map(take, places))
    assert not box._lines
    assert not box._busy
    assert not box._under_way
    return order


def names(order: list[tuple[str, int]]) -> list[str]:
    return [name for name, _twins in order]


async def test_within_a_second_the_gravest_goes_first_in_whatever_order_they_came() -> None:
    events = [
        happening("dull", novelty=0.1),
        happening("grave", threat=0.6),
        happening("good", opportunity=0.9),
        happening("also good", opportunity=0.9),
    ]
    found = {tuple(names(await decided(list(each)))) for each in permutations(events)}
    assert found == {("grave", "also good", "good", "dull")}


async def test_a_threat_that_is_always_told_passes_earlier_seconds_and_others_do_not() -> None:
    early = happening("early", novelty=0.1)
    late = happening("late", after=5, threat=0.79, novelty=1)
    smoke = happening("smoke", after=9, threat=0.8)
    assert names(await decided([early, late, smoke])) == ["smoke", "early", "late"]


async def test_nothing_passes_what_a_person_says_or_a_signal() -> None:
    for kind in ("message", "signal", "choice", "tick"):
        said = happening("said", kind=kind, user="amir")
        events = [happening("a", novelty=0.1), said, happening("b", threat=0.9)]
        assert names(await decided(events)) == ["a", "said", "b"], kind


async def test_identical_ones_are_taken_as_one_with_the_newest() -> None:
    same = [happening(f"e{n}", after=n, text="Wind 3 knots", novelty=0.3) for n in range(5)]
    other = happening("other", after=2, text="Wind 4 knots", novelty=0.3)
    assert await decided([*same[:3], other, *same[3:]]) == [("e4", 4), ("other", 0)]


async def test_those_that_no_record_was_written_with_are_decided_by_themselves() -> None:
    same = [happening(f"e{n}", text="Wind 3 knots", novelty=0.3) for n in range(3)]
    order = await decided(same, settles=False)
    assert sorted(names(order)) == ["e0", "e1", "e2"]


async def test_a_risen_threat_is_not_taken_with_the_lower_one() -> None:
    same = [happening(f"e{n}", text="Smoke", threat=0.8) for n in range(3)]
    risen = happening("risen", text="Smoke", threat=0.9)
    assert await decided([*same, risen]) == [("risen", 0), ("e2", 2)]


async def test_sessions_do_not_wait_for_each_other_and_one_turn_at_a_time_in_each() -> None:
    box, inside = inbox(), asyncio.Event()
    here, there = happening("here"), happening("there", session_id="other")
    places = [box.enter(here), box.enter(there)]

    async def first() -> None:
        async with box.turn(places[0]):
            await inside.wait()

    async def second() -> None:
        async with box.turn(places[1]):
            inside.set()

    async with asyncio.timeout(60):
        await asyncio.gather(first(), second())


async def test_whoever_went_away_keeps_nobody_waiting() -> None:
    box, leave = inbox(), asyncio.Event()
    places = [box.enter(happening(name)) for name in "abc"]
    order = []

    async def take(place: Any) -> None:
        async with box.turn(place):
            order.append(place.event.event_id)
            await leave.wait()

    tasks = [asyncio.create_task(take(place)) for place in places]
    await asyncio.sleep(0)
    tasks[1].cancel()
    leave.set()
    async with asyncio.timeout(60):
        await asyncio.gather(*tasks, return_exceptions=True)
    assert order == ["a", "c"]


async def test_whoever_goes_away_just_when_they_are_called_gives_the_turn_on() -> None:
    box, leave = inbox(), asyncio.Event()
    first, second, third = (box.enter(happening(name)) for name in "abc")

    async def take(place: Any) -> str:
        async with box.turn(place):
            return str(place.event.event_id)

    async def hold() -> None:
        async with box.turn(first):
            await leave.wait()
        called.cancel()  # before it has woken

    holding, called = asyncio.create_task(hold()), asyncio.create_task(take(second))
    last = asyncio.create_task(take(third))
    await asyncio.sleep(0)
    leave.set()
    async with asyncio.timeout(60):
        await asyncio.gather(holding, called, return_exceptions=True)
        assert await last == "c"
    assert called.cancelled()


arrivals = st.lists(
    st.builds(
        lambda name, threat, novelty, after: happening(
            str(name), threat=threat, novelty=novelty, after=after
        ),
        st.integers(0, 99),
        st.sampled_from([0.0, 0.5, 0.9]),
        st.sampled_from([0.0, 0.5]),
        st.sampled_from([0.0, 0.4, 3.0]),
    ),
    max_size=6,
    unique_by=lambda event: event.event_id,
)


@given(arrivals, st.randoms(use_true_random=False))
@settings(max_examples=60, deadline=None)
def test_in_whatever_order_they_arrive_they_are_decided_in_one(
    events: list[Event], chance: Any
) -> None:
    shuffled = list(events)
    chance.shuffle(shuffled)
    one, other = (asyncio.run(decided(each)) for each in (events, shuffled))
    assert one == other
    assert sum(1 + twins for _name, twins in one) == len(events)
