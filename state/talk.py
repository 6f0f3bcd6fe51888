"""What a person asks about the talking itself."""

from typing import Literal

from pydantic import Field

from state.attention import ClockTime, QuietHours
from state.noun import Noun

TalkKind = Literal[
    "quiet",
    "mute",
    "quiet_hours",
    "no_quiet_hours",
    "talk",
    "prompt",
    "suppress",
    "watch",
    "forget",
    "less",
    "more",
    "goal",
    "no_goal",
    "unclear",
]


class TalkRequest(Noun):
    """Be quiet, talk again, leave that alone, watch for this, what did I miss."""

    kind: TalkKind
    seconds: float | None = Field(default=None, description="for how long")
    until: ClockTime | None = Field(default=None, description="until the clock on the wall says")
    hours: QuietHours | None = None
    topic: str | None = Field(default=None, description="what to leave alone, watch for or reach")
    threats: bool = Field(default=False, description="threats about it are to be left alone too")
