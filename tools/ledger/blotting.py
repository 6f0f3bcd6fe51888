"""Blot secret arguments out of what an action says about itself, before it is written down."""

from collections.abc import Mapping
from typing import Any

from pydantic import ValidationError

from state.action import Action, ActionResult
from tools.handlers.secrets import without_secrets

_LEAST = 4
"""A shorter secret would be found in every other word."""


def blotted_text(text: str | None, action: Action, arguments: Mapping[str, Any]) -> str | None:
    """Take an action's secret arguments out of a sentence."""
    return None if text is None else str(without_secrets(text, _secrets(action, arguments)))


def blotted_result(
    result: ActionResult | None, action: Action, arguments: Mapping[str, Any]
) -> ActionResult | None:
    """Take an action's secret arguments out of what its handler gave back."""
    secrets = _secrets(action, arguments)
    if result is None or not secrets:
        return result
    try:
        return ActionResult.model_validate(without_secrets(result.model_dump(mode="json"), secrets))
    except ValidationError:
        return ActionResult(text="done; what it said cannot be shown")


def _secrets(action: Action, arguments: Mapping[str, Any]) -> tuple[str, ...]:
    values = (arguments.get(name) for name, slot in action.slots.items() if slot.secret)
    found = (
        str(item) for value in values for item in (value if isinstance(value, list) else [value])
    )
    return tuple(sorted((text for text in found if len(text) >= _LEAST), key=len, reverse=True))
