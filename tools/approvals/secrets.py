"""Secret arguments: shown by their length alone, and taken back as they stand."""

import json
from collections.abc import Iterator, Mapping
from typing import Any

from state.action import Action
from tools.secrecy import SHORTEST, covered, without_secrets


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


def blotted_text(text: str | None, action: Action, arguments: Mapping[str, Any]) -> str | None:
    """Take an action's secret arguments out of a sentence."""
    return None if text is None else str(without_secrets(text, secret_forms((action, arguments))))


def secret_forms(*given: tuple[Action, Mapping[str, Any]]) -> tuple[str, ...]:
    """List what must not be shown, the longest first, in each form that words may give it."""
    found = {
        form
        for action, arguments in given
        for name, slot in action.slots.items()
        if slot.secret
        for leaf in _leaves(arguments.get(name))
        for form in forms_of(leaf)
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


def forms_of(leaf: str | int | float) -> tuple[str, ...]:
    """Write a value in each form that words may give it."""
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


def _is_secret(action: Action, name: str) -> bool:
    slot = action.slots.get(name)
    return slot is not None and slot.secret
