"""Ask a model whenever there is one; what a pack knows by heart is said at once all the same."""

from dataclasses import dataclass

from state.policy import Suggestion
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
class AlwaysLLMConfig(StrategyConfig):
    """What may be set; the threshold counts where no model can be asked."""


class AlwaysLLMStrategy(Deciding[AlwaysLLMConfig]):
    """A model for everything; it is not shown what heuristics say, so that it judges by itself."""

    shows_scores = False

    def __init__(self, config: AlwaysLLMConfig | None = None, kept: Kept | None = None) -> None:
        super().__init__(config or AlwaysLLMConfig(), kept)

    @property
    def name(self) -> StrategyName:
        """Name it as settings and records do."""
        return "always_llm"

    def shown(self, context: DecisionContext) -> tuple[Suggestion, ...]:
        """List what a model is shown of the heuristics: nothing."""
        return ()

    def choose(self, context: DecisionContext, *, has_llm: bool) -> PathChoice:
        """Choose the way to the content; nothing is asked or kept."""
        missing = without_model(context, has_llm=has_llm)
        by_heart = context.suggestion is not None and context.suggestion.locked
        if (missing or by_heart) and fires_alone(
            context, self._config.confidence_threshold, may_ask=missing is None
        ):
            return HEURISTIC
        return missing or asks("always")
