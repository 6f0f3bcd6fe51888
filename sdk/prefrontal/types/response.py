"""What is said, how, and whether it went out."""

from dataclasses import dataclass, field
from datetime import datetime
from typing import Literal

from pydantic import Field

from prefrontal.types.event import Event
from prefrontal.types.model_use import ModelUse
from prefrontal.types.noun import Noun
from prefrontal.types.personality import Traits

ResponseType = Literal[
    "alert", "question", "suggestion", "observation", "quip", "check_in", "answer", "none"
]
OutputChannel = Literal["speech", "text", "action", "silent"]

MODEL = "model"
"""Name of a model among the skills that spoke."""


class Response(Noun):
    """Words and their kind; answer is a reply to somebody who asked."""

    type: ResponseType
    text: str
    skills_used: tuple[str, ...] = Field(default=(), description="which skills composed it")
    kept_plain: tuple[str, ...] = Field(
        default=(), description="skills whose words lost or added a fact, so they were not taken"
    )
    traits: Traits | None = Field(default=None, description="effective when it was worded")
    models: tuple[ModelUse, ...] = Field(default=(), description="calls of a model for its words")


class Delivery(Noun):
    """Where the words went."""

    output: OutputChannel
    interrupt: bool = False
    delivered_at: datetime
    reason: str
    instead: str | None = Field(
        default=None, description="why it is not where it would go: no_voice, busy, quiet"
    )


@dataclass(frozen=True)
class Wording:
    """Words, who shaped them, and whose words were not taken."""

    text: str
    spoke: tuple[str, ...] = ()
    kept_plain: tuple[str, ...] = ()


@dataclass(frozen=True)
class Intent:
    """What is to be said, before anybody shapes it."""

    event: Event
    kind: ResponseType
    text: str
    traits: Traits
    seed: str = field(default="", metadata={"what": "the decision's id: the same one, same words"})
    stake: str = field(default="", metadata={"what": "what is at stake; empty: add nothing"})
    is_calm: bool = field(default=True, metadata={"what": "no threat, and time for more words"})
    recent: tuple[str, ...] = field(default=(), metadata={"what": "said lately; no line twice"})

    @property
    def is_own_text(self) -> bool:
        """Tell whether the words are the event's: nobody has said yet what it means."""
        return _bare(self.text) == _bare(self.event.text)

    @property
    def names(self) -> tuple[str, ...]:
        """List the things that the event names."""
        return tuple(entity.value for entity in self.event.entities)


def _bare(text: str) -> str:
    return " ".join(text.casefold().split()).rstrip(".!")
