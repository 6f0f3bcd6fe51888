"""Choose the response type with the strongest utility, and tell whether it is small talk.

Source: executive.md §1.5.
"""

import math
from collections.abc import Mapping
from dataclasses import dataclass

from state.initiative import KEPT, InitiativeKind
from state.personality import Traits
from state.response import ResponseType
from state.salience import SalienceVector
from state.stages import Weighed
from state.tuning import Context, RelevanceTuning

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
) -> ChosenType:
    """Weigh the types; ties go to the one listed first.

    Args:
        confidence: p, of the best heuristic or model; 1 or 0 is sure, .5 asks for a question.
    """
    threat = vector.threat
    utilities: dict[ResponseType, float] = {
        "alert": 1.2 * threat * (threat >= 0.5),
        "question": vector.goal_relevance
        * (0.5 + 0.5 * traits.helpfulness)
        * (1 - abs(2 * confidence - 1)),
        "suggestion": math.sqrt(vector.opportunity * vector.actionability)
        * (0.6 + 0.8 * traits.helpfulness)
        * (1 - 0.5 * threat),
        "observation": 0.8 * (0.5 * vector.novelty + 0.5 * vector.goal_relevance),
        "quip": vector.humor * (0.3 + traits.humor) * (1 - threat) ** 2 * (not busy),
    }
    weighted = {
        kind: round(value * _CONTEXT[context].get(kind, 1.0), 4)
        for kind, value in utilities.items()
    }
    winner = max(weighted, key=lambda kind: weighted[kind])
    if weighted[winner] == 0.0:
        winner = "observation"
    return ChosenType(winner, {str(kind): value for kind, value in weighted.items()})


_OF_OURS: Mapping[InitiativeKind, ResponseType] = {
    "check_in": "check_in",
    "observation": "observation",
    "mood_comment": "check_in",
    "achievement": "observation",
    "reminder": "suggestion",
    "proposal": "question",
    "emitted": "observation",
}
IS_NEWS = 0.5
"""From this goal_relevance or opportunity on an observation is news and no small talk: else each of
them would wait for a break, and where nobody tells of breaks it would never be heard."""


def type_for(state: Weighed, context: Context, tuning: RelevanceTuning) -> ChosenType:
    """Choose the type of response to an event. See choose_response_type.

    A joke shortly after another stays one, and its channel suppresses it: told as an observation
    it would be no less of a joke.
    """
    if (own := state.arrival.initiative) is not None:
        return ChosenType(_OF_OURS[own.kind], {})
    return choose_response_type(
        state.salience.vector,
        state.session.traits,
        confidence=_confidence(state.salience.wanted, tuning),
        context=context,
        busy=state.session.busy is not None,
    )


def _confidence(wanted: float | None, tuning: RelevanceTuning) -> float:
    """Tell how sure it is that a word is wanted: as good as even, it is worth a question.

    Outside the middle of the band in which a model would be asked, nothing is doubtful.
    """
    is_even = wanted is not None and abs(wanted - 0.5) <= tuning.band / 2
    return wanted if is_even and wanted is not None else 1.0


def is_conversational(state: Weighed, context: Context, tuning: RelevanceTuning) -> bool:
    """Tell whether nothing is lost when it is not said."""
    return is_small_talk(type_for(state, context, tuning).type, state)


def is_small_talk(kind: ResponseType, state: Weighed) -> bool:
    """Tell whether a response of this type is talk for its own sake. Source: executive.md §1.4."""
    if state.salience.watched is not None:
        return False
    if (own := state.arrival.initiative) is not None:
        return own.kind not in KEPT
    if kind == "observation":
        vector = state.salience.vector
        news = max(vector.goal_relevance, vector.opportunity, state.salience.goal_match)
        return news < IS_NEWS
    return kind in ("quip", "check_in")


def joked_recently(state: Weighed, seconds: float) -> bool:
    """Tell whether a joke was made within the last seconds."""
    now = state.arrival.received_at.timestamp()
    return any(
        said.pattern.startswith("quip|") and now - said.at < seconds
        for said in state.session.spoken
    )
