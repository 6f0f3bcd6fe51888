"""Secret arguments: shown by their length alone, and taken back as they stand."""

from collections.abc import Mapping
from typing import Any

from state.action import Action
from tools.secrecy import covered


def shown_arguments(action: Action, arguments: Mapping[str, Any]) -> dict[str, Any]:  # by slot type
    """Copy arguments with every secret one covered."""
    return {
        name: covered(value) if _is_secret(action, name) else value
        for name, value in arguments.items()
    }


def uncovered(
    action: Action,
    given: Mapping[str, Any],
    standing: Mapping[str, Any],
) -> dict[str, Any]:  # by slot type
    """Put back what stands where somebody repeats the cover of a secret they were shown."""
    return {
        name: standing[name]
        if _is_secret(action, name) and name in standing and value == covered(standing[name])
        else value
        for name, value in given.items()
    }


def _is_secret(action: Action, name: str) -> bool:
    slot = action.slots.get(name)
    return slot is not None and slot.secret
