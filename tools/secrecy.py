"""How a secret is shown: covered where it stands, blotted out where somebody repeats it."""

from collections.abc import Iterable
from typing import Any

from pydantic import JsonValue

HIDDEN = "•••"
"""Stands where a secret stood."""
SHORTEST = 4
"""A shorter secret would be found in every other word: it is covered where it stands, only."""


def covered(value: Any) -> str:  # one JSON value of an argument
    """Cover a secret value; how long it is may be known."""
    return f"{HIDDEN} ({len(value if isinstance(value, str) else str(value))} characters)"


def without_secrets(value: JsonValue, secrets: Iterable[str]) -> JsonValue:
    """Blot secrets out of a value, wherever a service repeats them."""
    found = tuple(secrets)
    if not found:
        return value
    if isinstance(value, str):
        for secret in found:
            value = value.replace(secret, HIDDEN)
        return value
    if isinstance(value, list):
        return [without_secrets(item, found) for item in value]
    if isinstance(value, dict):
        return {
            str(without_secrets(key, found)): without_secrets(item, found)
            for key, item in value.items()
        }
    return value
