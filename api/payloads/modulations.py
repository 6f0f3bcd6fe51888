"""What is asked of attention over the wire, with its examples. Source: spec §10 and §14.2."""

from typing import Any, Self

from pydantic import Field, StrictFloat, StrictInt, model_validator

from api.examples.common import Json
from api.payloads.sessions import InSession
from state.modulation import Modulation, ModulationKind
from state.noun import Name, Noun
from state.personality import Shift
from state.talk import TalkKind, TalkRequest
from tools.salience.requests import LONGEST_SECONDS, names_a_topic

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
WISHES: dict[str, Any] = {
    "watch for": {"value": {"kind": "heighten", "topic": "creepers"}},
    "be pickier": {"value": {"kind": "adjust_threshold", "amount": 0.15, "seconds": 3600}},
}
