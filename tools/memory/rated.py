"""What a session makes of a rating: mood, rapport, annoyance, and how used to a pattern it is."""

from typing import Any

from state.event import Event
from state.heuristic import Feedback
from state.session import Familiarity, Session
from state.tuning import HabituationTuning
from tools.heuristics.given import feedback_in
from tools.personality.character import Character
from tools.personality.mood import appraised, mood_now
from tools.personality.rapport import with_feedback

RATED_KEPT = 50
"""Rated twice within these counts once; whoever rates an older one means it."""
ANNOYED_KEPT = 20
"""The newest: they fade, and beyond a few the threshold rises no further."""
_VALUE = {"good": 1.0, "meh": 0.0, "bad": -1.0}


def rated(
    session: Session,
    event: Event,
    now: float,
    habituation: HabituationTuning,
    character: Character,
) -> dict[str, Any]:  # fields of Session
    """Return what a rating changes; the same one again changes nothing, another one replaces it."""
    given = feedback_in(event)
    if given is None:
        return {}
    personality, eager = character.tuning, character.eager(session)
    before = session.rated.get(given.response_id)
    told = f"{given.rating}:{given.attribution or ''}"
    if before == told:
        return {}
    value = _VALUE[given.rating] - _VALUE.get((before or "").partition(":")[0], 0.0)
    kept = {**session.rated, given.response_id: told}
    changed: dict[str, Any] = {"rated": dict(list(kept.items())[-RATED_KEPT:])}
    if value:
        mood = mood_now(session.mood, now, eager, personality)
        changed["mood"] = appraised(mood, value * personality.outcome_reaction, personality)
    if value and event.user is not None and session.person == event.user:
        changed["profile"] = with_feedback(session.profile, value, now, personality)
    is_annoyed = given.rating == "bad" and given.attribution != "wrong_answer"
    if is_annoyed and not _annoys(before):
        changed["annoyed_at"] = (*session.annoyed_at, now)[-ANNOYED_KEPT:]
    elif not is_annoyed and _annoys(before):
        changed["annoyed_at"] = session.annoyed_at[:-1]
    return {**changed, **_used_to(session, given, now, habituation)}


def _annoys(told: str | None) -> bool:
    return told is not None and told.startswith("bad:") and not told.endswith("wrong_answer")


def _used_to(
    session: Session, given: Feedback, now: float, tuning: HabituationTuning
) -> dict[str, Any]:  # fields of Session
    """Keep interest in what was liked, and lose it in what nobody wanted to hear."""
    said = next((one for one in session.spoken if one.response_id == given.response_id), None)
    pattern = said.pattern.partition("|")[2] if said else ""
    known: Familiarity | None = session.familiar.get(pattern)
    if known is None:
        return {}
    if given.rating == "good":
        level = known.level * tuning.engaged_share
    elif given.rating == "bad" and given.attribution == "not_wanted":
        level = tuning.highest
    else:
        return {}
    changed = known.model_copy(update={"level": level, "at": now})
    return {"familiar": {**session.familiar, pattern: changed}}
