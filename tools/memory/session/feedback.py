"""What a reaction in words, a rating or feedback on a silence changes in a session."""

from typing import Any

from pydantic import ValidationError

from state.event import Event
from state.heuristic import Feedback, SilenceFeedback
from state.session import Familiarity, Session
from state.stages import Gathered
from state.tuning import HabituationTuning, PersonalityTuning
from tools.nlu.feedback import reaction_in
from tools.response import Character


def feedback_of_signal(event: Event) -> Feedback | None:
    """Read the feedback that a signal carries; None: none, or none of ours."""
    given = event.payload.get("feedback") if event.kind == "signal" else None
    try:
        return None if given is None else Feedback.model_validate(given)
    except ValidationError:
        return None


def silence_feedback_of_signal(event: Event) -> SilenceFeedback | None:
    """Read the feedback on a silence that a signal carries; None: none, or none of ours."""
    given = event.payload.get("silence") if event.kind == "signal" else None
    try:
        return None if given is None else SilenceFeedback.model_validate(given)
    except ValidationError:
        return None


REACTIONS_KEPT = 20
"""The newest: they fade, and a session is written whole with every event."""


def apply_reaction(
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
    reasons = gathered.policy.reasons if gathered.policy is not None else ()
    match reaction_in(gathered.event.text, reasons):
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


RATED_KEPT = 50
"""Rated twice within these counts once; whoever rates an older one means it."""
ANNOYED_KEPT = 20
"""The newest: they fade, and beyond a few the threshold rises no further."""
_VALUE = {"good": 1.0, "meh": 0.0, "bad": -1.0}


def apply_rating(
    session: Session,
    event: Event,
    now: float,
    habituation: HabituationTuning,
    character: Character,
) -> dict[str, Any]:  # fields of Session
    """Return what a rating changes; the same one again changes nothing, another one replaces it."""
    given = feedback_of_signal(event)
    if given is None:
        return {}
    before = session.rated.get(given.response_id)
    told = f"{given.rating}:{given.attribution or ''}"
    if before == told:
        return {}
    value = _VALUE[given.rating] - _VALUE.get((before or "").partition(":")[0], 0.0)
    kept = {**session.rated, given.response_id: told}
    changed: dict[str, Any] = {"rated": dict(list(kept.items())[-RATED_KEPT:])}
    if value:
        changed |= character.rated(session, value, now, by=event.user)
    is_annoyed = given.rating == "bad" and given.attribution != "wrong_answer"
    if is_annoyed and not _annoys(before):
        changed["annoyed_at"] = (*session.annoyed_at, now)[-ANNOYED_KEPT:]
    elif not is_annoyed and _annoys(before):
        changed["annoyed_at"] = session.annoyed_at[:-1]
    return {**changed, **_used_to(session, given, now, habituation)}


def wake_pattern(session: Session, pattern: str) -> Session:
    """Return a session to which events of a familiar pattern are as fresh as the first."""
    known = session.familiar[pattern]
    fresh = known.model_copy(update={"level": 0.0, "gain": 1.0, "ignored": 0})
    return session.model_copy(update={"familiar": {**session.familiar, pattern: fresh}})


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
