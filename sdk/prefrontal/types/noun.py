"""What every noun has in common: frozen, strict about unknown keys, finite numbers, clean text."""

import math
import re
import unicodedata
from typing import Annotated

from pydantic import AfterValidator, BaseModel, ConfigDict, Field, JsonValue

Score = Annotated[float, Field(ge=0.0, le=1.0, strict=True)]
"""A number from 0 (not at all) to 1 (completely); true is no number."""


class Noun(BaseModel):
    """A frozen value; an unknown key, NaN or infinity is an error and never a surprise later."""

    model_config = ConfigDict(
        frozen=True, extra="forbid", allow_inf_nan=False, ser_json_bytes="base64"
    )


MAX_INTEGER = 2**63 - 1
"""Largest integer that a checkpoint and every store can hold."""
_SURROGATE = re.compile("[\ud800-\udfff]")


def clean_text(text: str) -> str:
    """Refuse NUL and lone surrogates: one store keeps them, the next does not.

    Raises:
        ValueError: the text holds one.
    """
    if "\x00" in text:
        raise ValueError("the text holds a NUL character; remove it")
    if _SURROGATE.search(text):
        raise ValueError("the text holds half of a surrogate pair; send valid Unicode")
    return text


def clean_json(value: JsonValue) -> JsonValue:
    """Refuse odd text, non-finite numbers and huge integers at any depth of a JSON value.

    Raises:
        ValueError: one of them was found.
    """
    pending: list[JsonValue] = [value]
    while pending:
        item = pending.pop()
        if isinstance(item, str):
            clean_text(item)
        elif isinstance(item, float) and not math.isfinite(item):
            raise ValueError("NaN and infinity are not JSON numbers")
        elif isinstance(item, int) and abs(item) > MAX_INTEGER:
            raise ValueError(f"an integer beyond ±{MAX_INTEGER}; send it as text")
        elif isinstance(item, dict):
            pending.extend(item)
            pending.extend(item.values())
        elif isinstance(item, list):
            pending.extend(item)
    return value


def clean_name(text: str) -> str:
    """Refuse control characters in an identifier; ids are joined by one to make longer ids.

    Raises:
        ValueError: the identifier holds one.
    """
    if any(unicodedata.category(character) == "Cc" for character in text):
        raise ValueError("an identifier holds a control character; remove it")
    return clean_text(text)


CleanText = Annotated[str, AfterValidator(clean_text)]
LONGEST_NAME = 200
Name = Annotated[str, Field(min_length=1, max_length=LONGEST_NAME), AfterValidator(clean_name)]
"""An identifier given from outside: 1 to 200 characters, none of them a control character."""
CleanJson = Annotated[JsonValue, AfterValidator(clean_json)]
TenantId = Annotated[str, Field(pattern=r"^[A-Za-z0-9][A-Za-z0-9_.-]{0,63}$")]
"""A tenant's id; it names a folder, so only letters, digits, dot, dash and underscore."""
