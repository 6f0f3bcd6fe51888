"""When something is told: turns in a session, worth, pace."""

import asyncio
from datetime import datetime, timedelta
from itertools import permutations
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from state.event import Event
from state.initiative import Proactive
from state.personality import Traits
from state.release import (
    ReleaseCandidate,
    decayed_relevance,
    group_of,
    next_to_release,
)
from state.salience import SalienceVector
from state.session import Session
from state.talk import TalkRequest
from state.tuning import ProactiveTuning
from tests.kept import WAITED
from tests.stages import NOW, SECONDS, TUNING, event_of, session_of
from tools.attention.inbox import Inbox
from tools.attention.initiatives import (
    Opportunities,
    ProactiveRules,
    check_in_wait,
    hourly_budget,
    may_check_in,
)
from tools.response.template_replies import SHOWN, acknowledgement, batch_text, join_lines

# Whose turn it is in a session: the gravest first, identical ones as one, nobody for ever.


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


async def test_within_a_second_the_gravest_goes_first_in_whatever_order_they_came():
    events = [
        happening("dull", novelty=0.1),
        happening("grave", threat=0.6),
        happening("good", opportunity=0.9),
        happening("also good", opportunity=0.9),
    ]
    found = {tuple(names(await decided(list(each)))) for each in permutations(events)}
    assert found == {("grave", "also good", "good", "dull")}


async def test_a_threat_that_is_always_told_passes_earlier_seconds_and_others_do_not():
    early = happening("early", novelty=0.1)
    late = happening("late", after=5, threat=0.79, novelty=1)
    smoke = happening("smoke", after=9, threat=0.8)
    assert names(await decided([early, late, smoke])) == ["smoke", "early", "late"]


async def test_nothing_passes_what_a_person_says_or_a_signal():
    for kind in ("message", "signal", "choice", "tick"):
        said = happening("said", kind=kind, user="amir")
        events = [happening("a", novelty=0.1), said, happening("b", threat=0.9)]
        assert names(await decided(events)) == ["a", "said", "b"], kind


async def test_identical_ones_are_taken_as_one_with_the_newest():
    same = [happening(f"e{n}", after=n, text="Wind 3 knots", novelty=0.3) for n in range(5)]
    other = happening("other", after=2, text="Wind 4 knots", novelty=0.3)
    assert await decided([*same[:3], other, *same[3:]]) == [("e4", 4), ("other", 0)]


async def test_those_that_no_record_was_written_with_are_decided_by_themselves():
    same = [happening(f"e{n}", text="Wind 3 knots", novelty=0.3) for n in range(3)]
    assert sorted(names(await decided(same, settles=False))) == ["e0", "e1", "e2"]


async def test_a_risen_threat_is_not_taken_with_the_lower_one():
    same = [happening(f"e{n}", text="Smoke", threat=0.8) for n in range(3)]
    risen = happening("risen", text="Smoke", threat=0.9)
    assert await decided([*same, risen]) == [("risen", 0), ("e2", 2)]


async def test_sessions_do_not_wait_for_each_other_and_one_turn_at_a_time_in_each():
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


async def test_whoever_went_away_keeps_nobody_waiting():
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


async def test_whoever_goes_away_just_when_they_are_called_gives_the_turn_on():
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
def test_in_whatever_order_they_arrive_they_are_decided_in_one(events: list[Event], chance: Any):
    shuffled = list(events)
    chance.shuffle(shuffled)
    one, other = (asyncio.run(decided(each)) for each in (events, shuffled))
    assert one == other
    assert sum(1 + twins for _name, twins in one) == len(events)


# The words for several things told at once.

(WAITING,) = WAITED["beside"]
TOLD = WAITING.model_copy(update={"ending": "told"})


def test_what_waits_on_is_not_told():
    assert batch_text("Fog", (WAITING,), after_quiet=False) == "Fog"


def test_others_are_told_below_the_one_that_called_for_it():
    assert batch_text("Fog", (TOLD,), after_quiet=False) == "Fog. Also: The ferry is early"


def test_a_digest_counts_what_it_tells():
    digest = batch_text("Fog", (TOLD,), after_quiet=True)
    assert digest == "While it was quiet, 2 things happened:\n- Fog\n- The ferry is early"
    assert batch_text("Fog", (), after_quiet=True) == "While it was quiet: Fog"


def test_the_same_words_are_told_once_and_many_are_counted():
    assert join_lines(["a", "a", "b  c"]) == "- a\n- b c"
    many = join_lines([str(number) for number in range(SHOWN + 3)])
    assert many.endswith(f"- {SHOWN - 1}\n- and 3 more")


@pytest.mark.parametrize(("threats", "level"), [(False, 0.85), (True, 0.97)])
def test_the_threat_that_gets_through_is_said_as_the_gates_have_it(threats: bool, level: float):
    tuning = TUNING.relevance.model_copy(update={"threat": 0.85, "threat_in_text": 0.97})
    words = acknowledgement(TalkRequest(kind="suppress", topic="fire", threats=threats), tuning)
    assert f"hreats of {level} or more still get through." in words
    assert "0.85" in acknowledgement(TalkRequest(kind="mute", seconds=60), tuning)


# What waits: its worth, its order, its urgency. Source: executive.md §1.4.

scores = st.floats(0, 1)
waits = st.builds(
    ReleaseCandidate,
    decision_id=st.uuids().map(str),
    relevance=scores,
    urgency=scores,
    held_at=st.floats(0, 1_000),
    life_seconds=st.floats(1, 2_000),
)


@pytest.mark.parametrize(
    ("age", "life", "golden"), [(0, 300, 0.8), (150, 300, 0.4), (300, 300, 0.2), (75, 300, 0.5657)]
)
def test_worth_halves_with_half_of_a_life(age: float, life: float, golden: float):
    assert decayed_relevance(0.8, age, life) == pytest.approx(golden, abs=5e-5)


def test_the_order_is_relevance_raised_by_urgency_and_lowered_by_age():
    assert ReleaseCandidate("a", 0.6, 0.5, 0.0, 300.0).worth(150.0) == pytest.approx(0.6 * 1.5 / 2)


@given(st.lists(waits, min_size=1, max_size=8, unique_by=lambda one: one.decision_id))
def test_the_order_of_arrival_does_not_choose(waiting: list[ReleaseCandidate]):
    assert next_to_release(waiting, 1_000.0) == next_to_release(reversed(waiting), 1_000.0)


@given(st.lists(waits, min_size=1, max_size=8, unique_by=lambda one: one.decision_id))
def test_at_the_end_of_their_lives_the_most_urgent_goes_first(waiting: list[ReleaseCandidate]):
    first = next_to_release(waiting, 1_000.0, at_the_end=True)
    assert first.urgency == max(one.urgency for one in waiting)


@given(scores, st.floats(0, 1e6), st.floats(0, 1e6), st.floats(1, 1e4))
def test_waiting_never_adds_worth(relevance: float, age: float, more: float, life: float):
    assert (
        decayed_relevance(relevance, age + more, life)
        <= decayed_relevance(relevance, age, life)
        <= relevance
    )


def test_things_belong_together_by_their_entity_else_by_source_and_kind():
    sluice = event_of(entities=["Sluice"])
    assert group_of(sluice) == group_of(event_of(source="quay", entities=["sluice"]))
    assert group_of(event_of()) == "buoy|ambient"


# How often it speaks unasked: golden rates, budget and back-off of executive.md §1.10.

PROACTIVE = TUNING.proactive.model_copy(update={"check_in_seconds": 300.0})
"""With the wait of the spec; ours is longer."""
UNLIMITED = PROACTIVE.model_copy(update={"hourly": 10_000.0, "present_seconds": 1e9})
RULES = ProactiveRules(check_ins=("Still there?",))


def sitting(proactive: float = 0.5, **own: object) -> Session:
    return session_of(
        traits=Traits(proactive=proactive),
        sitting_since=SECONDS - 3600,
        seen_at=SECONDS,
        proactive=Proactive.model_validate(own),
    )


def check_ins(proactive: float, hours: int, tuning: ProactiveTuning) -> int:
    """Count the check-ins of some hours in which each is answered at once."""
    finding = Opportunities(RULES, tuning)
    said: list[float] = []
    session = sitting(proactive, engaged_at=SECONDS)
    for second in range(hours * 3600):
        now: datetime = NOW + timedelta(seconds=second)
        if finding.find(session, now):
            at = now.timestamp()
            said.append(at)
            session = sitting(proactive, engaged_at=at, checked_in_at=at, said_at=tuple(said[-20:]))
    return len(said)


@pytest.mark.parametrize(("proactive", "an_hour"), [(0.5, 7.2), (1.0, 9.0)])
def test_the_defaults_of_the_spec_alone_would_ask_too_often(proactive: float, an_hour: float):
    assert check_ins(proactive, 24, UNLIMITED) / 24 == pytest.approx(an_hour, rel=0.1)


@pytest.mark.parametrize(("proactive", "an_hour"), [(0.0, 0), (0.5, 2), (1.0, 3)])
def test_the_budget_cuts_that(proactive: float, an_hour: int):
    lasting = PROACTIVE.model_copy(update={"present_seconds": 1e9})
    assert check_ins(proactive, 10, lasting) <= 10 * max(an_hour, 1)
    assert hourly_budget(sitting(proactive), PROACTIVE) == 2 * (0.5 + proactive)


def test_each_check_in_that_is_ignored_doubles_the_wait_up_to_four_hours():
    waits = [
        check_in_wait(
            sitting(checked_in_at=SECONDS, engaged_at=SECONDS - 1, ignored_check_ins=ignored),
            PROACTIVE,
        )
        for ignored in range(8)
    ]
    assert waits == [600, 1200, 2400, 4800, 9600, 14400, 14400, 14400]


def test_a_word_to_us_resets_the_wait():
    ignored = sitting(checked_in_at=SECONDS - 900, ignored_check_ins=5)
    assert not may_check_in(ignored, SECONDS, PROACTIVE)
    answered = sitting(checked_in_at=SECONDS - 900, ignored_check_ins=5, engaged_at=SECONDS - 300)
    assert check_in_wait(answered, PROACTIVE) == 300
    assert may_check_in(answered, SECONDS, PROACTIVE)


def test_the_same_second_of_a_session_decides_the_same_after_a_restart():
    asked = [NOW + timedelta(seconds=second) for second in range(2_000)]
    session = sitting(engaged_at=SECONDS - 600)
    once = [Opportunities(RULES, UNLIMITED).find(session, now) for now in asked]
    again = [Opportunities(RULES, UNLIMITED).find(session, now) for now in reversed(asked)]
    assert once == again[::-1]
    assert any(once)
