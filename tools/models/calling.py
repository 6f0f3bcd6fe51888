"""One call of a model while it is under way: its time, its tokens, its cost."""

import hashlib
from time import perf_counter
from typing import Any

from pydantic import BaseModel

from state.model_use import CallEnd, ModelUse, Slot
from state.strategy_tuning import TokenPrice


class Calling:
    """One call while it is under way."""

    def __init__(
        self, slot: Slot, model: str, instructions: str, price: TokenPrice, asked: str = ""
    ) -> None:
        self.instructions = instructions
        self._asked = asked
        self._answer: BaseModel | None = None
        self._slot: Slot = slot
        self._model = model
        self._price = price
        self._started = perf_counter()
        self._input = self._output = 0

    def took(self, usage: Any) -> None:  # langchain's UsageMetadata, or None of some servers
        """Note the tokens that the server counted."""
        if usage:
            self._input, self._output = usage["input_tokens"], usage["output_tokens"]

    def gave(self, answer: BaseModel) -> None:
        """Note what it answered."""
        self._answer = answer

    def use(self, end: CallEnd) -> ModelUse:
        """Sum it up."""
        cost = (self._input * self._price.input + self._output * self._price.output) / 1e6
        return ModelUse(
            slot=self._slot,
            model=self._model,
            prompt_hash=hashed(self.instructions),
            end=end,
            seconds=round(perf_counter() - self._started, 4),
            input_tokens=self._input,
            output_tokens=self._output,
            cost=cost,
            asked_hash=self._asked,
            answer=None if self._answer is None else self._answer.model_dump(mode="json"),
        )


def hashed(instructions: str) -> str:
    """Name a version of instructions: sha256, the first 16 hex digits."""
    return hashlib.sha256(instructions.encode()).hexdigest()[:16]


def asked_hash(slot: Slot, instructions: str, prompt: str, form: type[BaseModel]) -> str:
    """Name one question to a model: who asks the same again is given the same answer."""
    whole = f"{slot}\x1f{form.__name__}\x1f{instructions}\x1f{prompt}"
    return hashlib.sha256(whole.encode()).hexdigest()[:32]
