"""What goes out by voice: one utterance after the other, and how that stands."""

from dataclasses import dataclass
from datetime import datetime
from typing import Literal

from pydantic import Field

from state.noun import Noun
from state.response import OutputChannel

EngineName = Literal["piper", "espeak-ng"]


class Utterance(Noun):
    """Words for the voice; that they were decided on, their decision says."""

    decision_id: str
    tenant_id: str
    session_id: str
    text: str
    urgent: bool = Field(default=False, description="may cut off what is not")
    speed: float = Field(default=1.0, gt=0.2, lt=5, description="1 is as the engine speaks")


class OutputState(Noun):
    """How the outputs stand: what is spoken, what is queued, and what is out of order."""

    engine: str | None = Field(
        default=None, description="piper or espeak-ng; null: everything is text"
    )
    is_ready: bool
    problem: str | None = Field(default=None, description="why it does not speak")
    speaking: Utterance | None = None
    since: datetime | None = None
    queue: tuple[Utterance, ...] = ()


@dataclass(frozen=True)
class DeliveryContext:
    """What the choice hangs on beside the kind of words."""

    has_voice: bool
    is_busy: bool = False
    is_quiet: bool = False
    quipped_lately: bool = False


@dataclass(frozen=True)
class ChosenChannel:
    """The channel; `instead` says why it is not the preferred one."""

    output: OutputChannel
    interrupt: bool = False
    instead: str | None = None
