"""Use the heuristic if it is confident, else a model. Source: decision strategy interface spec."""

from dataclasses import dataclass

from state.strategy import DecisionContext, PathChoice, StrategyName
from tools.strategy.deciding import (
    HEURISTIC,
    Deciding,
    Kept,
    StrategyConfig,
    asks,
    fires_alone,
    without_model,
)


@dataclass(frozen=True)
class HeuristicFirstConfig(StrategyConfig):
    """What may be set."""


class HeuristicFirstStrategy(Deciding[HeuristicFirstConfig]):
    """Heuristic first; a model for what no heuristic is sure of."""

    def __init__(
        self, config: HeuristicFirstConfig | None = None, kept: Kept | None = None
    ) -> None:
        super().__init__(config or HeuristicFirstConfig(), kept)

    @property
    def name(self) -> StrategyName:
        """Name it as settings and records do."""
        return "heuristic_first"

    def choose(self, context: DecisionContext, *, has_llm: bool) -> PathChoice:
        """Choose the way to the content; nothing is asked or kept."""
        missing = without_model(context, has_llm=has_llm)
        if fires_alone(context, self._config.confidence_threshold, may_ask=missing is None):
            return HEURISTIC
        return missing or asks("no_confident_heuristic")
