"""The entities of a type: canonical names of listed ones.

And those a pack's lookup function returns.
"""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import chain
from pathlib import Path
from typing import Any

from state.action import Action, ExecutionClass, Slot
from state.errors import InvalidArguments, LookupFailed
from tools.catalog.pack import Pack
from tools.catalog.pack_code import call_contained, load_pack_module
from tools.catalog.pack_schema import EntityType

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
            f"{name}: {_fault(action.slots[name], kind, str(one))}"
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


def _fault(slot: Slot, kind: EntityType, value: str) -> str:
    """Say that there is none of that name; without it, where it is a secret."""
    shown = [*kind.names][:_MOST_SHOWN]
    more = ", …" if len(kind.names) > _MOST_SHOWN else ""
    known = f"; known are {', '.join(shown)}{more}" if shown else ""
    what = slot.type.replace("_", " ")
    called = "of that name" if slot.secret else repr(value[:60])
    return f"there is no {what} {called}{known}"


MOST_NAMES = 50_000


def look_up(pack: Pack, entity_type: str, data_dir: Path) -> Mapping[str, Sequence[str]]:
    """Ask the store in a tenant's folder: id → names. Nothing for a type without a lookup.

    Raises:
        LookupFailed: the pack's function raised, gave no mapping of lists, or names that cannot be
            kept; `__cause__` is what it raised.
    """
    entity = pack.entities.get(entity_type)
    if entity is None or entity.lookup is None:
        return {}
    try:
        return _answer(pack, entity.lookup, data_dir)
    except (Exception, SystemExit) as error:  # the pack's own fault
        raise LookupFailed(pack.name, entity_type, type(error).__name__) from error


def looked_up_types(pack: Pack, action: Action) -> tuple[str, ...]:
    """Name the entity types of an action's slots that the pack looks up, in slot order."""
    types = dict.fromkeys(slot.type for slot in action.slots.values())
    return tuple(
        one for one in types if one in pack.entities and pack.entities[one].lookup is not None
    )


def must_be_looked_up(action: Action, execution_class: ExecutionClass) -> bool:
    """Tell whether an action waits while what it names cannot be looked up: not a plain read."""
    return action.floor > "A" or execution_class == "C"


def lookup_reason(failed: LookupFailed) -> str:
    """Write a failed lookup as a reason of the router."""
    return f"{failed.code}:{failed.pack}:{failed.entity_type}:{failed.cause}"


def failed_lookups(reasons: Sequence[str]) -> Iterator[LookupFailed]:
    """Read the failed lookups among the reasons of the router."""
    for reason in reasons:
        code, *parts = reason.split(":", 3)
        if code == LookupFailed.code and len(parts) == 3:
            yield LookupFailed(*parts)


def _answer(pack: Pack, lookup: str, data_dir: Path) -> Mapping[str, Sequence[str]]:
    module, function = lookup.split(":")
    code = load_pack_module(pack, module)
    answer = call_contained(lambda: getattr(code, function)(data_dir))
    found = {
        canonical: _names(canonical, names)
        for canonical, names in list(answer.items())[:MOST_NAMES]
        if isinstance(canonical, str) and canonical
    }
    # Raises UnicodeEncodeError for half a character, which no record can hold.
    "".join(chain(found, *found.values())).encode()
    return found


def _names(canonical: str, names: Iterable[object]) -> tuple[str, ...]:
    """Give the names of a thing; a mere text would be a name for each of its letters.

    Raises:
        TypeError: it is one.
    """
    if isinstance(names, str):
        raise TypeError(f"the names of {canonical!r} are one text and no list")
    return tuple([name for name in names if isinstance(name, str) and name])
