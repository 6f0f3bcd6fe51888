"""What is said, how, and whether it went out."""

from datetime import datetime
from typing import Literal

from pydantic import Field

from state.model_use import ModelUse
from state.noun import Noun
from state.personality import Traits

ResponseType = Literal[
    "alert", "question", "suggestion", "observation", "quip", "check_in", "answer", "none"
]
OutputChannel = Literal["speech", "text", "action", "silent"]


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
