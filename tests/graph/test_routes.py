"""Where a decision goes after each stage."""

from typing import Any, get_args, get_type_hints

import pytest

from graph.flow import (
    StrategyRoute,
    after_act,
    after_class,
    after_policy,
    after_receive,
    after_relevance,
    after_salience,
    after_timing,
)
from state.agent_call import AgentCall
from state.approval import ActionState
from state.arrival import Standing
from state.classification import ClassVerdict
from state.event import EventKind
from state.judgement import TimingOutcome, Verdict
from state.outcome import ActionOutcome
from state.policy import PolicyDecision, Suggestion
from state.stages import Assessed, Classified, Decided, Received, Settled, Timed, Weighed
from tests.stages import every_stage
from tests.strategies import strategies_of


def changed(stage: type[Any], channel: str, **fields: Any) -> Any:
    """Return a whole stage with some fields of one channel changed."""
    given = every_stage()
    given[channel] = given[channel].model_copy(update=fields)
    return stage.model_validate(given)


@pytest.mark.parametrize("kind", get_args(EventKind))
@pytest.mark.parametrize("standing", get_args(Standing))
async def test_after_receive(kind: EventKind, standing: Standing) -> None:
    call = AgentCall(action="close_lock") if kind == "proposal" else None
    state = changed(Received, "event", kind=kind, call=call)
    state = state.model_copy(
        update={"arrival": state.arrival.model_copy(update={"standing": standing})}
    )
    wanted = "write_record" if kind == "signal" else "filter_salience"
    assert after_receive(state) == ("__end__" if standing == "duplicate" else wanted)


@pytest.mark.parametrize(("dull", "node"), [(True, "write_record"), (False, "assess_relevance")])
async def test_after_salience(dull: bool, node: str) -> None:
    assert after_salience(changed(Weighed, "salience", dull=dull)) == node


@pytest.mark.parametrize("verdict", get_args(Verdict))
async def test_after_relevance(verdict: Verdict) -> None:
    on = verdict in ("alert", "continue", "hold")  # what is kept waits for its moment
    route = after_relevance(changed(Assessed, "relevance", verdict=verdict))
    assert route == ("choose_timing" if on else "write_record")


@pytest.mark.parametrize("outcome", get_args(TimingOutcome))
async def test_after_timing(outcome: TimingOutcome) -> None:
    on = outcome == "immediate"
    route = after_timing(changed(Timed, "timing", outcome=outcome))
    assert route == ("decide_policy" if on else "write_record")


SURE = Suggestion(heuristic_id="h", confidence=0.7, condition_text="c", suggested_action="s")
UNSURE = SURE.model_copy(update={"confidence": 0.69})


@pytest.mark.parametrize(
    ("policy", "with_model", "without"),
    [
        (PolicyDecision(intent="control"), "apply_policy", "apply_policy"),
        (PolicyDecision(intent="journal"), "answer_question", "answer_question"),
        (PolicyDecision(intent="clarify"), "apply_policy", "apply_policy"),
        (PolicyDecision(intent="decision"), "apply_policy", "apply_policy"),
        (PolicyDecision(intent="action", action="a"), "apply_policy", "apply_policy"),
        (
            PolicyDecision(intent="choice", action="a", explicit=True),
            "apply_policy",
            "apply_policy",
        ),
        (
            PolicyDecision(intent="notice", suggestion=SURE),
            "decide_by_heuristic",
            "decide_by_heuristic",
        ),
        (PolicyDecision(intent="notice", suggestion=UNSURE), "decide_by_model", "decline"),
        (PolicyDecision(intent="notice"), "decide_by_model", "decline"),
        (PolicyDecision(intent="general"), "decide_by_model", "decline"),
        (PolicyDecision(intent="choice", reasons=("no_such_click",)), "decline", "decline"),
    ],
)
async def test_after_policy(policy: PolicyDecision, with_model: str, without: str) -> None:
    state = Decided.model_validate({**every_stage(), "policy": policy})
    assert after_policy(strategies_of(threshold=0.7), has_model=True)(state) == with_model
    assert after_policy(strategies_of(threshold=0.7), has_model=False)(state) == without


async def test_the_threshold_of_the_strategy_is_the_one_given() -> None:
    state = Decided.model_validate(
        {**every_stage(), "policy": PolicyDecision(intent="notice", suggestion=UNSURE)}
    )
    assert (
        after_policy(strategies_of(threshold=0.5), has_model=True)(state) == "decide_by_heuristic"
    )


@pytest.mark.parametrize("verdict", get_args(ClassVerdict))
async def test_after_class(verdict: ClassVerdict) -> None:
    ways = {"offer": "offer_choices", "confirm": "confirm", "act": "act", "shadow": "write_record"}
    route = after_class(changed(Classified, "classification", verdict=verdict))
    assert route == ways.get(verdict, "compose")


@pytest.mark.parametrize("state_of_action", get_args(ActionState))
async def test_after_act_only_an_open_question_goes_back_to_the_gate(state_of_action) -> None:
    given = every_stage()
    given["outcome"] = ActionOutcome(action_id="a", state=state_of_action, executed_now=False)
    route = after_act(Settled.model_validate(given))
    is_open = state_of_action in ("proposed", "pending")
    assert route == ("confirm" if is_open else "advance_stage")


async def test_after_act_without_an_outcome_there_is_something_to_say() -> None:
    settled = Settled.model_validate(every_stage() | {"outcome": None})
    assert after_act(settled) == "advance_stage"


def test_every_way_on_is_written_in_the_type() -> None:
    """Studio draws what a route's return type names, and nothing else."""
    for route in (
        after_receive,
        after_salience,
        after_relevance,
        after_timing,
        after_class,
        after_act,
    ):
        assert get_args(get_type_hints(route)["return"]), route.__name__
    assert set(get_args(StrategyRoute)) == {
        *("apply_policy", "answer_question", "decide_by_heuristic", "decide_by_model", "decline"),
    }
