"""What a person asks about the talking itself."""

from typing import Literal

from pydantic import Field

from state.noun import Noun

TalkKind = Literal["quiet", "mute", "talk", "suppress", "watch", "less", "more"]


class TalkRequest(Noun):
    """Be quiet, talk again, leave that alone, watch for this."""

    kind: TalkKind
    seconds: float | None = Field(default=None, description="for how long to be mute")
    topic: str | None = Field(default=None, description="what to leave alone or watch for")
