"""Validate JSON against a Pydantic model and report all faults as one sentence."""

from collections.abc import Callable
from typing import TypeVar

from pydantic import JsonValue, ValidationError

from state.errors import BadInput
from state.noun import Noun

SHOWN_FAULTS = 5

N = TypeVar("N", bound=Noun)


def validated(noun: type[N], value: JsonValue) -> N:
    """Make a noun of a JSON value.

    Raises:
        BadInput: with every field that is wrong.
    """
    try:
        return noun.model_validate(value)
    except ValidationError as error:
        raise BadInput(faults_of(error)) from error


def faults_of(error: ValidationError, *, name_of: Callable[[str], str] = str) -> str:
    """Say on one line what is wrong with which field."""
    found = error.errors(include_url=False, include_input=False, include_context=False)
    told = [
        _told(".".join(str(part) for part in fault["loc"]), fault["type"], fault["msg"], name_of)
        for fault in found[:SHOWN_FAULTS]
    ]
    if len(found) > SHOWN_FAULTS:
        told.append(f"and {len(found) - SHOWN_FAULTS} more")
    return "; ".join(told)


def _told(field: str, kind: str, message: str, name_of: Callable[[str], str]) -> str:
    if kind == "extra_forbidden":
        return f"unknown field {field[:80]!r}"
    message = message.removeprefix("Value error, ")
    return f"{name_of(field)}: {message}" if field else message
