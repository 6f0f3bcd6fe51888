"""Is an action that may be meant worth a word?"""

from state.event import Event
from state.execution import ExecutionTuning
from state.policy import ASKS_NOTHING, Candidate, Mood
from tools.policy.telling import only_tells
from tools.ports import Catalogue


def is_worth_it(
    meant: Candidate,
    mood: Mood,
    event: Event,
    catalogue: Catalogue,
    *,
    tuning: ExecutionTuning,
) -> bool:
    """Tell whether to name or offer an action.

    What only tells how things are changes nothing. What is no command or request at most reads,
    what asks for nothing reads only when it is clear, and what is refused is not done at all.
    Somebody who may not do it is told so only when it is clear that they asked.
    """
    clear = meant.confidence >= tuning.ask_confidence
    action = catalogue.actions[meant.action]
    reads = action.floor == "A"
    if not reads and mood not in ("command", "request") and only_tells(event.text, action):
        return False
    if mood == "negated" or (not reads and (mood == "question" or mood in ASKS_NOTHING)):
        return False
    if mood in ASKS_NOTHING and not clear:
        return False
    return meant.confidence >= tuning.offer_confidence and (
        clear or catalogue.may_ask(meant.action, event.roles)
    )
