"""Read what a provider sends, field by field: what has another form is not there."""

import html
import re
from collections.abc import Iterable, Mapping
from datetime import date

import regex
from pydantic import JsonValue

from state.noun import MAX_INTEGER
from tools.search.provider import Unreadable

MAX_TITLE = 1_000
MAX_ABSTRACT = 20_000
MAX_NAME = 200
MAX_AUTHORS = 100
_TAG = re.compile(r"</?[a-zA-Z][\w:-]{0,40}(?:\s[^<>]{0,200})?/?>")
_UNSEEN = regex.compile(r"[\p{C}\p{Zl}\p{Zp}]+")
_DOI = re.compile(r"10\.\d{4,9}/\S{1,300}")
_RESOLVER = re.compile(r"^(?:https?://(?:dx\.)?doi\.org/|doi:)\s*", re.IGNORECASE)

JsonObject = Mapping[str, JsonValue]


def as_object(value: JsonValue) -> JsonObject:
    """Take an object; anything else is one without fields."""
    return value if isinstance(value, dict) else {}


def as_list(value: JsonValue) -> list[JsonValue]:
    """Take a list; anything else is an empty one."""
    return value if isinstance(value, list) else []


def entries(answer: JsonValue, key: str) -> list[JsonValue]:
    """Take the list that an answer is about.

    Raises:
        Unreadable: the answer has none.
    """
    found = answer.get(key) if isinstance(answer, dict) else None
    if not isinstance(found, list):
        raise Unreadable(f"its answer has no list {key!r}")
    return found


def as_text(value: JsonValue, most: int = MAX_NAME) -> str | None:
    """Take a text without markup, control characters and spaces around it; None: there is none."""
    if not isinstance(value, str):
        return None
    text = html.unescape(_TAG.sub("", value[: most * 2]))
    text = _UNSEEN.sub("", " ".join(text.split()))
    return text[:most].strip() or None


def as_count(value: JsonValue) -> int | None:
    """Take a whole number that counts something."""
    if not isinstance(value, int) or isinstance(value, bool):
        return None
    return value if 0 <= value <= MAX_INTEGER else None


def as_flag(value: JsonValue) -> bool | None:
    """Take true or false."""
    return value if isinstance(value, bool) else None


def as_year(value: JsonValue) -> int | None:
    """Take a year of our calendar, also when it is sent as a text."""
    if isinstance(value, str) and value.isdecimal() and len(value) == 4:
        value = int(value)
    found = as_count(value)
    return found if found is not None and 1_000 <= found <= 9_999 else None


def as_date(value: JsonValue) -> date | None:
    """Take a day in ISO form."""
    if not isinstance(value, str):
        return None
    try:
        return date.fromisoformat(value[:10])
    except ValueError:
        return None


def as_url(value: JsonValue) -> str | None:
    """Take an address that a person can open."""
    text = value.strip() if isinstance(value, str) else ""
    is_address = re.fullmatch(r"https?://[^\s<>\"'\\]{3,1900}", text) is not None
    return text if is_address and text.isprintable() else None


def as_doi(value: JsonValue) -> str | None:
    """Take a DOI, however it is written: in lower case, without its resolver."""
    text = as_text(value, 400)
    if text is None:
        return None
    found = _DOI.fullmatch(_RESOLVER.sub("", text))
    return found[0].lower() if found else None


def unfolded(index: JsonValue) -> str | None:
    """Put an abstract together again from its inverted index: word → where it stands."""
    if not isinstance(index, dict):
        return None
    placed = sorted(
        (place, word)
        for word, places in index.items()
        for place in as_list(places)
        if isinstance(place, int) and not isinstance(place, bool)
    )
    return as_text(" ".join(word for _, word in placed), MAX_ABSTRACT)


def names(values: Iterable[JsonValue]) -> tuple[str, ...]:
    """Take the names that are texts, each once."""
    found = dict.fromkeys(name for value in values if (name := as_text(value)))
    return tuple(found)[:MAX_AUTHORS]
