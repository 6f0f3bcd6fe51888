"""Is it quiet by order: a mute for a time, or the quiet hours of the day?"""

from dataclasses import dataclass
from datetime import UTC, datetime, timedelta, tzinfo
from typing import Literal

from state.attention import QuietHours
from state.session import Session

LONGEST_QUIET = timedelta(hours=24)
"""Nothing is kept for longer: a mute without an end would keep it for ever."""
SKEW_SECONDS = 60.0
"""A time this far ahead is no mere unevenness of the clock."""


@dataclass(frozen=True)
class Quiet:
    """Why nothing is said, and until when."""

    reason: Literal["muted", "quiet_hours"]
    until: datetime


def quiet_now(
    session: Session, now: datetime, *, zone: tzinfo = UTC, usual: QuietHours | None = None
) -> Quiet | None:
    """Find the quiet that holds now, the longer one of two; None: we may speak.

    Args:
        zone: of the clock on the wall that quiet hours are meant by.
        usual: quiet hours of the deployment, where the session has none of its own.
    """
    found: list[Quiet] = []
    if session.muted_until is not None:
        # As a time that a clock can show: what waits for the end of the mute is due then.
        muted = datetime.fromtimestamp(session.muted_until, UTC)
        # Asked for at a time that is still to come: the clock was set back, and a mute of twenty
        # minutes would last for as long as it was wrong.
        was_ahead = (session.muted_from or 0.0) > now.timestamp() + SKEW_SECONDS
        if now < muted and not was_ahead:
            found.append(Quiet("muted", muted))
    hours = session.quiet_hours or usual
    until = hours.until(now, zone) if hours else None
    if until is not None and until > now:
        found.append(Quiet("quiet_hours", until))
    return max(found, key=lambda quiet: quiet.until, default=None)
