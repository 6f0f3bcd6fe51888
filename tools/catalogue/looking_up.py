"""Call a pack's lookup: what things of a type exist now, what people call them, or why not."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path

from state.action import Action, ExecutionClass
from state.errors import LookupFailed
from tools.catalogue.containing import contained
from tools.catalogue.modules import load_pack_module
from tools.catalogue.pack import Pack

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


def reason_of(failed: LookupFailed) -> str:
    """Write a failed lookup as a reason of the router."""
    return f"{failed.code}:{failed.pack}:{failed.entity_type}:{failed.cause}"


def failed_in(reasons: Sequence[str]) -> Iterator[LookupFailed]:
    """Read the failed lookups among the reasons of the router."""
    for reason in reasons:
        code, *parts = reason.split(":", 3)
        if code == LookupFailed.code and len(parts) == 3:
            yield LookupFailed(*parts)


def _answer(pack: Pack, lookup: str, data_dir: Path) -> Mapping[str, Sequence[str]]:
    module, function = lookup.split(":")
    code = load_pack_module(pack, module)
    answer = contained(lambda: getattr(code, function)(data_dir))
    return {
        canonical: tuple(_names(canonical, names))
        for canonical, names in list(answer.items())[:MOST_NAMES]
        if isinstance(canonical, str) and canonical
    }


def _names(canonical: str, names: Iterable[object]) -> Iterator[str]:
    """Give the names of a thing; a mere text would be a name for each of its letters.

    Raises:
        TypeError: it is one.
        UnicodeEncodeError: half a character, which no record can hold.
    """
    if isinstance(names, str):
        raise TypeError(f"the names of {canonical!r} are one text and no list")
    canonical.encode()
    for name in names:
        if isinstance(name, str) and name:
            name.encode()
            yield name
