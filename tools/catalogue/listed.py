"""Things of a kind that a pack lists in full: an argument can name no other one."""

import re
from collections.abc import Mapping
from typing import Any

from state.action import Action
from tools.catalogue.models import EntityType

_MOST_SHOWN = 8


def unlisted(
    action: Action,
    values: Mapping[str, Any],  # by slot type
    kinds: Mapping[str, EntityType],
) -> list[str]:
    """Tell the values that are nothing their kind has, each as a fault.

    What a kind looks up in the pack's store is for the handler to find or not; a kind without a
    lookup has its list and its patterns, and nothing else.
    """
    faults: list[str] = []
    for name, value in values.items():
        kind = kinds.get(action.slots[name].type)
        if kind is None or kind.lookup is not None or not (kind.names or kind.patterns):
            continue
        said = [str(one) for one in (value if isinstance(value, list) else [value])]
        faults += [f"{name} {_fault(kind, one)}" for one in said if not _is_of(kind, one)]
    return faults


def _is_of(kind: EntityType, value: str) -> bool:
    return value in kind.names or any(
        re.fullmatch(pattern, value, re.IGNORECASE) for pattern in kind.patterns
    )


def _fault(kind: EntityType, value: str) -> str:
    shown = [*kind.names][:_MOST_SHOWN]
    more = ", …" if len(kind.names) > _MOST_SHOWN else ""
    known = f"; known are {', '.join(shown)}{more}" if shown else ""
    return f"names nothing: {value[:60]!r}{known}"
