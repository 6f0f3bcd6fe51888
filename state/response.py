"""What is said, how, and whether it went out."""

from datetime import datetime
from typing import Literal

from pydantic import Field

from state.noun import Noun

ResponseType = Literal[
    "alert", "question", "suggestion", "observation", "quip", "check_in", "answer", "none"
]
OutputChannel = Literal["speech", "text", "action", "silent"]


class Response(Noun):
    """Words and their kind; answer is a reply to somebody who asked."""

    type: ResponseType
    text: str
    skills_used: tuple[str, ...] = Field(default=(), description="which skills composed it")


class Delivery(Noun):
    """Where the words went."""

    output: OutputChannel
    interrupt: bool = False
    delivered_at: datetime
    reason: str
