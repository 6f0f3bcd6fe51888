"""Request and response types of quiet and modulations, with their examples.

Source: spec §10 and §14.2.
"""

from typing import Any, Self

from pydantic import Field, StrictFloat, StrictInt, model_validator

from api.schemas.common import InSession
from api.schemas.examples import Json
from state.attention import QuietHours
from state.modulation import Modulation, ModulationKind
from state.noun import Name, Noun
from state.personality import Shift
from state.talk import TalkKind, TalkRequest
from tools.nlu.control.requests import LONGEST_SECONDS, names_a_topic

QUIETNESS: Json = {
    "session_id": "engine-room",
    "at": "2026-02-07T14:32:00Z",
    "is_quiet": False,
    "reason": "free",
    "until": None,
    "threshold": 0.56,
    "usual_threshold": 0.56,
    "moves": {"theta0": 0.6, "proactive": -0.04},
    "said_lately": 1,
    "free_utterances": 3.3,
    "quiet_hours": None,
    "topics": [{"topic": "watermaker", "kind": "suppress", "until": None, "threats": False}],
    "goals": [],
    "causes": [],
    "used_to": [{"pattern": "tank_sensor|ambient|", "level": 0.41}],
    "waiting": [],
    "counterfactual": "Announced now: anything with relevance 0.56 or more, "
    "and any threat of 0.8 or more.",
}
MUTED: Json = {
    **QUIETNESS,
    "is_quiet": True,
    "reason": "muted",
    "until": "2026-02-07T14:52:00Z",
    "waiting": [
        {
            "decision_id": "0f3b1c9e-7a55-5c0a-9d0e-51f1a3a7c001",
            "text": "Watermaker salinity high: 520 ppm",
            "why": "deferred",
            "until": "2026-02-07T14:52:00Z",
            "ends_on": ["quiet_ended"],
        }
    ],
    "counterfactual": "Announced now: threats of 0.8 or more. Everything else is kept and "
    "announced at 14:52 UTC, or when you say “you can talk”.",
}
QUIET_REQUESTS: dict[str, Any] = {
    "for a time": {"value": {"session_id": "engine-room", "minutes": 20}},
    "every night": {"value": {"quiet_hours": {"starts": "22:00", "ends": "07:00"}}},
    "a topic": {"value": {"topic": "watermaker", "minutes": 60}},
}


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


_ASKED: dict[ModulationKind, TalkKind] = {
    "suppress": "suppress",
    "heighten": "watch",
    "habituate": "habituate",
    "adjust_threshold": "threshold",
}


class ModulationWish(InSession):
    """A topic to suppress, heighten or get used to, or a shift of the threshold."""

    kind: ModulationKind
    topic: Name | None = None
    amount: Shift | None = Field(default=None, description="of the threshold, .15 by default")
    seconds: StrictInt | StrictFloat | None = Field(default=None, gt=0, le=LONGEST_SECONDS)
    threats: bool = Field(default=False, description="of a suppression: threats too")

    @model_validator(mode="after")
    def _fits(self) -> Self:
        if (self.kind == "adjust_threshold") == (self.topic is not None):
            raise ValueError("a threshold has no topic, everything else needs one")
        if self.topic is not None and not names_a_topic(self.topic):
            raise ValueError("topic names nothing of its own; give a word that its events have")
        if self.amount is not None and self.kind != "adjust_threshold":
            raise ValueError("only a threshold has an amount")
        if self.threats and self.kind != "suppress":
            raise ValueError("only a suppression can include threats")
        return self

    def request(self) -> TalkRequest:
        """Put it as a person would have said it."""
        return TalkRequest(
            kind=_ASKED[self.kind],
            topic=self.topic.strip().lower() if self.topic else None,
            step=self.amount,
            seconds=self.seconds,
            threats=self.threats,
        )


class ModulationPage(Noun):
    """What moves the attention of a session now."""

    modulations: tuple[Modulation, ...]
    next_cursor: str | None = Field(default=None, description="null on the last page")


MODULATION: Json = {
    "modulation_id": "suppress:inventory",
    "kind": "suppress",
    "topic": "inventory",
    "amount": None,
    "until": None,
    "threats": False,
    "origin": "proposed",
}
MODULATION_REQUESTS: dict[str, Any] = {
    "watch for": {"value": {"kind": "heighten", "topic": "creepers"}},
    "be pickier": {"value": {"kind": "adjust_threshold", "amount": 0.15, "seconds": 3600}},
}
