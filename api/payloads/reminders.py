"""What is asked about reminders over the wire."""

from datetime import datetime, timedelta
from typing import Annotated, Self

from pydantic import Field, StrictFloat, StrictInt, model_validator

from api.payloads.sessions import InSession
from state.event import Instant
from state.initiative import Reminder
from state.noun import CleanText, Noun
from state.talk import LONGEST_SECONDS


class ReminderWish(InSession):
    """What to be reminded of, and either in how long or at which time."""

    text: Annotated[CleanText, Field(min_length=2, max_length=200)]
    in_seconds: StrictInt | StrictFloat | None = Field(default=None, gt=0, le=LONGEST_SECONDS)
    at: Instant | None = Field(default=None, description="ISO 8601, or seconds since 1970")

    @model_validator(mode="after")
    def _says_when(self) -> Self:
        if (self.in_seconds is None) == (self.at is None):
            raise ValueError("say when: either in_seconds or at")
        return self

    def due(self, now: datetime) -> datetime:
        """Tell at which time that is."""
        return self.at or now + timedelta(seconds=self.in_seconds or 0)


class ReminderPage(Noun):
    """What waits in a session, the next first."""

    reminders: tuple[Reminder, ...]
    next_cursor: str | None = Field(default=None, description="null on the last page")
