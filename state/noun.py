"""What every noun has in common: frozen, strict about unknown keys, finite numbers, clean text."""

import math
from typing import Annotated

from pydantic import AfterValidator, BaseModel, ConfigDict, Field, JsonValue

Score = Annotated[float, Field(ge=0.0, le=1.0)]
"""A number from 0 (not at all) to 1 (completely)."""


class Noun(BaseModel):
    """A frozen value; an unknown key, NaN or infinity is an error and never a surprise later."""

    model_config = ConfigDict(
        frozen=True, extra="forbid", allow_inf_nan=False, ser_json_bytes="base64"
    )


def without_nul(text: str) -> str:
    """Refuse NUL: SQLite stores it, PostgreSQL does not, and no reader expects it.

    Raises:
        ValueError: the text holds a NUL character.
    """
    if "\x00" in text:
        raise ValueError("the text holds a NUL character; remove it")
    return text


def clean_json(value: JsonValue) -> JsonValue:
    """Refuse NUL, lone surrogates and non-finite numbers at any depth of a JSON value.

    Raises:
        ValueError: one of them was found.
    """
    pending: list[JsonValue] = [value]
    while pending:
        item = pending.pop()
        if isinstance(item, str):
            without_nul(item)
            if any("\ud800" <= character <= "\udfff" for character in item):
                raise ValueError("the text holds half of a surrogate pair; send valid Unicode")
        elif isinstance(item, float) and not math.isfinite(item):
            raise ValueError("NaN and infinity are not JSON numbers")
        elif isinstance(item, dict):
            pending.extend(item)
            pending.extend(item.values())
        elif isinstance(item, list):
            pending.extend(item)
    return value


CleanText = Annotated[str, AfterValidator(without_nul)]
Name = Annotated[str, Field(min_length=1, max_length=200), AfterValidator(without_nul)]
"""An identifier given from outside: 1 to 200 characters, no NUL."""
CleanJson = Annotated[JsonValue, AfterValidator(clean_json)]
TenantId = Annotated[str, Field(pattern=r"^[A-Za-z0-9][A-Za-z0-9_.-]{0,63}$")]
"""A tenant's id; it names a folder, so only letters, digits, dot, dash and underscore."""
