"""Fill the URL of an action: a slot gives a value, and never a place to go to."""

import re
import string
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any
from urllib.parse import quote

from state.errors import BadInput

_START = re.compile(
    r"(?P<origin>https?://(?:[A-Za-z0-9._-]+|\[[0-9A-Fa-f:.]+\])(?::\d{1,5})?)(?=/|\?|$)"
)
_LITERAL = re.compile(r"[A-Za-z0-9._~!$&'()*+,;=:@/%?-]*")


@dataclass(frozen=True)
class UrlTemplate:
    """A URL in its parts: the fixed origin, the path, and the pairs of the query."""

    origin: str
    path: str
    query: tuple[tuple[str, str], ...]
    """Names, which are fixed, and the templates of their values."""

    @property
    def slots(self) -> frozenset[str]:
        """Name every slot that it takes."""
        return self.path_slots | frozenset(
            name for _, value in self.query for name in _names(value)
        )

    @property
    def path_slots(self) -> frozenset[str]:
        """Name the slots of the path; all of them are needed."""
        return frozenset(_names(self.path))


def read_template(url: str) -> UrlTemplate:
    """Take a template apart.

    Raises:
        ValueError: a slot could name the host, or it is no http(s) URL.
    """
    start = _START.match(url)
    if start is None:
        raise ValueError("must begin with http(s)://host/ in plain words: no slot, no user in it")
    rest = url[start.end() :]
    literal = "".join(text for text, *_ in string.Formatter().parse(rest))
    if not _LITERAL.fullmatch(literal) or "{{" in rest or "}}" in rest:
        raise ValueError("holds a character that a URL cannot hold as it is; write it as %XX")
    path, _, query = rest.partition("?")
    pairs = tuple(_pair(pair) for pair in query.split("&")) if query else ()
    return UrlTemplate(start["origin"], path or "/", pairs)


def fill_template(template: UrlTemplate, arguments: Mapping[str, Any]) -> str:  # by slot type
    """Fill a template, every value percent-encoded; an absent slot takes its pair with it.

    Raises:
        BadInput: a value would change the path that was meant, or is missing in it.
    """
    for name in template.path_slots:
        _check_segment(name, arguments.get(name))
    path = _filled(template.path, arguments)
    if any(part in (".", "..") for part in path.split("/")):
        raise BadInput("the values would lead to another path than the action's")
    pairs = []
    for name, value in template.query:
        slots = _names(value)
        if any(arguments.get(slot) is None for slot in slots):
            continue
        one = arguments[slots[0]] if len(slots) == 1 and value == f"{{{slots[0]}}}" else None
        many = one if isinstance(one, (list, tuple)) else None
        if many is None:
            pairs.append(f"{name}={_filled(value, arguments)}")
        else:
            pairs += [f"{name}={quote(_written(item), safe='')}" for item in many]
    return template.origin + path + ("?" + "&".join(pairs) if pairs else "")


def _pair(text: str) -> tuple[str, str]:
    name, _, value = text.partition("=")
    if "{" in name:
        raise ValueError("a slot cannot be the name of a query parameter")
    return name, value


def _names(template: str) -> tuple[str, ...]:
    return tuple(name for _, name, _, _ in string.Formatter().parse(template) if name)


def _filled(template: str, arguments: Mapping[str, Any]) -> str:
    return "".join(
        literal + (quote(_written(arguments[name]), safe="") if name else "")
        for literal, name, _, _ in string.Formatter().parse(template)
    )


def _check_segment(name: str, value: Any) -> None:  # by slot type
    text = "" if value is None else _written(value)
    if not text or any(part in (".", "..") for part in re.split(r"[/\\]", text)):
        raise BadInput(f"{name} cannot stand in the address of the service: {text[:60]!r}")


def _written(value: Any) -> str:  # by slot type
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, (list, tuple)):
        return ",".join(map(_written, value))
    return str(value)
