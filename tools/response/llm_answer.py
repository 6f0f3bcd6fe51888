"""Ask a model about one event: answer form, prompt, and the capped confidence of its answer."""

from collections.abc import Sequence
from functools import partial

from pydantic import BaseModel, Field

from state.errors import ModelUnavailable
from state.policy import Suggestion
from state.result import DecisionPath, DecisionResult, response_id_of
from state.strategy import DecisionContext
from tools.adapters import ChatModel
from tools.adapters.chat_model import OnText
from tools.platform.serialization import prompt_beside
from tools.platform.unicode_safety import strip_controls


class SlotValue(BaseModel):
    """One argument as the model read it."""

    slot: str
    value: str | bool | int | float | list[str | bool | int | float]


class ModelAnswer(BaseModel):
    """The form a model answers in; its words come last, when it is known that they are all."""

    action: str | None
    arguments: list[SlotValue] = Field(max_length=20)
    predicted_success: float = Field(ge=0, le=1)
    confidence: float = Field(ge=0, le=1)
    say: str = Field(max_length=2_000)


async def ask_model(
    context: DecisionContext,
    llm: ChatModel,
    *,
    instructions: str,
    shown: Sequence[Suggestion],
    scored: bool,
    most_sure: float,
    told: OnText | None = None,
) -> DecisionResult:
    """Ask once. Path: llm, or fallback without words when no answer came in time and form.

    An action is taken over only when the context lists it, with arguments as the model wrote them.

    Args:
        shown: heuristics that the model is shown, in this order.
        scored: show how sure they are; without it nothing anchors the model.
        most_sure: its word on itself counts for no more (executive.md §1.2, GLADyS finding F-06).
        told: given the beginning of the words, again and again, as they come.
    """
    prompt = prompt_of(context, shown, scored=scored)
    response_id = response_id_of(context.decision_id or context.event_id)
    matched = context.suggestion.heuristic_id if context.suggestion else None
    try:
        heard = told and (lambda said: told(strip_controls(said)))
        answer = await llm.answer(instructions, prompt, ModelAnswer, told=heard)
    except ModelUnavailable as failure:
        return _without_an_answer(response_id, prompt, str(failure))
    action = answer.action if answer.action in context.actions else None
    words = strip_controls(answer.say).strip()
    if action is None and not any(one.isprintable() and not one.isspace() for one in words):
        # Whether to speak was settled before: without words of its own it changes nothing of that.
        return _without_an_answer(response_id, prompt, "it said nothing")
    return DecisionResult(
        path=DecisionPath.LLM,
        response_text=words,
        response_id=response_id,
        matched_heuristic_id=matched,
        predicted_success=min(most_sure, answer.predicted_success),
        prediction_confidence=min(most_sure, answer.confidence),
        prompt_text=prompt,
        action=action,
        arguments={each.slot: each.value for each in answer.arguments} if action else {},
        confidence=min(most_sure, answer.confidence),
        tainted=True,
        metadata={"model": llm.model_name},
    )


def _without_an_answer(response_id: str, prompt: str, failure: str) -> DecisionResult:
    return DecisionResult(
        path=DecisionPath.FALLBACK,
        response_id=response_id,
        prompt_text=prompt,
        metadata={"reason": "llm_no_response", "failure": failure},
    )


def prompt_of(context: DecisionContext, shown: Sequence[Suggestion], *, scored: bool) -> str:
    """Lay out an event, what is known of such events, and what may be proposed."""
    parts = [f"Event from {context.event_source}:", f"<<<\n{context.event_text}\n>>>"]
    parts.extend(_pattern(one, scored=scored) for one in shown)
    if context.actions:
        parts.append("Actions:\n" + "\n".join(context.actions.values()))
    return "\n\n".join(parts)


def _pattern(known: Suggestion, *, scored: bool) -> str:
    sure = f" (confidence {known.confidence:.0%})" if scored else ""
    if known.doubted:
        sure = " (somebody called that wrong last time)"
    return (
        f'A learned pattern matched: "{known.condition_text}". It suggests: '
        f'"{known.suggested_action}"{sure}.'
    )


system_prompt = partial(prompt_beside, __file__)
prediction_prompt = partial(prompt_beside, __file__, "prediction.md")
"""How a model is asked to judge its own answer."""
