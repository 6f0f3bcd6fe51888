"""Session updates by ratings, reactions, ignored messages and habituation to a pattern."""

from typing import Any

from pydantic import ValidationError

from state.event import Event
from state.held import Beside
from state.heuristic import Feedback
from state.session import Familiarity, Session
from state.stages import Gathered
from state.tuning import HabituationTuning, PersonalityTuning
from tools.attention import update_habituation
from tools.nlu import reaction
from tools.response import Character


def feedback_of_signal(event: Event) -> Feedback | None:
    """Read the feedback that a signal carries; None: none, or none of ours."""
    given = event.payload.get("feedback") if event.kind == "signal" else None
    try:
        return None if given is None else Feedback.model_validate(given)
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


SLIGHTS_KEPT = 20
"""The newest: older ones have faded, and a session is written whole with every event."""


def apply_habituation(
    session: Session, gathered: Gathered, now: float, tuning: HabituationTuning
) -> dict[str, Any]:  # fields of Session
    """Return what a decision changes of what is familiar, and of what was ignored."""
    found = [(one.salience, one.relevance) for one in delivered_with(gathered)]
    is_ours = gathered.event.is_addressed or gathered.arrival.initiative is not None
    if gathered.salience is not None and not is_ours:
        strength = gathered.relevance.terms["S"] if gathered.relevance else 0.0
        found.append((gathered.salience, strength))
    if not found:
        return {}
    familiar = dict(session.familiar)
    for salience, strength in found:
        familiar[salience.pattern] = update_habituation(
            familiar.get(salience.pattern),
            salience.vector,
            salience.habituation,
            strength,
            now,
            engaged=False,
            tuning=tuning,
            times=gathered.arrival.repeats if salience is gathered.salience else 1,
        )
    changed: dict[str, Any] = {}
    was_told = gathered.delivery is not None and gathered.delivery.output != "silent"
    if was_told and not is_ours:
        for pattern in {salience.pattern for salience, _ in found}:
            known = familiar[pattern]
            ignored = _ignored(known, session, now, tuning)
            familiar[pattern] = known.model_copy(update={"told_at": now, "ignored": ignored})
            if ignored > known.ignored and ignored % tuning.ignored_in_a_row == 0:
                changed["slighted_at"] = (*session.slighted_at, now)[-SLIGHTS_KEPT:]
    newest = sorted(familiar.items(), key=lambda item: item[1].at)
    return {**changed, "familiar": dict(newest[-tuning.patterns_kept :])}


def delivered_with(gathered: Gathered) -> tuple[Beside, ...]:
    """List what waited and was told with a decision."""
    if gathered.timing is None or gathered.delivery is None:
        return ()
    return tuple(one for one in gathered.timing.beside if one.ending == "told")


def _ignored(known: Familiarity, session: Session, now: float, tuning: HabituationTuning) -> int:
    """Count the tellings of a pattern in a row that somebody who is here did not answer.

    A stream that nobody ever answers is not ignored: there is nobody.
    """
    engaged = session.proactive.engaged_at
    if known.told_at is None or engaged is None or engaged < session.sitting_since:
        return 0
    if now - known.told_at < tuning.ignored_after_seconds:
        return known.ignored
    was_answered = 0 <= engaged - known.told_at <= tuning.ignored_after_seconds
    return 0 if was_answered else known.ignored + 1
