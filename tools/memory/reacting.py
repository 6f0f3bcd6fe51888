"""What a session learns of a reaction: annoyance raises the bar, praise keeps interest."""

from typing import Any

from state.session import Session
from state.stages import Gathered
from state.tuning import HabituationTuning, PersonalityTuning
from tools.salience.reactions import reaction

REACTIONS_KEPT = 20


def reacted(
    session: Session,
    gathered: Gathered,
    now: float,
    habituation: HabituationTuning,
    personality: PersonalityTuning,
) -> dict[str, Any]:  # fields of Session
    """Return what a message changes as a reaction to what was said last."""
    if gathered.event.kind != "message" or not session.spoken:
        return {}
    last = session.spoken[-1]
    if not 0 <= now - last.at <= personality.answers_within_seconds:
        return {}
    match reaction(gathered.event.text):
        case "bad":
            return {"annoyed_at": (*session.annoyed_at, now)[-REACTIONS_KEPT:]}
        case "good":
            pattern = last.pattern.partition("|")[2]
            known = session.familiar.get(pattern)
            if known is None:
                return {}
            fresh = known.model_copy(update={"level": known.level * habituation.engaged_share})
            return {"familiar": {**session.familiar, pattern: fresh}}
        case None:
            return {}
