"""Assess an event in a state that a test describes."""

from typing import Any

from nodes.assess_relevance import AssessRelevance
from state.event import Event
from state.judgement import Relevance
from state.personality import Traits
from state.salience import SalienceVector
from state.tuning import Context
from tests.stages import TUNING, session_of, weighed

NEUTRAL = Traits(helpfulness=0.5)
GOAL = SalienceVector(goal_relevance=0.9)
SMOKE = SalienceVector(threat=0.9)


async def assess(
    vector: SalienceVector = GOAL,
    *,
    context: Context = "default",
    event: Event | None = None,
    arrival: dict[str, Any] | None = None,
    salience: dict[str, Any] | None = None,
    **session: Any,
) -> Relevance:
    node = AssessRelevance(TUNING.salience, TUNING.relevance, context)
    state = weighed(
        vector,
        event=event,
        session=session_of(**{"traits": NEUTRAL, **session}),
        arrival=arrival,
        **(salience or {}),
    )
    return (await node(state))["relevance"]
