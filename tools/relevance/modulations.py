"""List what moves a session's attention, and say how each is taken back."""

from datetime import UTC, datetime

from state.errors import NotFound
from state.modulation import Modulation
from state.session import Session
from state.talk import TalkRequest
from state.tuning import HabituationTuning
from tools.salience.familiarity import level_now

THRESHOLD = "threshold"


def modulations_of(
    session: Session, now: float, fade_seconds: float, tuning: HabituationTuning
) -> tuple[Modulation, ...]:
    """List what holds at `now`, seconds since 1970: rules, the threshold, what it is used to."""
    rules = [
        Modulation(
            modulation_id=f"{rule.kind}:{rule.topic}",
            kind="suppress" if rule.kind == "suppress" else "heighten",
            topic=rule.topic,
            until=_instant(rule.until),
            threats=rule.threats,
            origin="proposed" if rule.learned else "asked",
        )
        for rule in session.topics
        if rule.until is None or rule.until > now
    ]
    shift = session.threshold_shift
    if shift is not None and (shift.until is None or shift.until > now):
        rules.append(
            Modulation(
                modulation_id=THRESHOLD,
                kind="adjust_threshold",
                amount=shift.by,
                until=_instant(shift.until),
            )
        )
    for pattern, known in session.familiar.items():
        level = level_now(known, now, fade_seconds)
        if level >= tuning.bored_from:
            rules.append(
                Modulation(
                    modulation_id=f"habituate:{pattern}",
                    kind="habituate",
                    topic=pattern,
                    amount=round(level, 3),
                    origin="implicit",
                )
            )
    return tuple(rules)


def taking_back(modulation_id: str, known: tuple[Modulation, ...]) -> TalkRequest:
    """Say what a person would ask for to take one back.

    Raises:
        NotFound: none of that id holds.
    """
    for one in known:
        if one.modulation_id == modulation_id:
            match one.kind:
                case "suppress" | "heighten":
                    return TalkRequest(kind="forget", topic=one.topic)
                case "adjust_threshold":
                    return TalkRequest(kind="threshold", step=0.0)
                case "habituate":
                    return TalkRequest(kind="habituate", topic=one.topic, value=0.0)
    raise NotFound("modulation", modulation_id)


def _instant(seconds: float | None) -> datetime | None:
    return None if seconds is None else datetime.fromtimestamp(seconds, UTC)
