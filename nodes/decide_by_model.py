"""No heuristic is sure and a model is there: let it phrase, inside what policy allows."""

from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from pydantic import BaseModel, Field

from state.channels import State
from state.errors import BadInput, ModelUnavailable
from state.result import DecisionResult, response_id_of
from state.stages import Decided
from tools.catalogue.typed import values_of
from tools.models.chat import ChatModel
from tools.policy.messages import MessageReader
from tools.ports import Catalogue
from tools.strategy.fallback import without_words


class SlotValue(BaseModel):
    """One argument as the model read it."""

    slot: str
    value: str


class ModelAnswer(BaseModel):
    """The form a model answers in."""

    say: str = Field(max_length=2_000)
    action: str | None
    arguments: list[SlotValue] = Field(max_length=20)
    predicted_success: float = Field(ge=0, le=1)
    confidence: float = Field(ge=0, le=1)


@dataclass(frozen=True)
class DecideByModel:
    """Ask the model once. Path: llm, or fallback when it does not answer in time and form."""

    model: ChatModel | None
    catalogue: Catalogue
    messages: MessageReader

    async def __call__(self, state: Decided) -> State:
        if self.model is None:  # the route does not lead here without one
            declined = without_words(state.event, state.policy, "llm_unavailable", self.catalogue)
            return {"result": declined}
        prompt = self._prompt(state)
        try:
            answer = await self.model.answer(instructions(), prompt, ModelAnswer)
        except ModelUnavailable as failure:
            failed = without_words(state.event, state.policy, "llm_no_response", self.catalogue)
            told = {**failed.metadata, "failure": str(failure)}
            return {
                "result": failed.model_copy(
                    update={"path": "fallback", "prompt_text": prompt, "metadata": told}
                )
            }
        allowed = answer.action if answer.action in self._allowed(state) else None
        suggestion = state.policy.suggestion
        return {
            "result": DecisionResult(
                path="llm",
                response_text=answer.say.strip(),
                response_id=response_id_of(state.arrival.decision_id),
                matched_heuristic_id=suggestion.heuristic_id if suggestion else None,
                predicted_success=answer.predicted_success,
                prediction_confidence=answer.confidence,
                prompt_text=prompt,
                action=allowed,
                arguments=self._typed(allowed, answer, state) if allowed else {},
                confidence=answer.confidence,
                tainted=True,
                left_out=self.messages.left_out(allowed, state.event, state.session),
                metadata={"model": self.model.model_name, "intent": state.policy.intent},
            )
        }

    def _typed(
        self, action: str, answer: ModelAnswer, state: Decided
    ) -> Mapping[str, Any]:  # by slot type
        given: Mapping[str, Any] = {slot.slot: slot.value for slot in answer.arguments}
        # What does not fit is asked for, like anybody else's words.
        with suppress(BadInput):
            given = values_of(self.catalogue.actions[action], given)
        return self.messages.arguments(action, given, state.event, state.session)

    def _allowed(self, state: Decided) -> tuple[str, ...]:
        if state.event.kind != "message":
            return ()  # nothing that merely happens may start an action
        return tuple(
            name
            for name in self.catalogue.actions
            if self.catalogue.may_ask(name, state.event.roles)
        )

    def _prompt(self, state: Decided) -> str:
        suggestion = state.policy.suggestion
        parts = [f"Event from {state.event.source}:", f"<<<\n{state.event.text}\n>>>"]
        if suggestion:
            parts.append(
                f'A learned pattern matched: "{suggestion.condition_text}". It suggests: '
                f'"{suggestion.suggested_action}" (confidence {suggestion.confidence:.0%}).'
            )
        allowed = self._allowed(state)
        if allowed:
            lines = (
                f"- {name}({', '.join(self.catalogue.actions[name].slots)}): "
                f"{self.catalogue.actions[name].summary}"
                for name in allowed
            )
            parts.append("Actions:\n" + "\n".join(lines))
        return "\n\n".join(parts)


@cache
def instructions() -> str:
    """Read the instructions that stand beside this file."""
    return Path(__file__).with_suffix(".md").read_text("utf-8")
