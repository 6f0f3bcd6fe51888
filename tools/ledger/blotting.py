"""Blot secret arguments out of what an action says about itself, before it is written down."""

import json
from collections.abc import Iterator, Mapping
from typing import Any

from pydantic import ValidationError

from state.action import Action, ActionResult
from tools.secrecy import HIDDEN, SHORTEST, without_secrets

_SHOWN = {"text", "data", "changed"}


def blotted_text(text: str | None, action: Action, arguments: Mapping[str, Any]) -> str | None:
    """Take an action's secret arguments out of a sentence."""
    return None if text is None else str(without_secrets(text, _secrets((action, arguments))))


def blotted_result(
    result: ActionResult | None,
    action: Action,
    arguments: Mapping[str, Any],
    undo: Action | None = None,
) -> ActionResult | None:
    """Take secrets out of the words, data and changes that a handler gave back.

    What undoes it stays whole: it is to be run, and nobody is shown it. Its own secrets, such as
    what stood there before, are taken out of everything else.

    Args:
        undo: the action that takes it back, whose slots tell which of these are secret.
    """
    if result is None:
        return None
    before = () if undo is None else ((undo, result.undo or {}),)
    secrets = _secrets((action, arguments), *before)
    if not secrets:
        return result
    shown = _blotted(result.model_dump(mode="json", include=_SHOWN), secrets)
    try:
        return ActionResult.model_validate({**shown, "undo": result.undo})
    except ValidationError:
        return ActionResult(text="done; what it said cannot be shown", undo=result.undo)


def _blotted(value: Any, secrets: tuple[str, ...]) -> Any:  # any JSON value
    if isinstance(value, list):
        return [_blotted(item, secrets) for item in value]
    if isinstance(value, dict):
        return {_blotted(key, secrets): _blotted(item, secrets) for key, item in value.items()}
    if isinstance(value, str):
        return without_secrets(value, secrets)
    is_number = isinstance(value, int | float) and not isinstance(value, bool)
    return HIDDEN if is_number and any(form in secrets for form in _forms(value)) else value


def _secrets(*given: tuple[Action, Mapping[str, Any]]) -> tuple[str, ...]:
    """List what must not be shown, the longest first, in each form that words may give it."""
    found = {
        form
        for action, arguments in given
        for name, slot in action.slots.items()
        if slot.secret
        for leaf in _leaves(arguments.get(name))
        for form in _forms(leaf)
    }
    return tuple(sorted((form for form in found if len(form) >= SHORTEST), key=len, reverse=True))


def _leaves(value: Any) -> Iterator[str | int | float]:  # of any JSON value
    if isinstance(value, Mapping):
        value = tuple(value.values())  # its keys name things, such as `token`
    if isinstance(value, list | tuple):
        for item in value:
            yield from _leaves(item)
    elif isinstance(value, str | int | float) and not isinstance(value, bool):
        yield value


def _forms(leaf: str | int | float) -> tuple[str, ...]:
    if isinstance(leaf, str):
        # An error message quotes it as Python or as JSON does.
        return (
            leaf,
            repr(leaf)[1:-1],
            json.dumps(leaf)[1:-1],
            json.dumps(leaf, ensure_ascii=False)[1:-1],
        )
    whole = (str(int(leaf)),) if isinstance(leaf, float) and leaf.is_integer() else ()
    return str(leaf), *whole
