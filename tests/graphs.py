"""LangGraph as tests build with it: it reads each type once, where it would for every graph."""

from collections.abc import Callable
from typing import Any, get_type_hints
from weakref import WeakKeyDictionary

import langgraph._internal._serde as serde
import langgraph.graph._branch as branch
from langgraph.graph import state

Hints = Callable[..., dict[str, Any]]
Listed = Callable[..., set[tuple[str, ...]]]


def read_types_once() -> None:
    """Let LangGraph keep what it reads of types: half of the 10 ms that building our graph takes.

    A service builds its graph once; tests open thousands of Executives.
    """
    kept = _kept(get_type_hints)
    state.get_type_hints = branch.get_type_hints = kept  # type: ignore[attr-defined]  # its own
    serde._safe_get_type_hints = _kept(serde._safe_get_type_hints)
    serde.build_serde_allowlist = _listed_once(serde.build_serde_allowlist)


def _kept(read: Hints) -> Hints:
    held: WeakKeyDictionary[Any, dict[Any, dict[str, Any]]] = WeakKeyDictionary()

    def kept(of: Any, **how: Any) -> dict[str, Any]:  # as that which it stands for
        of = getattr(of, "__func__", of)  # a method would keep its node, and all that it works with
        try:
            known = held.setdefault(of, {})
        except TypeError:  # what nobody can refer to weakly, such as the call of a function
            return read(of, **how)
        key = tuple(how.items())
        if key not in known:
            known[key] = read(of, **how)
        return known[key]

    return kept


def _listed_once(build: Listed) -> Listed:
    held: dict[tuple[Any, ...], set[tuple[str, ...]]] = {}

    def listed(*, schemas: list[Any], channels: dict[str, Any]) -> set[tuple[str, ...]]:
        key = (*schemas, *channels)  # the schemas say what the channels hold
        if key not in held:
            held[key] = build(schemas=schemas, channels=channels)
        return set(held[key])

    return listed
