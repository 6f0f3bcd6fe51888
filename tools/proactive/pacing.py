"""How often we may speak unasked: budgets and back-off. Source: executive.md §1.10."""

from state.session import Session
from state.tuning import ProactiveTuning
from tools.clock import HOUR_SECONDS


def hourly_budget(session: Session, tuning: ProactiveTuning) -> float:
    """Tell how many check-ins, observations and mood comments an hour may hear."""
    return tuning.hourly * (0.5 + session.traits.proactive)


def has_budget(session: Session, now: float, tuning: ProactiveTuning) -> bool:
    """Tell whether one more fits into the hour before `now`, seconds since 1970."""
    return unasked_lately(session, now) + 1 <= hourly_budget(session, tuning)


def unasked_lately(session: Session, now: float) -> int:
    """Count what the hour before `now`, seconds since 1970, has heard of these."""
    return sum(1 for at in session.proactive.said_at if 0 <= now - at < HOUR_SECONDS)


def ignored_in_a_row(session: Session) -> int:
    """Count the check-ins that nobody answered, the last one included; 0 after any word to us."""
    own = session.proactive
    if own.checked_in_at is None or (own.engaged_at or 0.0) >= own.checked_in_at:
        return 0
    return own.ignored_check_ins + 1


def check_in_wait(session: Session, tuning: ProactiveTuning) -> float:
    """Compute the seconds between the last word and the next check-in, 4 hours at most."""
    doubled = tuning.check_in_seconds * 2.0 ** min(ignored_in_a_row(session), 32)
    return min(tuning.check_in_longest_seconds, doubled)


def may_check_in(session: Session, now: float, tuning: ProactiveTuning) -> bool:
    """Tell whether that wait is over."""
    own = session.proactive
    last = max(own.checked_in_at or 0.0, own.engaged_at or 0.0, session.sitting_since)
    return now - last >= check_in_wait(session, tuning)


def is_settled_in(session: Session, now: float, tuning: ProactiveTuning) -> bool:
    """Tell whether somebody is there and the first minutes of the sitting are over."""
    is_there = session.present and 0 <= now - session.seen_at <= tuning.present_seconds
    return is_there and now - session.sitting_since >= tuning.settling_seconds
