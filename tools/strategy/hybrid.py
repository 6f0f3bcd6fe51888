"""Heuristics propose; a model is asked only where they are unsure, or where much hangs on it."""

from dataclasses import dataclass
from random import Random

from state.policy import Suggestion
from state.result import DecisionPath
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
class HybridConfig(StrategyConfig):
    """The band of uncertainty, the stake, and how candidates are shown; scores are 0 to 1."""

    uncertain_from: float = 0.35
    """Below it a candidate is no proposal at all."""
    uncertain_to: float = 0.8
    """From here on the best heuristic is sure, and speaks alone."""
    stake_from: float = 0.8
    """Where so much hangs on it a model is asked whatever the heuristics say."""
    most_candidates: int = 3
    seed: int = 6
    """With the event's name it settles the order in which candidates are shown."""


class HybridStrategy(Deciding[HybridConfig]):
    """Sure heuristics speak; unsure ones are shown to a model, shuffled and without scores."""

    shows_scores = False

    def __init__(self, config: HybridConfig | None = None, kept: Kept | None = None) -> None:
        super().__init__(config or HybridConfig(), kept)

    @property
    def name(self) -> StrategyName:
        """Name it as settings and records do."""
        return "hybrid"

    def choose(self, context: DecisionContext, *, has_llm: bool) -> PathChoice:
        """Choose the way to the content; nothing is asked or kept."""
        known, config = context.suggestion, self._config
        missing = without_model(context, has_llm=has_llm)
        if (missing or (known and known.locked)) and fires_alone(
            context, config.confidence_threshold, may_ask=missing is None
        ):
            return HEURISTIC
        if missing:
            return missing
        if context.stake >= config.stake_from:
            return asks("high_stake")
        is_open = known is not None and (known.blocked or known.doubted or known.unshared)
        if known and known.confidence >= config.uncertain_to and not is_open:
            return HEURISTIC
        if known and known.confidence >= config.uncertain_from:
            return asks("uncertain")
        return PathChoice(path=DecisionPath.REJECTED, reason="below_stake")

    def shown(self, context: DecisionContext) -> tuple[Suggestion, ...]:
        """List what a model is shown: the likeliest few, in an order that tells nothing."""
        chosen = list(context.candidates or ((context.suggestion,) if context.suggestion else ()))
        chosen = chosen[: self._config.most_candidates]
        # The same event is always laid out alike, so that a replay asks the same.
        Random(f"{self._config.seed}\x1f{context.event_id}").shuffle(chosen)  # noqa: S311
        return tuple(chosen)
