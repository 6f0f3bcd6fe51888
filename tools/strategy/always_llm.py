"""Ask a model whenever there is one; what a pack knows by heart is said at once all the same."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from state.policy import Suggestion
from state.strategy import DecisionContext, PathChoice, StrategyName
from tools.strategy.answering import prediction_prompt, system_prompt
from tools.strategy.deciding import HEURISTIC, Deciding, Kept, asks, fires_alone, without_model


@dataclass(frozen=True)
class AlwaysLLMConfig:
    """What may be set; the threshold counts where no model can be asked."""

    confidence_threshold: float = 0.7
    system_prompt: str = field(default_factory=system_prompt)
    prediction_prompt_template: str = field(default_factory=prediction_prompt)


class AlwaysLLMStrategy(Deciding):
    """A model for everything; it is not shown what heuristics say, so that it judges by itself."""

    shows_scores = False

    def __init__(self, config: AlwaysLLMConfig | None = None, kept: Kept | None = None) -> None:
        self._config = config or AlwaysLLMConfig()
        instructions = f"{self._config.system_prompt}\n{self._config.prediction_prompt_template}"
        super().__init__(instructions, kept)

    @property
    def name(self) -> StrategyName:
        """Name it as settings and records do."""
        return "always_llm"

    @property
    def config(self) -> Mapping[str, Any]:  # numbers and texts
        """Return configuration for logging."""
        return {
            "strategy": self.name,
            "confidence_threshold": self._config.confidence_threshold,
            "prompt_hash": self.prompt_hash,
        }

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
