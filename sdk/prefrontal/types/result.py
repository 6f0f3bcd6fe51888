"""The content of a decision and the path that found it."""

from collections.abc import Mapping
from enum import StrEnum
from typing import Any
from uuid import UUID, uuid5

from pydantic import Field

from prefrontal.types.model_use import ModelUse
from prefrontal.types.noun import Noun, Score


class DecisionPath(StrEnum):
    """Which path the decision took. Source: decision strategy interface spec, but for POLICY."""

    POLICY = "policy"
    """Policy decided by itself: a routed action, a click, an answer from our own records."""
    HEURISTIC = "heuristic"
    LLM = "llm"
    FALLBACK = "fallback"
    REJECTED = "rejected"


_RESPONSES = UUID("a3b0e6f2-7d3c-5f0e-8b55-0d9f4c1d7a10")


def response_id_of(decision_id: str) -> str:
    """Name the response of a decision, the same one each time it is made."""
    return str(uuid5(_RESPONSES, decision_id))


class DecisionResult(Noun):
    """What to say or do. Source: decision strategy interface spec, DecisionResult."""

    path: DecisionPath
    response_text: str = ""
    response_id: str = ""
    matched_heuristic_id: str | None = None
    predicted_success: Score = 0.0
    prediction_confidence: Score = 0.0
    prompt_text: str = ""
    action: str | None = Field(default=None, description="the catalogue action to take, if any")
    arguments: Mapping[str, Any] = Field(default_factory=dict)
    confidence: Score = 0.0
    tainted: bool = Field(default=False, description="a model or an untrusted text shaped it")
    told_beside: str = Field(
        default="", description="what is said first, of a wish that stood beside what was asked"
    )
    left_out: str = Field(default="", description="what a search does not follow, as a sentence")
    strategy: str | None = Field(default=None, description="which strategy decides here")
    strategy_by: str | None = Field(
        default=None, description="what put it there: session, pack, settings, share"
    )
    models: tuple[ModelUse, ...] = Field(default=(), description="calls of a model for it")
    metadata: Mapping[str, Any] = Field(default_factory=dict)

    @property
    def reason(self) -> str | None:
        """Tell why it was rejected, or had to do without a model; None: it was not."""
        if self.path in (DecisionPath.REJECTED, DecisionPath.FALLBACK):
            return str(self.metadata.get("reason", "rejected"))
        return None
