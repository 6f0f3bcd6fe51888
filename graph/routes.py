"""Where a decision goes after each stage: pure functions, so that Studio can draw them.

They await nothing and are coroutines all the same: LangGraph sends a plain function to a thread.
"""

from collections.abc import Awaitable, Callable
from typing import Literal

from state.result import DecisionPath
from state.stages import Assessed, Classified, Decided, Received, Settled, Timed, Weighed
from tools.response.strategies import StrategyAssignment
from tools.response.strategy_base import context_of, is_decided_by_policy


async def after_receive(state: Received) -> Literal["filter_salience", "write_record", "__end__"]:
    """End for a duplicate; a signal is only noted; everything else is weighed."""
    if state.arrival.standing == "duplicate":
        return "__end__"
    return "write_record" if state.event.kind == "signal" else "filter_salience"


async def after_salience(state: Weighed) -> Literal["assess_relevance", "write_record"]:
    """Dull events go straight to the record."""
    return "write_record" if state.salience.dull else "assess_relevance"


async def after_relevance(state: Assessed) -> Literal["choose_timing", "write_record"]:
    """Silence ends here, with its reason."""
    verdict = state.relevance.verdict
    return "choose_timing" if verdict in ("alert", "continue", "hold") else "write_record"


async def after_timing(state: Timed) -> Literal["decide_policy", "write_record"]:
    """A hold ends the run; the same thread is released later and judged again."""
    return "decide_policy" if state.timing.outcome == "immediate" else "write_record"


StrategyRoute = Literal["decide_by_heuristic", "decide_by_model", "decline"]


def after_policy(
    strategies: StrategyAssignment, *, has_model: bool
) -> Callable[[Decided], Awaitable[StrategyRoute]]:
    """Ask the strategy of this event; what policy has settled is certain.

    Source: decision strategy interface spec.
    """

    async def route(state: Decided) -> StrategyRoute:
        if is_decided_by_policy(state.policy):
            return "decide_by_heuristic"
        if "no_such_click" in state.policy.reasons:
            return "decline"
        strategy = strategies.for_event(state.event)
        match strategy.choose(context_of(state), has_llm=has_model).path:
            case DecisionPath.HEURISTIC:
                return "decide_by_heuristic"
            case DecisionPath.LLM:
                return "decide_by_model"
            case DecisionPath.FALLBACK | DecisionPath.REJECTED:
                return "decline"

    return route


async def after_class(
    state: Classified,
) -> Literal["offer_choices", "confirm", "act", "compose", "write_record"]:
    """Offer it, ask a person, do it, or only talk; in shadow only the record tells of it."""
    match state.classification.verdict:
        case "offer":
            return "offer_choices"
        case "confirm":
            return "confirm"
        case "act":
            return "act"
        case "none" | "ask" | "refuse":
            return "compose"
        case "shadow":
            return "write_record"


async def after_act(state: Settled) -> Literal["confirm", "advance_stage"]:
    """Whoever resumed a thread without an approval is back at the gate."""
    still_open = state.outcome is not None and state.outcome.state in ("proposed", "pending")
    return "confirm" if still_open else "advance_stage"
