"""Which kind of response fits: the strongest utility wins. Source: executive.md §1.5."""

import math
from collections.abc import Mapping
from dataclasses import dataclass

from state.personality import Traits
from state.response import ResponseType
from state.salience import SalienceVector
from state.tuning import Context

_CONTEXT: Mapping[Context, Mapping[ResponseType, float]] = {
    "gaming": {"alert": 1.15, "quip": 1.15},
    "work": {"observation": 1.15, "quip": 0.5},
    "home": {},
    "default": {},
}


@dataclass(frozen=True)
class ChosenType:
    """The type that won and what every type scored."""

    type: ResponseType
    utilities: Mapping[str, float]


def choose_response_type(
    vector: SalienceVector,
    traits: Traits,
    *,
    confidence: float,
    context: Context,
    busy: bool,
    quipped_lately: bool,
) -> ChosenType:
    """Weigh the types; ties go to the one listed first.

    Args:
        confidence: p, of the best heuristic or model; 1 or 0 is sure, .5 asks for a question.
    """
    threat = vector.threat
    may_quip = not busy and not quipped_lately
    utilities: dict[ResponseType, float] = {
        "alert": 1.2 * threat * (threat >= 0.5),
        "question": vector.goal_relevance
        * (0.5 + 0.5 * traits.helpfulness)
        * (1 - abs(2 * confidence - 1)),
        "suggestion": math.sqrt(vector.opportunity * vector.actionability)
        * (0.6 + 0.8 * traits.helpfulness)
        * (1 - 0.5 * threat),
        "observation": 0.8 * (0.5 * vector.novelty + 0.5 * vector.goal_relevance),
        "quip": vector.humor * (0.3 + traits.humor) * (1 - threat) ** 2 * may_quip,
    }
    weighted = {
        kind: round(value * _CONTEXT[context].get(kind, 1.0), 4)
        for kind, value in utilities.items()
    }
    winner = max(weighted, key=lambda kind: weighted[kind])
    if weighted[winner] == 0.0:
        winner = "observation"
    return ChosenType(winner, {str(kind): value for kind, value in weighted.items()})
