"""The decision strategies (heuristic first, always LLM, hybrid), their factory.

And the assignment of one to a session: by session, by pack, by default or by trial shares.

Source: decision strategy interface spec, Configuration.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from random import Random
from typing import Any

from state.event import Event
from state.policy import Suggestion
from state.result import DecisionPath
from state.strategy import Assigned, DecisionContext, PathChoice, StrategyName
from state.strategy_tuning import StrategyTuning
from tools.platform.experiments import hash_position, pick_by_share
from tools.ports import Catalogue
from tools.response.strategy_base import (
    HEURISTIC,
    BaseStrategy,
    DecisionStrategy,
    StrategyConfig,
    TraceReader,
    is_heuristic_sure,
    model_choice,
    no_model_reason,
)


@dataclass(frozen=True)
class AlwaysLLMConfig(StrategyConfig):
    """What may be set; the threshold counts where no model can be asked."""


class AlwaysLLMStrategy(BaseStrategy[AlwaysLLMConfig]):
    """A model for everything; it is not shown what heuristics say, so that it judges by itself."""

    shows_scores = False

    def __init__(
        self, config: AlwaysLLMConfig | None = None, kept: TraceReader | None = None
    ) -> None:
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
        missing = no_model_reason(context, has_llm=has_llm)
        by_heart = context.suggestion is not None and context.suggestion.locked
        if (missing or by_heart) and is_heuristic_sure(
            context, self._config.confidence_threshold, may_ask=missing is None
        ):
            return HEURISTIC
        return missing or model_choice("always")


@dataclass(frozen=True)
class HeuristicFirstConfig(StrategyConfig):
    """What may be set."""


class HeuristicFirstStrategy(BaseStrategy[HeuristicFirstConfig]):
    """Heuristic first; a model for what no heuristic is sure of."""

    def __init__(
        self, config: HeuristicFirstConfig | None = None, kept: TraceReader | None = None
    ) -> None:
        super().__init__(config or HeuristicFirstConfig(), kept)

    @property
    def name(self) -> StrategyName:
        """Name it as settings and records do."""
        return "heuristic_first"

    def choose(self, context: DecisionContext, *, has_llm: bool) -> PathChoice:
        """Choose the way to the content; nothing is asked or kept."""
        missing = no_model_reason(context, has_llm=has_llm)
        if is_heuristic_sure(context, self._config.confidence_threshold, may_ask=missing is None):
            return HEURISTIC
        return missing or model_choice("no_confident_heuristic")


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


class HybridStrategy(BaseStrategy[HybridConfig]):
    """Sure heuristics speak; unsure ones are shown to a model, shuffled and without scores."""

    shows_scores = False

    def __init__(self, config: HybridConfig | None = None, kept: TraceReader | None = None) -> None:
        super().__init__(config or HybridConfig(), kept)

    @property
    def name(self) -> StrategyName:
        """Name it as settings and records do."""
        return "hybrid"

    def choose(self, context: DecisionContext, *, has_llm: bool) -> PathChoice:
        """Choose the way to the content; nothing is asked or kept."""
        known, config = context.suggestion, self._config
        missing = no_model_reason(context, has_llm=has_llm)
        if (missing or (known and known.locked)) and is_heuristic_sure(
            context, config.confidence_threshold, may_ask=missing is None
        ):
            return HEURISTIC
        if missing:
            return missing
        if context.stake >= config.stake_from:
            return model_choice("high_stake")
        is_open = known is not None and (known.blocked or known.doubted or known.unshared)
        if known and known.confidence >= config.uncertain_to and not is_open:
            return HEURISTIC
        if known and known.confidence >= config.uncertain_from:
            return model_choice("uncertain")
        return PathChoice(path=DecisionPath.REJECTED, reason="below_stake")

    def shown(self, context: DecisionContext) -> tuple[Suggestion, ...]:
        """List what a model is shown: the likeliest few, in an order that tells nothing."""
        chosen = list(context.candidates or ((context.suggestion,) if context.suggestion else ()))
        chosen = chosen[: self._config.most_candidates]
        # The same event is always laid out alike, so that a replay asks the same.
        Random(f"{self._config.seed}\x1f{context.event_id}").shuffle(chosen)  # noqa: S311
        return tuple(chosen)


def create_decision_strategy(
    strategy_type: str,
    *,
    kept: TraceReader | None = None,
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


def _create_all(
    tuning: StrategyTuning, threshold: float, kept: TraceReader | None
) -> tuple[DecisionStrategy, ...]:
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


_TRIAL = "strategy"
_DEFAULT_TENANT = "default"


@dataclass(frozen=True)
class StrategyAssignment:
    """The strategies of a deployment; a session keeps its own as long as the shares stay."""

    made: Mapping[StrategyName, DecisionStrategy]
    tuning: StrategyTuning
    catalogue: Catalogue
    chosen: StrategyName | None = None
    """EXECUTIVE_DECISION_STRATEGY: for all but sessions and packs that policy.toml names."""

    @classmethod
    def of(
        cls,
        tuning: StrategyTuning,
        catalogue: Catalogue,
        chosen: StrategyName | None = None,
        *,
        threshold: float,
        kept: TraceReader | None = None,
    ) -> "StrategyAssignment":
        """Make every strategy as policy.toml has it.

        Args:
            threshold: how sure a heuristic must be.
            kept: reads recorded traces.
        """
        made = _create_all(tuning, threshold, kept)
        return cls({each.name: each for each in made}, tuning, catalogue, chosen)

    def assigned(self, event: Event) -> Assigned:
        """Tell which strategy an event is decided by, and what put it there."""
        if (own := self.tuning.sessions.get(_named(event))) is not None:
            return Assigned(strategy=own, by="session")
        for pack in self._home(event):
            if (own := self.tuning.packs.get(pack)) is not None:
                return Assigned(strategy=own, by="pack")
        if self.chosen is not None:
            return Assigned(strategy=self.chosen, by="settings")
        place = hash_position(_TRIAL, event.tenant_id, event.session_id)
        return Assigned(strategy=pick_by_share(place, self.tuning.shares), by="share")

    def for_event(self, event: Event) -> DecisionStrategy:
        """Find the strategy an event is decided by."""
        return self.made[self.assigned(event).strategy]

    def _home(self, event: Event) -> Sequence[str]:
        """Name the packs it belongs to: where its speaker is understood, else all there are."""
        loaded = [pack.name for pack in self.catalogue.packs]
        home = self.catalogue.at_home(event.roles) if event.roles else frozenset()
        return [name for name in loaded if name in home] or loaded


def _named(event: Event) -> str:
    """Name a session as policy.toml does: with its tenant, but for the default one."""
    of_default = event.tenant_id == _DEFAULT_TENANT
    return event.session_id if of_default else f"{event.tenant_id}/{event.session_id}"
