"""What a session learns of a reaction: annoyance raises the bar, praise keeps interest."""

from typing import Any

from state.session import Session
from state.stages import Gathered
from tools.salience.reactions import ANSWERS_WITHIN_SECONDS, reaction

REACTIONS_KEPT = 20
ENGAGED = 0.3
"""Share of habituation that a pattern keeps when somebody engages. Source: executive.md §1.8."""


def reacted(session: Session, gathered: Gathered, now: float) -> dict[str, Any]:
    """Return what a message changes as a reaction to what was said last."""
    if gathered.event.kind != "message" or not session.spoken:
        return {}
    last = session.spoken[-1]
    if not 0 <= now - last.at <= ANSWERS_WITHIN_SECONDS:
        return {}
    match reaction(gathered.event.text):
        case "bad":
            return {"annoyed_at": (*session.annoyed_at, now)[-REACTIONS_KEPT:]}
        case "good":
            pattern = last.pattern.partition("|")[2]
            known = session.familiar.get(pattern)
            if known is None:
                return {}
            fresh = known.model_copy(update={"level": known.level * ENGAGED})
            return {"familiar": {**session.familiar, pattern: fresh}}
        case None:
            return {}
