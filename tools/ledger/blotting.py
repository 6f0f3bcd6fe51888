"""Blot secret arguments out of what an action says about itself, before it is written down."""

from collections.abc import Mapping
from typing import Any

from pydantic import ValidationError

from state.action import Action, ActionResult
from tools.approvals.secrets import forms_of, secret_forms
from tools.secrecy import HIDDEN, without_secrets

_SHOWN = {"text", "data", "changed"}


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
    secrets = secret_forms((action, arguments), *before)
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
    return HIDDEN if is_number and any(form in secrets for form in forms_of(value)) else value
