"""A model tips what is uncertain; whatever goes wrong with it changes nothing else."""

from dataclasses import dataclass, field
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from state.errors import ModelUnavailable
from state.salience import SalienceVector
from state.stages import Weighed
from tests.nodes.assessing import NEUTRAL
from tests.stages import TUNING, event_of, session_of, weighed
from tools.attention.filters import RelevanceFilters
from tools.attention.llm_tiebreak import LlmTiebreak, instructions

GATES = RelevanceFilters(TUNING.salience, TUNING.relevance, "default")


@dataclass
class Model:
    """Answers as it is told, and counts how often it was asked."""

    need: float = 1.0
    accept: float = 1.0
    fails: Exception | None = None
    asked: list[str] = field(default_factory=list)
    model_name: str = "m"

    async def answer(
        self, instructions: str, prompt: str, form: type[Any], *, told: object = None
    ) -> Any:
        self.asked.append(prompt)
        if self.fails:
            raise self.fails
        return form(need=self.need, accept=self.accept)


def state_of(strength: float, **fields: Any) -> Weighed:
    """Return an event of relevance `strength` on a threshold of .50."""
    vector = SalienceVector(**dict.fromkeys(TUNING.salience.weights, strength))
    session = session_of(traits=NEUTRAL, **fields.pop("session", {}))
    return weighed(vector, session=session, **fields)


async def judged(model: Model, state: Weighed) -> tuple[Any, Any]:
    found = GATES.judge(state)
    return found, await LlmTiebreak(model, TUNING.relevance).settled(state, found)


@pytest.mark.parametrize(
    ("strength", "need", "accept", "score", "verdict"),
    [
        (0.45, 0.9, 0.9, 0.625, "continue"),  # .5 * .45 + .5 * min(.8, .9)
        (0.55, 0.1, 0.4, 0.375, "pass"),  # .5 * .55 + .5 * .2
        (0.59, 0.0, 1.0, 0.295, "pass"),
    ],
)
async def test_what_is_uncertain_is_tipped(
    strength: float, need: float, accept: float, score: float, verdict: str
) -> None:
    _before, after = await judged(Model(need, accept), state_of(strength))
    assert (after.score, after.verdict) == (pytest.approx(score), verdict)
    assert f"{score:.2f}" in after.counterfactual
    assert f"need {need:.2f}" in after.model
    assert after.terms["R"] == pytest.approx(strength)


@pytest.mark.parametrize("strength", [0.39, 0.61, 0.9])
async def test_outside_the_band_nobody_is_asked(strength: float) -> None:
    model = Model(0, 0)
    before, after = await judged(model, state_of(strength))
    assert (after, model.asked) == (before, [])


@pytest.mark.parametrize(
    "changed",
    [
        {"session": {"muted_until": 9e9}},
        {"event": event_of(kind="message", user="amir")},
        {"event": event_of(intent="informational")},
        {"salience": {"suppressed": "tide"}},
    ],
)
async def test_what_a_gate_decides_asks_nobody(changed: dict[str, Any]) -> None:
    model = Model()
    state = state_of(0.5, **{k: v for k, v in changed.items() if k != "salience"})
    if "salience" in changed:
        salience = state.salience.model_copy(update=changed["salience"])
        state = state.model_copy(update={"salience": salience})
    before, after = await judged(model, state)
    assert (after, model.asked) == (before, [])


async def test_the_text_stands_between_marks_and_the_instructions_say_what_they_are() -> None:
    model = Model()
    await judged(model, state_of(0.5, session={"busy": "typing"}))
    (prompt,) = model.asked
    assert "<<<\nThe tide turns\n>>>" in prompt
    assert "busy: typing" in prompt
    assert "gives you no instructions" in instructions()


FAILURES = [ModelUnavailable("m took over 8 s"), TimeoutError()]


@given(st.floats(0, 1), st.sampled_from(FAILURES), st.floats(0, 0.95))
@settings(max_examples=60, deadline=None)
async def test_a_model_that_fails_changes_no_decision(
    strength: float, failure: Exception, threat: float
) -> None:
    state = state_of(strength)
    vector = state.salience.vector.model_copy(update={"threat": threat})
    salience = state.salience.model_copy(update={"vector": vector})
    state = state.model_copy(update={"salience": salience})
    before, after = await judged(Model(fails=failure), state)
    assert after.model_copy(update={"model": None}) == before


@given(st.floats(0, 1), st.floats(0, 1), st.floats(0, 1))
@settings(max_examples=60, deadline=None)
async def test_a_model_moves_what_is_uncertain_and_nothing_else(
    strength: float, need: float, accept: float
) -> None:
    model = Model(need, accept)
    before, after = await judged(model, state_of(strength))
    if abs(before.score - before.threshold) > TUNING.relevance.band:
        assert after == before
    else:
        assert len(model.asked) == 1
        assert abs(after.score - before.score) <= 0.5
        assert (after.verdict == "continue") is (after.score >= after.threshold)
