"""The thresholds of strategies, models and learning as typed values; see policy.toml."""

from collections.abc import Mapping

from pydantic import Field

from state.heuristic import Sign
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
    # The policy in an older log, and an operator's own that is older, do not say it.
    model_most_sure: Score = 0.8
    model_seconds: float = Field(gt=0)
    phrase_seconds: float = Field(gt=0)
    failures_in_a_row: int = Field(ge=1)
    rest_seconds: float = Field(ge=1)
    prices: Mapping[ModelSlot, TokenPrice]


class LearningTuning(Noun):
    """What feedback is worth, and when a heuristic is one of a kind with an event."""

    prior_for: float = Field(gt=0)
    prior_against: float = Field(gt=0)
    shipped_strength: float = Field(gt=0)
    discount: float = Field(gt=0, le=1)
    weights: Mapping[Sign, float]
    again: float = Field(ge=0)
    without_person: Score
    people: int = Field(default=2, ge=1, le=2)
    alike: float = Field(gt=0, lt=1)
    alike_words: float = Field(gt=0, lt=1)
    undone_seconds: float = Field(gt=0)
    ignored_in_a_row: int = Field(ge=2)
    longest_words: int = Field(ge=1)
    signals_kept: int = Field(ge=10)
