"""Things of a kind that a pack lists in full: an argument can name no other one."""

import re
from collections.abc import Mapping
from typing import Any

from state.action import Action
from state.errors import InvalidArguments
from tools.catalogue.models import EntityType

_MOST_SHOWN = 8


def by_canonical_name(
    action: Action,
    values: Mapping[str, Any],  # by slot type
    kinds: Mapping[str, EntityType],
) -> dict[str, Any]:  # by slot type
    """Call every thing by its canonical name.

    What a kind looks up in the pack's store is for the handler to find or not; a kind without a
    lookup has its list and its patterns, and nothing else.

    Raises:
        InvalidArguments: all values that are nothing their kind has.
    """
    faults: list[str] = []
    named: dict[str, Any] = {}
    for name, value in values.items():
        kind = kinds.get(action.slots[name].type)
        if kind is None or kind.lookup is not None:
            named[name] = value
            continue
        said = value if isinstance(value, list) else [value]
        found = [_canonical(kind, str(one)) for one in said]
        faults += [
            f"{name} {_fault(kind, None if action.slots[name].secret else str(one))}"
            for one, known in zip(said, found, strict=True)
            if known is None
        ]
        if len({one.casefold() for one in found if one}) < len([one for one in found if one]):
            faults.append(f"{name} names something twice")
        named[name] = found if isinstance(value, list) else found[0]
    if faults:
        raise InvalidArguments(action.name, faults)
    return named


def _canonical(kind: EntityType, value: str) -> str | None:
    """Find the one thing of that name; another name of several is none of them."""
    if value in kind.names or any(
        re.fullmatch(pattern, value, re.IGNORECASE) for pattern in kind.patterns
    ):
        return value
    called = value.casefold()
    found = [
        canonical
        for canonical, others in kind.names.items()
        if called in (canonical.casefold(), *(other.casefold() for other in others))
    ]
    return found[0] if len(found) == 1 else None


def _fault(kind: EntityType, value: str | None) -> str:
    """Say that it is none; without it, where it is a secret."""
    shown = [*kind.names][:_MOST_SHOWN]
    more = ", …" if len(kind.names) > _MOST_SHOWN else ""
    known = f"; known are {', '.join(shown)}{more}" if shown else ""
    said = f": {value[:60]!r}" if value is not None else ""
    return f"names nothing{said}{known}"
