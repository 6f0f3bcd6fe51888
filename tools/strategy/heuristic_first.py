"""Use the heuristic if it is confident, else a model. Source: decision strategy interface spec."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from state.strategy import DecisionContext, PathChoice, StrategyName
from tools.strategy.answering import prediction_prompt, system_prompt
from tools.strategy.deciding import HEURISTIC, Deciding, Kept, asks, fires_alone, without_model


@dataclass(frozen=True)
class HeuristicFirstConfig:
    """What may be set; the prompts are the Markdown files beside answering.py."""

    confidence_threshold: float = 0.7
    system_prompt: str = field(default_factory=system_prompt)
    prediction_prompt_template: str = field(default_factory=prediction_prompt)


class HeuristicFirstStrategy(Deciding):
    """Heuristic first; a model for what no heuristic is sure of."""

    def __init__(
        self, config: HeuristicFirstConfig | None = None, kept: Kept | None = None
    ) -> None:
        self._config = config or HeuristicFirstConfig()
        instructions = f"{self._config.system_prompt}\n{self._config.prediction_prompt_template}"
        super().__init__(instructions, kept)

    @property
    def name(self) -> StrategyName:
        """Name it as settings and records do."""
        return "heuristic_first"

    @property
    def config(self) -> Mapping[str, Any]:  # numbers and texts
        """Return configuration for logging."""
        return {
            "strategy": self.name,
            "confidence_threshold": self._config.confidence_threshold,
            "prompt_hash": self.prompt_hash,
        }

    def choose(self, context: DecisionContext, *, has_llm: bool) -> PathChoice:
        """Choose the way to the content; nothing is asked or kept."""
        missing = without_model(context, has_llm=has_llm)
        if fires_alone(context, self._config.confidence_threshold, may_ask=missing is None):
            return HEURISTIC
        return missing or asks("no_confident_heuristic")
