"""What a session gets used to, and what people let go by: pattern for pattern."""

from typing import Any

from state.held import Beside
from state.session import Familiarity, Session
from state.stages import Gathered
from state.tuning import HabituationTuning
from tools.salience.familiarity import after_seeing

SLIGHTS_KEPT = 20
"""The newest: older ones have faded, and a session is written whole with every event."""


def seen(
    session: Session, gathered: Gathered, now: float, tuning: HabituationTuning
) -> dict[str, Any]:  # fields of Session
    """Return what a decision changes of what is familiar, and of what was ignored."""
    found = [(one.salience, one.relevance) for one in told_beside(gathered)]
    is_ours = gathered.event.is_addressed or gathered.arrival.initiative is not None
    if gathered.salience is not None and not is_ours:
        strength = gathered.relevance.terms["S"] if gathered.relevance else 0.0
        found.append((gathered.salience, strength))
    if not found:
        return {}
    familiar = dict(session.familiar)
    for salience, strength in found:
        familiar[salience.pattern] = after_seeing(
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


def told_beside(gathered: Gathered) -> tuple[Beside, ...]:
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
