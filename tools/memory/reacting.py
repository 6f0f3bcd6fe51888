"""What a session learns of a reaction: annoyance raises the bar, praise keeps interest."""

from typing import Any

from state.session import Session
from state.stages import Gathered
from state.tuning import HabituationTuning, PersonalityTuning
from tools.salience.reactions import reaction

REACTIONS_KEPT = 20
"""The newest: they fade, and a session is written whole with every event."""


def reacted(
    session: Session,
    gathered: Gathered,
    now: float,
    habituation: HabituationTuning,
    personality: PersonalityTuning,
    *,
    may_complain: bool,
) -> dict[str, Any]:  # fields of Session
    """Return what a message changes as a reaction to what was said last.

    Args:
        may_complain: whether annoyance of theirs raises the bar for everybody, and praise lowers it
            again; praise alone is anybody's.
    """
    if gathered.event.kind != "message" or not session.spoken:
        return {}
    last = session.spoken[-1]
    if not 0 <= now - last.at <= personality.answers_within_seconds:
        return {}
    # Said twice it counts once, and the last word counts: replaced, not added (executive.md §1.9).
    before = tuple(at for at in session.annoyed_at if at < last.at)
    match reaction(gathered.event.text):
        case "bad" if may_complain:
            return {"annoyed_at": (*before, now)[-REACTIONS_KEPT:]}
        case "good" if last.praised:
            return {}
        case "good":
            praised = last.model_copy(update={"praised": True})
            spoken = (*session.spoken[:-1], praised)
            changed: dict[str, Any] = {"spoken": spoken}
            if may_complain:
                changed["annoyed_at"] = before
            pattern = last.pattern.partition("|")[2]
            known = session.familiar.get(pattern)
            if known is None:
                return changed
            fresh = known.model_copy(update={"level": known.level * habituation.engaged_share})
            return {**changed, "familiar": {**session.familiar, pattern: fresh}}
        case _:
            return {}
