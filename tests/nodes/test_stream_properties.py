"""Whole streams through the stages that decide on speech: doubled events, clocks that jump."""

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from itertools import pairwise

from hypothesis import example, given, settings
from hypothesis import strategies as st

from state.personality import Traits
from state.response import Delivery, Response
from state.salience import SalienceVector
from state.session import Session
from state.stages import Assessed, Gathered, Received, Weighed
from state.tuning import Context
from tests.characters import character_of
from tests.kept import PACKS
from tests.nodes.assessing import assessing, choosing, filtering
from tests.stages import SECONDS, TUNING, arrival_of, event_of, session_of
from tools.memory.session.update import SessionUpdate

NEUTRAL = Traits(helpfulness=0.5)
SMOKE = SalienceVector(threat=0.9)


@dataclass(frozen=True)
class Happening:
    """One event of a stream, `at` seconds after its beginning by the clock on the wall."""

    at: float
    vector: SalienceVector
    text: str = "The ferry is early"
    source: str = "buoy"


async def step(session: Session, happening: Happening, context: Context) -> tuple[Session, bool]:
    """Judge one event and return the session after it, and whether it was spoken."""
    now = datetime.fromtimestamp(SECONDS + happening.at, UTC)
    event = event_of(
        happening.text, source=happening.source, salience=happening.vector, occurred_at=now
    )
    received = Received(event=event, arrival=arrival_of(event, received_at=now), session=session)
    salience = (await filtering(context)(received))["salience"]
    gathered = Gathered(**dict(received), salience=salience)
    spoken = False
    if not salience.dull:
        weighed = Weighed(**dict(received), salience=salience)
        relevance = (await assessing(context)(weighed))["relevance"]
        assert relevance is not None
        gathered = gathered.model_copy(update={"relevance": relevance})
        if relevance.verdict in ("alert", "continue"):
            assessed = Assessed(**dict(weighed), relevance=relevance)
            timing = (await choosing(context)(assessed))["timing"]
            assert timing is not None
            spoken = timing.outcome == "immediate"
    if spoken:
        said = {
            "response": Response(type="observation", text=event.text),
            "delivery": Delivery(output="text", delivered_at=now, reason="r"),
        }
        gathered = gathered.model_copy(update=said)
    remembering = SessionUpdate(character_of(NEUTRAL), TUNING.habituation, TUNING.relevance, PACKS)
    return remembering.after(session, gathered), spoken


def play(
    stream: Sequence[Happening], context: Context = "default", sizes: list[int] | None = None
) -> list[bool]:
    """Return for each event whether it was spoken.

    Args:
        sizes: filled with the bytes of the session after each thousandth event.
    """

    async def run() -> list[bool]:
        session = session_of(traits=NEUTRAL)
        spoken = []
        for number, happening in enumerate(stream, start=1):
            session, was_spoken = await step(session, happening, context)
            spoken.append(was_spoken)
            if sizes is not None and number % 1_000 == 0:
                sizes.append(len(session.model_dump_json()))
        assert Session.model_validate(session.model_dump(mode="json")) == session
        return spoken

    return asyncio.run(run())


calm = st.builds(
    SalienceVector,
    goal_relevance=st.floats(0, 1),
    opportunity=st.floats(0, 1),
    novelty=st.floats(0, 1),
    threat=st.floats(0, 0.69),
)
contexts = st.sampled_from(["home", "work", "default"])


@given(calm, st.integers(2, 6), contexts)
@settings(max_examples=40, deadline=None)
def test_the_same_event_many_times_over_is_spoken_no_more_than_once(
    vector: SalienceVector, times: int, context: Context
) -> None:
    once = play([Happening(0, vector)], context)
    assert play([Happening(0, vector)] * times, context) == once + [False] * (times - 1)


@given(st.lists(st.tuples(st.floats(0, 300), calm), max_size=6), contexts)
@settings(max_examples=40, deadline=None)
def test_doubling_a_stream_adds_no_word(gaps: list[tuple[float, SalienceVector]], context: Context):
    stream = [
        Happening(sum(gap for gap, _vector in gaps[: place + 1]), vector)
        for place, (_gap, vector) in enumerate(gaps)
    ]
    doubled = [happening for happening in stream for _time in range(2)]
    assert sum(play(doubled, context)) <= sum(play(stream, context))


jumps = st.floats(-1e6, 1e6)


@given(jumps, st.integers(1, 20))
@example(-3600.0, 10)
@example(86_400.0, 10)
@settings(max_examples=30, deadline=None)
def test_a_clock_that_jumps_makes_at_most_one_word_more(jump: float, when: int) -> None:
    vector = SalienceVector(goal_relevance=0.9)
    steady = [Happening(second, vector) for second in range(30)]
    jumped = [Happening(second + (jump if second >= when else 0), vector) for second in range(30)]
    assert sum(play(jumped)) <= sum(play(steady)) + 1


@given(jumps, st.integers(1, 60))
@example(-3600.0, 10)
@example(-1.0, 10)
@settings(max_examples=20, deadline=None)
def test_a_clock_that_jumps_neither_floods_nor_silences_an_alarm(jump: float, when: int) -> None:
    steady = [Happening(second, SMOKE) for second in range(140)]
    jumped = [Happening(second + (jump if second >= when else 0), SMOKE) for second in range(140)]
    told = [second for second, spoken in enumerate(play(jumped)) if spoken]
    assert len(told) <= sum(play(steady)) + 1
    assert all(later - earlier <= 61 for earlier, later in pairwise(told))
    assert told[-1] >= 140 - 61


def test_a_hundred_sources_at_once_are_not_a_hundred_words() -> None:
    vector = SalienceVector(goal_relevance=0.8)
    stream = [
        Happening(number / 10, vector, text=f"{chr(97 + number % 26) * 9}", source=str(number))
        for number in range(100)
    ]
    assert sum(play(stream)) <= 6


def test_a_source_that_raises_a_new_alarm_ten_times_a_second_does_not_flood() -> None:
    words = ["".join(chr(97 + int(digit)) for digit in str(number)) for number in range(300)]
    stream = [
        Happening(place / 10, SMOKE, text=f"Fault {word}") for place, word in enumerate(words)
    ]
    assert sum(play(stream)) <= 15


def test_two_fires_are_two_alarms() -> None:
    stream = [Happening(0, SMOKE, "Fire in the galley"), Happening(2, SMOKE, "Fire in the hold")]
    assert play(stream) == [True, True]
