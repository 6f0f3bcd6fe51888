"""The thresholds of strategies, models and learning as typed values; see policy.toml."""

from collections.abc import Mapping

from pydantic import Field

from state.model_use import Slot as ModelSlot
from state.noun import Noun, Score
from state.strategy import StrategyName


class TokenPrice(Noun):
    """What a million tokens of a model cost."""

    input: float = Field(ge=0)
    output: float = Field(ge=0)


class StrategyTuning(Noun):
    """How the content of a decision is found."""

    heuristic_threshold: Score
    shares: Mapping[StrategyName, float] = Field(min_length=1)
    packs: Mapping[str, StrategyName] = Field(default_factory=dict)
    sessions: Mapping[str, StrategyName] = Field(default_factory=dict)
    uncertain_from: Score
    uncertain_to: Score
    stake_from: Score
    candidates: int = Field(ge=1, le=3)
    seed: int
    model_seconds: float = Field(gt=0)
    phrase_seconds: float = Field(gt=0)
    failures_in_a_row: int = Field(ge=1)
    rest_seconds: float = Field(ge=1)
    prices: Mapping[ModelSlot, TokenPrice]
