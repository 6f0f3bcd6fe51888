"""Which response fits an event, and is it talk for its own sake?"""

from collections.abc import Mapping

from state.initiative import KEPT, InitiativeKind
from state.response import ResponseType
from state.stages import Weighed
from state.tuning import Context, RelevanceTuning
from tools.personality.response_type import ChosenType, choose_response_type

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

    Nothing is doubtful about it yet: how sure an answer is shows when it is sought.
    """
    if (own := state.arrival.initiative) is not None:
        return ChosenType(_OF_OURS[own.kind], {})
    return choose_response_type(
        state.salience.vector,
        state.session.traits,
        confidence=1.0,
        context=context,
        busy=state.session.busy is not None,
        quipped_lately=quipped_lately(state, tuning.quip_seconds),
    )


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


def quipped_lately(state: Weighed, seconds: float) -> bool:
    """Tell whether a joke was made within the last seconds."""
    now = state.arrival.received_at.timestamp()
    return any(
        said.pattern.startswith("quip|") and now - said.at < seconds
        for said in state.session.spoken
    )
