"""Goals: declared, moved on, reached, dropped, lapsed; pure, from one list to the next."""

from collections.abc import Callable
from datetime import UTC, datetime, timedelta, tzinfo
from typing import Any
from uuid import NAMESPACE_OID, uuid5

from state.attention import Goal
from state.stages import Gathered
from state.talk import TalkRequest
from tools.salience.goal_words import is_about_goal

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


def settled_goals(goals: tuple[Goal, ...], request: TalkRequest, now: float) -> tuple[Goal, ...]:
    """Note progress, or end what is meant of `request.by`; one that is over stays as it is."""
    match request.kind:
        case "goal_progress":
            update: dict[str, Any] = {"progress": request.value}
        case "goal_reached":
            update = {"standing": "reached", "ended_at": now, "progress": 1.0}
        case _:
            update = {"standing": "dropped", "ended_at": now}
    meant = meant_goals(goals, request.topic)
    return _changed(goals, lambda goal: goal in meant and goal.is_of(request.by), update)


def lived(
    goals: tuple[Goal, ...], gathered: Gathered, now: float, *, near: float
) -> dict[str, Any]:  # fields of Session
    """Return what a decision changes of the goals by the mere passing of time and events.

    Args:
        near: goal match from which an event counts as one about a goal.
    """
    match = gathered.salience.goal_match if gathered.salience else 0.0
    touched = gathered.event.text if match >= near else None
    after = lived_goals(goals, now, touched=touched)
    return {} if after == goals else {"goals": after}


def lived_goals(
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


def meant_goals(goals: tuple[Goal, ...], named: str | None) -> tuple[Goal, ...]:
    """Find the open goals that a name means: an id, words about it, or None for all."""
    return tuple(
        goal
        for goal in goals
        if goal.standing == "open"
        and (named is None or goal.goal_id == named or is_about_goal(goal.text, named))
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
