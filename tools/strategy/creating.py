"""Make a strategy by its name. Source: decision strategy interface spec, Configuration."""

from typing import Any

from state.strategy_tuning import StrategyTuning
from tools.strategy.always_llm import AlwaysLLMConfig, AlwaysLLMStrategy
from tools.strategy.deciding import Kept
from tools.strategy.heuristic_first import HeuristicFirstConfig, HeuristicFirstStrategy
from tools.strategy.hybrid import HybridConfig, HybridStrategy
from tools.strategy.protocol import DecisionStrategy


def create_decision_strategy(
    strategy_type: str,
    *,
    kept: Kept | None = None,
    **kwargs: Any,  # threshold, or a field of HybridConfig
) -> DecisionStrategy:
    """Make a strategy; `threshold` is the confidence from which a heuristic answers alone.

    Args:
        kept: reads recorded traces; without it a strategy remembers its own for a while.

    Raises:
        ValueError: there is no such strategy.
        TypeError: it has no such field.
    """
    threshold = float(kwargs.pop("threshold", 0.7))
    match strategy_type:
        case "heuristic_first":
            return HeuristicFirstStrategy(HeuristicFirstConfig(threshold, **kwargs), kept)
        case "always_llm":
            return AlwaysLLMStrategy(AlwaysLLMConfig(threshold, **kwargs), kept)
        case "hybrid":
            return HybridStrategy(HybridConfig(threshold, **kwargs), kept)
    raise ValueError(f"Unknown decision strategy: {strategy_type}")


def create_all(
    tuning: StrategyTuning, threshold: float, kept: Kept | None = None
) -> tuple[DecisionStrategy, ...]:
    """Make every strategy as policy.toml has it."""
    common: dict[str, Any] = {  # fields of every strategy's config
        "kept": kept,
        "threshold": threshold,
        "model_most_sure": tuning.model_most_sure,
    }
    return (
        create_decision_strategy("heuristic_first", **common),
        create_decision_strategy("always_llm", **common),
        create_decision_strategy(
            "hybrid",
            **common,
            uncertain_from=tuning.uncertain_from,
            uncertain_to=tuning.uncertain_to,
            stake_from=tuning.stake_from,
            most_candidates=tuning.candidates,
            seed=tuning.seed,
        ),
    )
