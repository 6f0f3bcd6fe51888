"""How a decision strategy plugs in. Source: decision strategy interface spec, Protocol.

The graph draws the branch: its conditional edge asks `choose`, its nodes call `by_heuristic` and
`by_llm`. `decide` is the same three in one call, for whoever has no graph.
"""

from collections.abc import Mapping
from typing import Any, Protocol

from state.result import DecisionResult
from state.strategy import DecisionContext, PathChoice, ReasoningTrace, StrategyName
from tools.models.chat import ChatModel
from tools.models.streaming import Told


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
        self, context: DecisionContext, llm: ChatModel, *, told: Told | None = None
    ) -> DecisionResult:
        """Ask a model; `told` hears the beginning of its words as they come."""
        ...
