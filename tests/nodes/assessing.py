"""Assess an event in a state that a test describes."""

from dataclasses import dataclass
from typing import Any

from nodes.assess_relevance import AssessRelevance
from nodes.choose_timing import ChooseTiming
from nodes.filter_salience import FilterSalience
from state.event import Event
from state.held import Held
from state.judgement import Relevance
from state.personality import Traits
from state.salience import SalienceVector
from state.tuning import Context
from tests.characters import character_of
from tests.stages import TUNING, session_of, weighed
from tools.attention.filters import RelevanceFilters
from tools.attention.salience import InhibitionRules, SalienceAssessor, SalienceScorer
from tools.attention.timing import HeldReassessment, TimingPolicy
from tools.memory.heuristics.matching import PackHeuristics

NEUTRAL = Traits(helpfulness=0.5)
GOAL = SalienceVector(goal_relevance=0.9)
SMOKE = SalienceVector(threat=0.9)


def filtering(
    context: Context = "default", causes: InhibitionRules | None = None
) -> FilterSalience:
    """Return the first stage, without a pack."""
    scorer = SalienceScorer(PackHeuristics(()), TUNING.salience)
    weighing = SalienceAssessor(
        scorer, TUNING.salience, TUNING.habituation, context, causes or InhibitionRules()
    )
    return FilterSalience(weighing, character_of(NEUTRAL))


@dataclass
class Waits:
    """What waits, as a test says; the store's own order and choice are tested with the store."""

    held: tuple[Held, ...] = ()

    async def beside(
        self, event: Event, *, group: str, released_by: str | None, now: float
    ) -> tuple[Held, ...]:
        return self.held


def choosing(context: Context = "default", held: tuple[Held, ...] = ()) -> ChooseTiming:
    """Return the third stage, with what waits."""
    weighing = filtering(context).weighing
    gates = RelevanceFilters(TUNING.salience, TUNING.relevance, context)
    rejudging = HeldReassessment(weighing, gates, TUNING.timing)
    return ChooseTiming(TimingPolicy(TUNING.timing, context, rejudging), Waits(held))


def assessing(context: Context = "default") -> AssessRelevance:
    """Return the second stage."""
    return AssessRelevance(RelevanceFilters(TUNING.salience, TUNING.relevance, context))


async def assess(
    vector: SalienceVector = GOAL,
    *,
    context: Context = "default",
    event: Event | None = None,
    arrival: dict[str, Any] | None = None,
    salience: dict[str, Any] | None = None,
    **session: Any,
) -> Relevance:
    state = weighed(
        vector,
        event=event,
        session=session_of(**{"traits": NEUTRAL, **session}),
        arrival=arrival,
        **(salience or {}),
    )
    found = (await assessing(context)(state))["relevance"]
    assert found is not None
    return found
