"""When? The timing rules of executive.md §1.4 that are built, one test a reason."""

from datetime import timedelta
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from state.event import Event
from state.judgement import Relevance, Timing, Verdict
from state.personality import Traits
from state.release import BREAKS, urgency_of
from state.salience import SalienceVector
from state.session import Spoken
from state.stages import Assessed
from state.tuning import Context
from tests.nodes.assessing import choosing
from tests.stages import NOW, SECONDS, event_of, session_of, weighed

GOAL = SalienceVector(goal_relevance=0.8)
QUIP = SalienceVector(humor=0.9)
EAGER = Traits(enthusiasm=0.6)


def assessed(
    vector: SalienceVector = GOAL,
    *,
    verdict: Verdict = "continue",
    score: float = 0.6,
    event: Event | None = None,
    released_by: str | None = None,
    **session: Any,
) -> Assessed:
    state = weighed(
        vector,
        event=event,
        session=session_of(**session),
        arrival={"released_by": released_by},
    )
    relevance = Relevance(
        score=score,
        threshold=0.5,
        threat=vector.threat,
        verdict=verdict,
        reason="r",
        counterfactual="c",
        terms={},
    )
    return Assessed(**dict(state), relevance=relevance)


async def time(*arguments: Any, context: Context = "default", **given_as: Any) -> Timing:
    found = (await choosing(context)(assessed(*arguments, **given_as)))["timing"]
    assert found is not None
    return found


async def chosen(*arguments: Any, **given_as: Any) -> tuple[str, str]:
    timing = await time(*arguments, **given_as)
    return timing.outcome, timing.reason


async def test_a_threat_is_told_now_whoever_is_busy() -> None:
    timing = await time(SalienceVector(threat=0.9), verdict="alert", busy="combat")
    assert (timing.outcome, timing.reason, timing.response_type) == ("immediate", "threat", "alert")


async def test_who_asks_is_answered_now() -> None:
    assert await chosen(event=event_of(user="amir"), busy="call") == ("immediate", "asked")


@pytest.mark.parametrize("busy", ["typing", "menu", "combat", "call", "speaking", "focused"])
async def test_who_is_busy_is_told_at_the_break(busy: str) -> None:
    timing = await time(busy=busy)
    assert (timing.outcome, timing.reason) == ("queued", f"busy:{busy}")
    assert timing.release_on == BREAKS


async def test_nobody_busy_means_now() -> None:
    timing = await time()
    assert (timing.outcome, timing.reason) == ("immediate", "nobody_busy")
    assert (timing.release_on, timing.due_at) == ((), None)


@pytest.mark.parametrize(
    ("context", "base"), [("gaming", 15), ("home", 300), ("work", 600), ("default", 300)]
)
@pytest.mark.parametrize("score", [0.5, 1.0])
async def test_a_hold_lives_the_longer_the_more_it_matters(context, base, score) -> None:
    timing = await time(busy="typing", score=score, context=context)
    assert timing.due_at == NOW + timedelta(seconds=base * (0.5 + score))


async def test_a_joke_waits_for_an_opportunity() -> None:
    timing = await time(QUIP)
    assert (timing.outcome, timing.reason, timing.response_type) == (
        "deferred",
        "conversational",
        "quip",
    )
    assert timing.due_at is not None


async def test_a_second_joke_within_two_minutes_is_told_as_nothing_else() -> None:
    quipped = (Spoken(at=SECONDS - 119, text="ha", pattern="quip|buoy"),)
    assert (await time(QUIP, spoken=quipped)).response_type == "quip"  # its channel is silent then


@pytest.mark.parametrize(
    ("traits", "score", "busy", "reason"),
    [
        (EAGER, 0.8, "typing", "eager"),
        (EAGER, 0.79, "typing", "busy:typing"),
        (Traits(enthusiasm=0.59), 0.8, "typing", "busy:typing"),
        (EAGER, 0.8, "combat", "busy:combat"),
        (EAGER, 0.8, "speaking", "busy:speaking"),
        (EAGER, 0.8, "call", "busy:call"),
    ],
)
async def test_the_eager_interrupt_but_never_the_hard_busy(traits, score, busy, reason) -> None:
    assert (await chosen(traits=traits, score=score, busy=busy))[1] == reason


async def test_what_is_urgent_does_not_wait() -> None:
    due = event_of(payload={"deadline_seconds": 30})
    urgent = SalienceVector(goal_relevance=0.9)
    assert await chosen(urgent, event=due, busy="call") == ("immediate", "urgent")
    assert (await chosen(SalienceVector(threat=0.7), busy="call"))[1] == "urgent"
    assert (await chosen(SalienceVector(threat=0.69), busy="call"))[1] == "busy:call"


@pytest.mark.parametrize("signal", BREAKS)
async def test_a_break_lets_it_be_told(signal: str) -> None:
    assert await chosen(released_by=signal, busy="call") == ("immediate", f"break:{signal}")


async def test_at_the_end_of_its_life_only_what_is_urgent_is_told() -> None:
    assert await chosen(released_by="expiry") == ("dropped", "hold_expired")
    late = SalienceVector(threat=0.4)
    assert await chosen(late, released_by="expiry", busy="call") == ("immediate", "told_late")


@pytest.mark.parametrize(
    ("vector", "deadline", "urgency"),
    [
        (SalienceVector(threat=0.6), None, 0.6),
        (SalienceVector(goal_relevance=1.0), None, 0.0),
        (SalienceVector(goal_relevance=1.0), 60, 0.8),
        (SalienceVector(goal_relevance=1.0), -5, 0.8),
        (SalienceVector(goal_relevance=1.0), 360, 0.4),
        (SalienceVector(goal_relevance=0.5), 660, 0.1),
        (SalienceVector(goal_relevance=1.0, threat=0.9), 0, 0.9),
        (SalienceVector(goal_relevance=1.0), 1e308, 0.0),
        (SalienceVector(goal_relevance=1.0), -1e308, 0.8),
    ],
)
def test_urgency_is_threat_or_a_goal_whose_deadline_comes_near(vector, deadline, urgency) -> None:
    assert urgency_of(vector, deadline) == urgency


@pytest.mark.parametrize("odd", [True, "30", None, [30], {"in": 30}])
async def test_a_deadline_that_is_no_number_is_none(odd: Any) -> None:
    timing = await time(
        SalienceVector(goal_relevance=1), event=event_of(payload={"deadline_seconds": odd})
    )
    assert timing.urgency == 0.0


@given(
    vector=st.builds(
        SalienceVector,
        threat=st.floats(0, 1),
        goal_relevance=st.floats(0, 1),
        humor=st.floats(0, 1),
    ),
    busy=st.sampled_from([None, "typing", "combat", "call"]),
    released_by=st.sampled_from([None, "expiry", *BREAKS]),
    score=st.floats(0, 1),
)
async def test_a_hold_has_an_end_and_a_release_is_the_last_word(
    vector: SalienceVector, busy: str | None, released_by: str | None, score: float
) -> None:
    timing = await time(vector, busy=busy, released_by=released_by, score=score)
    held = timing.outcome in ("queued", "deferred")
    assert held == (timing.due_at is not None) == bool(timing.release_on)
    assert not (held and released_by)
