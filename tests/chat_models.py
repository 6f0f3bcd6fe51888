"""A chat model by hand, for tests of what is made of an answer."""

from typing import Any

from state.errors import ModelUnavailable
from tools.adapters.chat_model import Answer, OnText


class Says:
    """A model that says what it was given, or nothing."""

    model_name = "by hand"

    def __init__(self, **answer: Any) -> None:
        self.asked: list[tuple[str, str]] = []
        """Instructions and prompt of every call."""
        self._given = {
            "action": None,
            "arguments": [],
            "predicted_success": 0.6,
            "confidence": 0.8,
            "say": "  Words. ",
            **answer,
        }

    async def answer(
        self, instructions: str, prompt: str, form: type[Answer], *, told: OnText | None = None
    ) -> Answer:
        self.asked.append((instructions, prompt))
        if self._given.get("fails"):
            raise ModelUnavailable("by hand took over 8 s")
        return form.model_validate(self._given)
