"""What one call of a model took."""

from collections.abc import Mapping
from typing import Any, Literal

from pydantic import Field

from prefrontal.types.noun import Noun

Slot = Literal["fast", "strong"]
CallEnd = Literal["answered", "timeout", "rate_limited", "server_error", "malformed", "resting"]
"""malformed: garbage, half an answer, a refusal, too long; resting: it was not even asked."""


class ModelUse(Noun):
    """One call: which model, with which prompt, how long, and what it costs."""

    slot: Slot = "fast"
    model: str
    prompt_hash: str = Field(description="sha256 of the instructions, the first 16 hex digits")
    end: CallEnd
    seconds: float = Field(ge=0)
    input_tokens: int = Field(default=0, ge=0)
    output_tokens: int = Field(default=0, ge=0)
    cost: float = Field(default=0.0, ge=0, description="in the currency of policy.toml's prices")
    asked_hash: str = Field(
        default="", description="sha256 of all it was asked, 32 hex digits; finds it in a replay"
    )
    answer: Mapping[str, Any] | None = Field(
        default=None, description="what it answered, in the form it was given; secrets covered"
    )
