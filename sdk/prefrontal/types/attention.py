"""What decides on attention for a while: quiet hours, causes that hide what follows from them."""

from datetime import UTC, datetime, time, timedelta, tzinfo
from typing import Annotated, Literal

from pydantic import Field

from prefrontal.types.noun import Name, Noun, Score

ClockTime = Annotated[str, Field(pattern=r"^([01][0-9]|2[0-3]):[0-5][0-9]$")]
"""A time of day, 24 hours: `22:00`."""


class QuietHours(Noun):
    """Hours of every day without talk, by the clock on the wall; they may span midnight."""

    starts: ClockTime
    ends: ClockTime

    def until(self, now: datetime, zone: tzinfo = UTC) -> datetime | None:
        """Tell when the quiet hours that hold at `now` end; None outside of them."""
        here = now.astimezone(zone)
        starts, ends = time.fromisoformat(self.starts), time.fromisoformat(self.ends)
        clock = here.time().replace(tzinfo=None)
        spans_midnight = starts > ends
        inside = clock >= starts or clock < ends if spans_midnight else starts <= clock < ends
        if not inside:
            return None
        ending = here.replace(hour=ends.hour, minute=ends.minute, second=0, microsecond=0)
        if spans_midnight and clock >= starts:
            ending += timedelta(days=1)
        return ending.astimezone(UTC)

    def next_start(self, now: datetime, zone: tzinfo = UTC) -> datetime:
        """Tell when they begin next after `now`."""
        here, starts = now.astimezone(zone), time.fromisoformat(self.starts)
        begins = here.replace(hour=starts.hour, minute=starts.minute, second=0, microsecond=0)
        return (begins if begins > here else begins + timedelta(days=1)).astimezone(UTC)

    def __str__(self) -> str:
        return f"{self.starts} to {self.ends}"


class ThresholdShift(Noun):
    """How much more, or less, an event has to matter for a while."""

    by: float = Field(ge=-1, le=1)
    until: float | None = Field(default=None, description="seconds since 1970; null: for good")


class OpenCause(Noun):
    """Something that was told and explains what follows; it hides that until it is over."""

    rule: Name = Field(description="id of the pack's rule")
    decision_id: str
    text: str
    at: float = Field(description="seconds since 1970")
    until: float = Field(description="seconds since 1970; the latest end")


GoalStanding = Literal["open", "reached", "dropped", "lapsed"]


class Goal(Noun):
    """What the person wants to reach, in their words; while it is open, it makes events matter."""

    text: str
    at: float = Field(description="seconds since 1970")
    goal_id: str = Field(default="", description="empty: written before goals had one")
    by: str | None = Field(default=None, description="who said so")
    standing: GoalStanding = "open"
    progress: Score | None = Field(default=None, description="as it was last said")
    until: float | None = Field(default=None, description="seconds since 1970; then it lapses")
    ended_at: float | None = None
    touched: int = Field(default=0, description="events that were about it")

    def is_of(self, user: str | None) -> bool:
        """Tell whether somebody may speak of it as theirs; what nobody declared is anybody's."""
        return self.by is None or self.by == user
