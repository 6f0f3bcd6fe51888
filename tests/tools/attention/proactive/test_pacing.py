"""How often it speaks unasked: golden rates, budget and back-off of executive.md §1.10."""

from datetime import datetime, timedelta

import pytest

from state.initiative import Proactive
from state.personality import Traits
from state.session import Session
from state.tuning import ProactiveTuning
from tests.stages import NOW, SECONDS, TUNING, session_of
from tools.attention.initiatives import (
    Opportunities,
    ProactiveRules,
    check_in_wait,
    hourly_budget,
    may_check_in,
)

PROACTIVE = TUNING.proactive
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
def test_the_defaults_of_the_spec_alone_would_ask_too_often(
    proactive: float, an_hour: float
) -> None:
    assert check_ins(proactive, 24, UNLIMITED) / 24 == pytest.approx(an_hour, rel=0.1)


@pytest.mark.parametrize(("proactive", "an_hour"), [(0.0, 0), (0.5, 2), (1.0, 3)])
def test_the_budget_cuts_that(proactive: float, an_hour: int) -> None:
    lasting = PROACTIVE.model_copy(update={"present_seconds": 1e9})
    assert check_ins(proactive, 10, lasting) <= 10 * max(an_hour, 1)
    assert hourly_budget(sitting(proactive), PROACTIVE) == 2 * (0.5 + proactive)


def test_each_check_in_that_is_ignored_doubles_the_wait_up_to_four_hours() -> None:
    waits = [
        check_in_wait(
            sitting(checked_in_at=SECONDS, engaged_at=SECONDS - 1, ignored_check_ins=ignored),
            PROACTIVE,
        )
        for ignored in range(8)
    ]
    assert waits == [600, 1200, 2400, 4800, 9600, 14400, 14400, 14400]


def test_a_word_to_us_resets_the_wait() -> None:
    ignored = sitting(checked_in_at=SECONDS - 900, ignored_check_ins=5)
    assert not may_check_in(ignored, SECONDS, PROACTIVE)
    answered = sitting(checked_in_at=SECONDS - 900, ignored_check_ins=5, engaged_at=SECONDS - 300)
    assert check_in_wait(answered, PROACTIVE) == 300
    assert may_check_in(answered, SECONDS, PROACTIVE)


def test_the_same_second_of_a_session_decides_the_same_after_a_restart() -> None:
    asked = [NOW + timedelta(seconds=second) for second in range(2_000)]
    session = sitting(engaged_at=SECONDS - 600)
    once = [Opportunities(RULES, UNLIMITED).find(session, now) for now in asked]
    again = [Opportunities(RULES, UNLIMITED).find(session, now) for now in reversed(asked)]
    assert once == again[::-1]
    assert any(once)
