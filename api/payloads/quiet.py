"""What is asked about quiet over the wire."""

from typing import Self

from pydantic import Field, StrictFloat, StrictInt, model_validator

from api.payloads.sessions import InSession
from state.attention import QuietHours
from state.noun import Name
from state.talk import TalkRequest
from tools.salience.requests import names_a_topic


class QuietWish(InSession):
    """Exactly one of: minutes, quiet_hours, topic; `topic` may have `minutes` too."""

    minutes: StrictInt | StrictFloat | None = Field(
        default=None, gt=0, le=1_440, description="a day at most"
    )
    quiet_hours: QuietHours | None = None
    topic: Name | None = Field(default=None, description="to be left alone")
    threats: bool = Field(default=False, description="of the topic: threats too")

    @model_validator(mode="after")
    def _asks_one_thing(self) -> Self:
        if self.quiet_hours is None and self.minutes is None and self.topic is None:
            raise ValueError("say how long (minutes), which hours (quiet_hours) or which topic")
        if self.quiet_hours is not None and (self.minutes is not None or self.topic is not None):
            raise ValueError("quiet_hours stand alone; ask for the rest in a request of its own")
        if self.quiet_hours is not None and self.quiet_hours.starts == self.quiet_hours.ends:
            raise ValueError("quiet_hours end when they start: give two different times")
        if self.topic is not None and not names_a_topic(self.topic):
            raise ValueError("topic names nothing of its own; give a word that its events have")
        return self

    def request(self) -> TalkRequest:
        """Put it as a person would have said it."""
        seconds = None if self.minutes is None else self.minutes * 60
        if self.topic is not None:
            return TalkRequest(
                kind="suppress",
                topic=self.topic.strip().lower(),
                seconds=seconds,
                threats=self.threats,
            )
        if self.quiet_hours is not None:
            return TalkRequest(kind="quiet_hours", hours=self.quiet_hours)
        return TalkRequest(kind="mute", seconds=seconds)


class QuietEnd(InSession):
    """What is to end: the rule about a topic, the quiet hours, or else the quiet of now."""

    topic: Name | None = None
    quiet_hours: bool = False

    def request(self) -> TalkRequest:
        """Put it as a person would have said it."""
        if self.topic is not None:
            return TalkRequest(kind="forget", topic=self.topic.lower())
        return TalkRequest(kind="no_quiet_hours" if self.quiet_hours else "talk")
