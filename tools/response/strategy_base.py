"""The protocol of decision strategies, their context, and what all strategies share.

Heuristic replies, model calls and reasoning traces.

The graph's conditional edge calls `choose`, its nodes call `by_heuristic` and `by_llm`.
Source: decision strategy interface spec, Protocol.
"""

import time
from abc import ABC, abstractmethod
from collections import OrderedDict
from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass, field
from typing import Any, Generic, Protocol, TypeVar

from state.policy import Suggestion
from state.result import DecisionPath, DecisionResult, response_id_of
from state.salience import DIMENSIONS
from state.stages import Decided
from state.strategy import DecisionContext, PathChoice, ReasoningTrace, StrategyName
from tools.adapters import ChatModel
from tools.adapters.chat_model import OnText, instructions_hash
from tools.response.llm_answer import ask_model, prediction_prompt, system_prompt


def context_of(state: Decided, actions: Mapping[str, str] | None = None) -> DecisionContext:
    """Sum a decision up for a strategy.

    Args:
        actions: what a model may propose, name by name, as it is listed.
    """
    event, vector = state.event, state.salience.vector
    return DecisionContext(
        event_id=event.event_id,
        event_text=event.text,
        event_source=event.source,
        salience={name: getattr(vector, name) for name in DIMENSIONS},
        suggestion=state.policy.suggestion,
        immediate=state.timing.outcome == "immediate",
        decision_id=state.arrival.decision_id,
        addressed=event.is_addressed,
        candidates=state.policy.candidates,
        urgency=state.timing.urgency,
        is_alert=state.relevance.verdict == "alert",
        actions=actions or {},
    )


class DecisionStrategy(Protocol):
    """Interface for event decision logic."""

    @property
    def name(self) -> StrategyName:
        """Name it as settings and records do."""
        ...

    @property
    def config(self) -> Mapping[str, Any]:  # numbers and texts
        """Return configuration for logging."""
        ...

    async def decide(self, context: DecisionContext, llm: ChatModel | None) -> DecisionResult:
        """Decide how to respond to an event."""
        ...

    def get_trace(self, response_id: str) -> ReasoningTrace | None:
        """Get the reasoning trace of a response, for whoever rates it; it may block.

        Where responses are recorded it is the recorded one, after a restart too, until it is
        forgotten with its decision.
        """
        ...

    def choose(self, context: DecisionContext, *, has_llm: bool) -> PathChoice:
        """Choose the way to the content; nothing is asked or kept."""
        ...

    def by_heuristic(self, context: DecisionContext) -> DecisionResult:
        """Let the suggestion speak."""
        ...

    async def by_llm(
        self, context: DecisionContext, llm: ChatModel, *, told: OnText | None = None
    ) -> DecisionResult:
        """Ask a model; `told` hears the beginning of its words as they come."""
        ...


TRACES_KEPT = 1_000
"""The newest ones, of a strategy by itself; in a deployment the store keeps them."""
TraceReader = Callable[[str], ReasoningTrace | None]
"""Reads the trace of a response where responses are recorded, and forgotten when it is time."""


@dataclass(frozen=True)
class StrategyConfig:
    """What may be set of every strategy; the prompts are Markdown files beside this one."""

    confidence_threshold: float = 0.7
    """From here on a heuristic may answer alone."""
    system_prompt: str = field(default_factory=system_prompt)
    prediction_prompt_template: str = field(default_factory=prediction_prompt)
    model_most_sure: float = 0.8
    """A model's word on itself counts for no more."""


Config = TypeVar("Config", bound=StrategyConfig)
_PROMPTS = ("system_prompt", "prediction_prompt_template")


class BaseStrategy(ABC, Generic[Config]):
    """A strategy but for its choice; `DecisionStrategy` says what each method means."""

    shows_scores = True
    """Whether a model is told how sure the heuristics are that it is shown."""

    def __init__(self, config: Config, kept: TraceReader | None = None) -> None:
        self._config = config
        self._instructions = f"{config.system_prompt}\n{config.prediction_prompt_template}"
        self._kept = kept
        self._traces: OrderedDict[str, ReasoningTrace] = OrderedDict()

    @property
    @abstractmethod
    def name(self) -> StrategyName:
        """Name it as settings and records do."""

    @property
    def config(self) -> Mapping[str, Any]:  # numbers and texts
        """Return configuration for logging; of the prompts the hash says which they are."""
        told = {name: each for name, each in asdict(self._config).items() if name not in _PROMPTS}
        return {"strategy": self.name, **told, "prompt_hash": self.prompt_hash}

    @abstractmethod
    def choose(self, context: DecisionContext, *, has_llm: bool) -> PathChoice:
        """Choose the way to the content; nothing is asked or kept."""

    async def decide(self, context: DecisionContext, llm: ChatModel | None) -> DecisionResult:
        """Decide how to respond to an event."""
        chosen = self.choose(context, has_llm=llm is not None)
        if chosen.path is DecisionPath.HEURISTIC:
            return self.by_heuristic(context)
        if chosen.path is DecisionPath.LLM and llm is not None:
            return await self.by_llm(context, llm)
        return DecisionResult(
            path=DecisionPath.REJECTED,
            strategy=self.name,
            metadata={"reason": chosen.reason},
        )

    def by_heuristic(self, context: DecisionContext) -> DecisionResult:
        """Let the suggestion speak.

        Raises:
            ValueError: there is none.
        """
        known = context.suggestion
        if known is None:
            raise ValueError("no heuristic fits this event; ask choose() first")
        result = DecisionResult(
            path=DecisionPath.HEURISTIC,
            response_text=known.suggested_action,
            response_id=response_id_of(context.decision_id or context.event_id),
            matched_heuristic_id=known.heuristic_id,
            predicted_success=known.confidence,
            prediction_confidence=known.confidence,
            action=known.action,
            confidence=known.confidence,
            tainted=known.learned,
            strategy=self.name,
            metadata={"reason": "confident"},
        )
        self._keep(context, result)
        return result

    async def by_llm(
        self, context: DecisionContext, llm: ChatModel, *, told: OnText | None = None
    ) -> DecisionResult:
        """Ask a model; `told` hears the beginning of its words as they come."""
        result = await ask_model(
            context,
            llm,
            instructions=self._instructions,
            shown=self.shown(context),
            scored=self.shows_scores,
            most_sure=self._config.model_most_sure,
            told=told,
        )
        result = result.model_copy(update={"strategy": self.name})
        if result.path is DecisionPath.LLM:
            self._keep(context, result)
        return result

    def shown(self, context: DecisionContext) -> tuple[Suggestion, ...]:
        """List what a model is shown of the heuristics."""
        return (context.suggestion,) if context.suggestion else ()

    def get_trace(self, response_id: str) -> ReasoningTrace | None:
        """Get the reasoning trace of a response, for whoever rates it; it may block."""
        return self._kept(response_id) if self._kept else self._traces.get(response_id)

    def _keep(self, context: DecisionContext, result: DecisionResult) -> None:
        if self._kept is not None:
            return
        self._traces[result.response_id] = ReasoningTrace(
            response_id=result.response_id,
            timestamp=time.time(),
            event_id=context.event_id,
            context_text=context.event_text,
            response=result.response_text,
            matched_heuristic_id=result.matched_heuristic_id,
            predicted_success=result.predicted_success,
            prediction_confidence=result.prediction_confidence,
            path=result.path,
            strategy=self.name,
            decision_id=context.decision_id,
            event_source=context.event_source,
            action=result.action,
        )
        while len(self._traces) > TRACES_KEPT:
            self._traces.popitem(last=False)

    @property
    def prompt_hash(self) -> str:
        """Name the version of the instructions, as records do."""
        return instructions_hash(self._instructions)


def no_model_reason(context: DecisionContext, *, has_llm: bool) -> PathChoice | None:
    """Say why no model can be asked about it; None: one can."""
    if not has_llm:
        return PathChoice(path=DecisionPath.REJECTED, reason="llm_unavailable")
    if not context.immediate:
        return PathChoice(path=DecisionPath.REJECTED, reason="not_immediate")
    if context.is_alert:  # words that come late are worse than the event's own
        return PathChoice(path=DecisionPath.REJECTED, reason="alert_waits_for_no_model")
    return None


HEURISTIC = PathChoice(path=DecisionPath.HEURISTIC, reason="confident")


def is_heuristic_sure(context: DecisionContext, threshold: float, *, may_ask: bool) -> bool:
    """Tell whether the best heuristic may speak without a model.

    What was called wrong last is left to a model, where one may be asked.
    The more urgent it is, the lower the bar: by .20 at the most, in [.50, .90] (a bar that was
    set outside of these stays). Source: executive.md §1.9, theta_h.
    """
    known = context.suggestion
    if known is None or known.blocked or known.unshared or (known.doubted and may_ask):
        return False
    lowered = threshold - 0.2 * max(0.0, context.urgency - 0.5) * 2
    return known.confidence >= min(max(lowered, min(0.5, threshold)), max(0.9, threshold))


def model_choice(reason: str) -> PathChoice:
    """Choose the model, for a reason."""
    return PathChoice(path=DecisionPath.LLM, reason=reason)
