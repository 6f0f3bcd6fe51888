"""Texts that people read, in one folder a language, found by key and filled with named fields."""

import re
import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from string import Formatter
from typing import Any

LANGUAGE = "en"
_CLAUSE = re.compile(r"\[\[(.*?)\]\]", re.DOTALL)


class MissingText(LookupError):
    """A key without a text, or a text whose field was not given."""


def t(key: str, /, **fields: object) -> str:
    """Return the text of a key, with its fields filled in.

    `t("answer.refused", summary=…)` reads `refused` of `en/answer.toml`; fields are formatted as by
    `str.format`. A clause in double brackets, `[[, by {who}]]`, is dropped when one of its fields
    is empty: None, "" or an empty sequence.

    Raises:
        MissingText: no text has this key, or the text needs a field that was not given.
    """
    try:
        return "".join(clause.filled(fields) for clause in _clauses(key))
    except KeyError as missing:
        raise MissingText(f"the text {key!r} needs the field {missing}") from None


@cache
def section(prefix: str) -> Mapping[str, str]:
    """Return the texts under a prefix by the rest of their key, fields and clauses unfilled.

    Raises:
        MissingText: no key begins with the prefix.
    """
    start = f"{prefix}."
    found = {
        key.removeprefix(start): template
        for key, template in texts(prefix.partition(".")[0]).items()
        if key.startswith(start)
    }
    if not found:
        raise MissingText(f"no text under {prefix!r} in {LANGUAGE}")
    return found


@cache
def texts(area: str) -> Mapping[str, str]:
    """Return all templates of an area by their whole key.

    Raises:
        MissingText: the language has no file of this area.
    """
    path = files(__name__).joinpath(LANGUAGE, f"{area}.toml")
    try:
        found = tomllib.loads(path.read_text("utf-8"))
    except FileNotFoundError:
        raise MissingText(f"no texts of the area {area!r} in {LANGUAGE}") from None
    return dict(_flattened(area, found))


def areas() -> list[str]:
    """Return the areas of the language, sorted."""
    folder = files(__name__).joinpath(LANGUAGE)
    return sorted(each.name.removesuffix(".toml") for each in folder.iterdir())


def fields_of(template: str) -> frozenset[str]:
    """Return the names of a template's fields."""
    return frozenset(name for _, name, _, _ in Formatter().parse(template) if name)


@dataclass(frozen=True)
class _Clause:
    template: str
    names: frozenset[str]
    is_optional: bool

    def filled(self, fields: Mapping[str, object]) -> str:
        if self.is_optional and any(_is_empty(fields[name]) for name in self.names):
            return ""
        return self.template.format_map(fields) if self.names else self.template.format()


def _is_empty(value: object) -> bool:
    return value is None or (not isinstance(value, int | float) and not value)


@cache
def _clauses(key: str) -> tuple[_Clause, ...]:
    template = texts(key.partition(".")[0]).get(key)
    if template is None:
        raise MissingText(f"no text {key!r} in {LANGUAGE}")
    parts = _CLAUSE.split(template)
    return tuple(
        _Clause(part, fields_of(part), is_optional=bool(place % 2))
        for place, part in enumerate(parts)
        if part
    )


def _flattened(prefix: str, table: Mapping[str, Any]) -> Iterator[tuple[str, str]]:  # TOML
    for name, value in table.items():
        key = f"{prefix}.{name}"
        if isinstance(value, str):
            yield key, value
        else:
            yield from _flattened(key, value)
