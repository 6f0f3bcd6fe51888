"""What a session remembers of a request about the talking."""

import re
from datetime import UTC, datetime, timedelta, tzinfo
from typing import Any

from pydantic import ValidationError

from state.attention import ThresholdShift
from state.event import Event
from state.session import Familiarity, Session, TopicRule
from state.talk import TalkRequest
from state.tuning import RelevanceTuning
from tools.memory.goals import declared_goal, settled_goals
from tools.salience.requests import matches_topic, names_a_topic

TOPICS_KEPT = 50
"""The newest; nobody remembers more, and each is compared with every event."""


def asked(
    session: Session,
    request: TalkRequest,
    now: float,
    *,
    tuning: RelevanceTuning,
    zone: tzinfo = UTC,
) -> dict[str, Any]:
    """Return what changes in a session; `now` in seconds since 1970, `zone` of its clock."""
    match request.kind:
        case "suppress" | "watch":
            return {"topics": _ruled(session, request, now)}
        case "forget":
            topic = request.topic or ""
            return {"topics": tuple(one for one in session.topics if not _is_meant(one, topic))}
        case "goal":
            return {"goals": declared_goal(session.goals, request, now, zone)}
        case "goal_progress" | "goal_reached" | "no_goal":
            return {"goals": settled_goals(session.goals, request, now)}
        case "less" | "more":
            step = tuning.talk_step if request.kind == "less" else -tuning.talk_step
            most = tuning.talk_most
            return {"talk_bias": min(most, max(-most, session.talk_bias + step))}
        case "habituate":
            return {"familiar": _got_used(session, request, now, tuning)}
        case "threshold":
            return {"threshold_shift": _shifted(request, now, tuning)}
        case _:
            return _quiet(request, now, zone)


def signalled_request(event: Event) -> TalkRequest | None:
    """Read the request about the talking that a signal carries; None: none, or none of ours."""
    given = event.payload.get("talk") if event.kind == "signal" else None
    if given is None:
        return None
    try:
        request = TalkRequest.model_validate(given)
    except ValidationError:
        return None
    # As in words: a rule about everything is none.
    is_rule = request.kind in ("suppress", "watch")
    return None if is_rule and not names_a_topic(request.topic or "") else request


def _quiet(request: TalkRequest, now: float, zone: tzinfo) -> dict[str, Any]:
    match request.kind:
        case "quiet":
            return {"quiet_asked_at": now}
        case "mute":
            return {"muted_from": now, "muted_until": _end_of_mute(request, now, zone)}
        case "quiet_hours":
            return {"quiet_hours": request.hours}
        case "no_quiet_hours":
            return {"quiet_hours": None}
        case "talk":
            return {"quiet_asked_at": None, "muted_until": None, "muted_from": None}
        case _:  # a question changes nothing
            return {}


def _ruled(session: Session, request: TalkRequest, now: float) -> tuple[TopicRule, ...]:
    topic = request.topic or ""
    others = tuple(rule for rule in session.topics if rule.topic != topic)
    rule = TopicRule(
        topic=topic,
        kind="watch" if request.kind == "watch" else "suppress",
        at=now,
        until=None if request.seconds is None else now + request.seconds,
        threats=request.threats,
        learned=request.learned,
    )
    return (*others, rule)[-TOPICS_KEPT:]


def _got_used(
    session: Session, request: TalkRequest, now: float, tuning: RelevanceTuning
) -> dict[str, Familiarity]:
    """Make the patterns that a topic names as boring as they can be; they wake as ever."""
    level = tuning.bored_by_request if request.value is None else request.value
    return {
        pattern: known.model_copy(update={"level": level, "at": now})
        if request.topic == pattern
        or matches_topic(request.topic or "", re.sub(r"[|+_]", " ", pattern))
        else known
        for pattern, known in session.familiar.items()
    }


def _shifted(request: TalkRequest, now: float, tuning: RelevanceTuning) -> ThresholdShift | None:
    by = tuning.picky_step if request.step is None else request.step
    if by == 0:
        return None
    return ThresholdShift(by=by, until=now + (request.seconds or tuning.picky_seconds))


def _is_meant(rule: TopicRule, topic: str) -> bool:
    return matches_topic(rule.topic, topic) or matches_topic(topic, rule.topic)


def _end_of_mute(request: TalkRequest, now: float, zone: tzinfo) -> float:
    if request.until is None:
        return now + (request.seconds or 0)
    here = datetime.fromtimestamp(now, zone)
    hour, minute = map(int, request.until.split(":"))
    ending = here.replace(hour=hour, minute=minute, second=0, microsecond=0)
    if ending <= here:
        ending += timedelta(days=1)
    return ending.timestamp()
