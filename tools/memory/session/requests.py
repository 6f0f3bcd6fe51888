"""Session updates by control requests (mute, rules, shifts), and goals.

Goals are declared, advanced, reached, dropped or lapse.
"""

import re
from collections.abc import Callable
from datetime import UTC, datetime, timedelta, tzinfo
from typing import Any
from uuid import NAMESPACE_OID, uuid5

from pydantic import ValidationError

from state.attention import Goal, ThresholdShift
from state.event import Event
from state.session import Familiarity, Session, TopicRule
from state.stages import Gathered
from state.talk import TalkRequest
from state.tuning import RelevanceTuning
from tools.nlu import matches_topic
from tools.nlu.control.goals_and_reminders import find_goals, is_about_goal
from tools.nlu.control.requests import names_a_topic

OPEN_KEPT = 5
"""Of one person: everything would matter more if everything were a goal."""
OPEN_IN_ALL = 50
ENDED_KEPT = 10


def declared_goal(
    goals: tuple[Goal, ...], request: TalkRequest, now: float, zone: tzinfo = UTC
) -> tuple[Goal, ...]:
    """Add a goal; the same one again begins anew, and the oldest makes room."""
    text = request.topic or ""
    goal = Goal(
        text=text,
        at=now,
        goal_id=f"goal-{uuid5(NAMESPACE_OID, f'{text}|{now}')}",
        by=request.by,
        until=_end_of(request, now, zone),
    )
    others = tuple(
        one
        for one in goals
        if one.standing != "open"
        or one.text.casefold() != text.casefold()
        or not one.is_of(request.by)
    )
    return _kept((*others, goal))


def update_goals(goals: tuple[Goal, ...], request: TalkRequest, now: float) -> tuple[Goal, ...]:
    """Note progress, or end what is meant of `request.by`; one that is over stays as it is."""
    match request.kind:
        case "goal_progress":
            update: dict[str, Any] = {"progress": request.value}
        case "goal_reached":
            update = {"standing": "reached", "ended_at": now, "progress": 1.0}
        case _:
            update = {"standing": "dropped", "ended_at": now}
    meant = find_goals(goals, request.topic)
    return _changed(goals, lambda goal: goal in meant and goal.is_of(request.by), update)


def age_goals(
    goals: tuple[Goal, ...], gathered: Gathered, now: float, *, near: float
) -> dict[str, Any]:  # fields of Session
    """Return what a decision changes of the goals by the mere passing of time and events.

    Args:
        near: goal match from which an event counts as one about a goal.
    """
    match = gathered.salience.goal_match if gathered.salience else 0.0
    touched = gathered.event.text if match >= near else None
    after = aged_goals(goals, now, touched=touched)
    return {} if after == goals else {"goals": after}


def aged_goals(
    goals: tuple[Goal, ...], now: float, *, touched: str | None = None
) -> tuple[Goal, ...]:
    """Let goals lapse whose time is over, and count an event that was about one.

    Args:
        touched: what happened, when it was near to a goal.
    """
    lapsed = _changed(
        goals,
        lambda goal: goal.until is not None and goal.until <= now,
        {"standing": "lapsed", "ended_at": now},
    )
    if touched is None:
        return lapsed
    return tuple(
        goal.model_copy(update={"touched": goal.touched + 1})
        if goal.standing == "open" and is_about_goal(goal.text, touched)
        else goal
        for goal in lapsed
    )


def _changed(
    goals: tuple[Goal, ...], is_meant: Callable[[Goal], bool], update: dict[str, Any]
) -> tuple[Goal, ...]:
    return tuple(
        goal.model_copy(update=update) if goal.standing == "open" and is_meant(goal) else goal
        for goal in goals
    )


def _kept(goals: tuple[Goal, ...]) -> tuple[Goal, ...]:
    """Keep the newest of each person's: nobody's goal pushes out somebody else's."""
    ended = [goal for goal in goals if goal.standing != "open"][-ENDED_KEPT:]
    still = [goal for goal in goals if goal.standing == "open"]
    newest = [
        goal
        for place, goal in enumerate(still)
        if sum(other.by == goal.by for other in still[place:]) <= OPEN_KEPT
    ]
    return (*ended, *newest[-OPEN_IN_ALL:])


def _end_of(request: TalkRequest, now: float, zone: tzinfo) -> float | None:
    if request.seconds is not None:
        return now + request.seconds
    if request.until is None:
        return None
    here = datetime.fromtimestamp(now, zone)
    hour, minute = map(int, request.until.split(":"))
    end = here.replace(hour=hour, minute=minute, second=0, microsecond=0)
    if request.tomorrow or end <= here:
        end += timedelta(days=1)
    return end.timestamp()


TOPICS_KEPT = 50
"""The newest; nobody remembers more, and each is compared with every event."""


def apply_request(
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
            return {"goals": update_goals(session.goals, request, now)}
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


def request_of_signal(event: Event) -> TalkRequest | None:
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
