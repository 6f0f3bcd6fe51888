"""How a slot is called as a parameter of a Python function."""

import keyword
import re
from collections.abc import Mapping
from typing import Any


def parameter_of(slot: str) -> str:
    """Name the parameter that takes a slot: `from` is taken by from_, `max-count` by max_count."""
    plain = re.sub(r"\W", "_", slot)
    return f"{plain}_" if keyword.iskeyword(plain) else plain


def as_parameters(arguments: Mapping[str, Any]) -> dict[str, Any]:  # by slot type
    """Give arguments the names of the parameters that take them."""
    return {parameter_of(slot): value for slot, value in arguments.items()}
