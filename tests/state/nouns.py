"""The nouns and enumerations inside a value."""

from collections.abc import Iterator
from enum import Enum
from typing import Any

from pydantic import BaseModel


def nouns_of(value: Any) -> Iterator[BaseModel | Enum]:
    """Yield every noun and enumeration in a value, at any depth."""
    if isinstance(value, BaseModel):
        yield value
        for name in type(value).model_fields:
            yield from nouns_of(getattr(value, name))
    elif isinstance(value, Enum):
        yield value
    elif isinstance(value, dict):
        for inside in value.values():
            yield from nouns_of(inside)
    elif isinstance(value, (list, tuple)):
        for inside in value:
            yield from nouns_of(inside)
