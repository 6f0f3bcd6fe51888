"""What an event without a vector stands out by: its words, its sender's word, its situation."""

from dataclasses import dataclass
from typing import Any, cast

import pytest

from state.event import Event
from state.salience import SalienceVector
from state.session import ThreatTold
from tests.stages import TUNING, event_of, session_of
from tools.attention.salience import SalienceScorer
from tools.attention.situations import Situation, Situations
from tools.memory.heuristics.matching import PackHeuristics


@dataclass
class AlwaysWanted:
    """A situation in which a word is wanted, whatever it is."""

    def judge(self, text: str, goals: tuple[str, ...]) -> Situation:
        adds = SalienceVector(goal_relevance=1.0, threat=1.0)
        return Situation(wanted=0.8, kind="any", like=text, adds=adds, goal_match=0.0)


SCORER = SalienceScorer(
    PackHeuristics(()), TUNING.salience, situations=cast(Situations, AlwaysWanted())
)


def scored(text: str, **given: Any) -> SalienceVector:
    event: Event = event_of(text, **given)
    return SCORER.score(event, session_of()).vector


@pytest.mark.parametrize("status", ["resolved", "recovered"])
def test_what_its_sender_calls_over_is_no_threat(status: str) -> None:
    assert scored("Fire in hall 2", payload={"status": "firing"}).threat >= 0.8
    assert scored("Fire in hall 2", payload={"status": status}).threat < 0.5
    assert scored("Fire in hall 2", payload={"is_test": True}).threat < 0.5


def test_for_information_is_no_alarm() -> None:
    told = scored("Fire in hall 2", payload={"severity": "info"})
    assert told.threat == TUNING.salience.situation_threat < TUNING.relevance.threat


def test_that_nothing_is_wrong_is_wanted_less() -> None:
    wanted, reassuring = scored("Backup finished"), scored("Backup finished, 0 errors")
    assert reassuring.goal_relevance < 0.5 * wanted.goal_relevance
    assert scored("Backup finished, 3 errors").goal_relevance == wanted.goal_relevance


def test_the_end_of_an_alarm_is_news_where_the_alarm_was_told() -> None:
    event = event_of("The fire is out")
    before = SCORER.score(event, session_of()).vector.goal_relevance
    told = {"hall|fire": ThreatTold(level=0.9, at=1.0, times=1)}
    after = SCORER.score(event, session_of(threats=told)).vector.goal_relevance
    assert before < 0.5 * after
