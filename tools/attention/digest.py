"""Keep what was passed over, for a day, for whoever asks what they missed.

Of one matter only the newest state counts: what was told, is well again or is over drops out.
"""

from collections.abc import Iterator, Sequence
from typing import Any

from state.release import DIGEST_LINES
from state.session import PassedOver, Session
from state.stages import Gathered
from tools.attention.alarms import is_over, threat_key
from tools.attention.news import ends_matter
from tools.attention.relevance import LONGEST_QUIET
from tools.platform.text_comparison import shorten

_KEPT = 30
"""The most worth knowing: a session is written whole with every event."""
_CHARACTERS = 200
_LET_GO = ("faded", "hold_expired", "below_threshold", "habituated")
"""Why something that waited for its moment was not told at it."""
_NO_NEWS = ("backfill", "inhibited", "suppressed", "just_said", "threat_told")
"""Why an event was passed over that nobody misses."""


def apply_digest(
    session: Session, gathered: Gathered, now: float, digest_from: float
) -> dict[str, Any]:  # fields of Session
    """Return what a decision changes of what was passed over."""
    if _was_asked(gathered):
        told = {one.decision_id for one in told_of(gathered.session.missed, _waited(gathered))}
        return {"missed": tuple(one for one in session.missed if one.decision_id not in told)}
    new = [] if gathered.arrival.initiative else list(_passed_over(gathered, now, digest_from))
    kept = [one for one in session.missed if _still_counts(one, gathered, now)]
    names = {one.identity for one in new}
    kept = [one for one in kept if one.identity not in names] + new
    if len(kept) > _KEPT:
        best = {one.decision_id for one in _best_first(kept)[:_KEPT]}
        kept = [one for one in kept if one.decision_id in best]
    return {} if kept == list(session.missed) else {"missed": tuple(kept)}


def told_of(missed: Sequence[PassedOver], waited: int) -> Sequence[PassedOver]:
    """Give what is told to who asks, the most worth knowing first, behind so much that waited."""
    return _best_first(missed)[: max(0, DIGEST_LINES - waited)]


def _best_first(missed: Sequence[PassedOver]) -> list[PassedOver]:
    return sorted(missed, key=lambda one: -one.worth)


def _waited(gathered: Gathered) -> int:
    beside = gathered.timing.beside if gathered.timing else ()
    return sum(1 for one in beside if one.ending == "told")


def _was_asked(gathered: Gathered) -> bool:
    policy, delivery = gathered.policy, gathered.delivery
    is_asked = policy is not None and policy.talk is not None and policy.talk.kind == "prompt"
    return is_asked and delivery is not None and delivery.output != "silent"


def _passed_over(gathered: Gathered, now: float, digest_from: float) -> Iterator[PassedOver]:
    event, salience = gathered.event, gathered.salience
    beside = gathered.timing.beside if gathered.timing else ()
    found = [
        (one.decision_id, one.text, one.salience)
        for one in beside
        if one.ending == "passed" and one.reason in _LET_GO
    ]
    if salience is not None and event.kind == "ambient" and not _waits_or_told(gathered):
        found.append((gathered.arrival.decision_id, event.text, salience))
    for decision_id, text, told in found:
        if told.worth >= digest_from and told.suppressed is None and text:
            yield PassedOver(
                decision_id=decision_id,
                at=now,
                source=told.pattern.partition("|")[0],
                sender=event.sender or "",
                identity=threat_key(told.pattern, text),
                text=shorten(text, _CHARACTERS),
                worth=told.worth,
            )


def _waits_or_told(gathered: Gathered) -> bool:
    """Tell whether it was told, is kept for its moment, or tells nothing of now."""
    if gathered.delivery is not None and gathered.delivery.output != "silent":
        return True
    timing, relevance = gathered.timing, gathered.relevance
    if relevance is not None and relevance.reason in _NO_NEWS:
        return True
    return timing is not None and timing.outcome in ("queued", "batched", "deferred")


def _still_counts(one: PassedOver, gathered: Gathered, now: float) -> bool:
    if now - one.at > LONGEST_QUIET.total_seconds():
        return False
    event, salience = gathered.event, gathered.salience
    if (
        salience is None
        or event.is_addressed
        or (
            event.source,
            event.sender or "",
        )
        != (one.source, one.sender)
    ):
        return True
    if threat_key(salience.pattern, event.text) == one.identity:
        return False
    return not (is_over(event, salience.judged) and ends_matter(event.text, one.text))
