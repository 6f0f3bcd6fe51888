"""Call a pack's lookup: what things of a type exist now, and what people call them."""

from collections.abc import Mapping, Sequence
from pathlib import Path

from state.action import Action
from tools.catalogue.modules import load_pack_module
from tools.catalogue.pack import Pack

MOST_NAMES = 50_000


def look_up(pack: Pack, entity_type: str, data_dir: Path) -> Mapping[str, Sequence[str]]:
    """Ask the store in a tenant's folder: id → names. Nothing for a type without a lookup.

    Raises:
        Exception: whatever the pack's function raised, or that it gave no mapping.
    """
    entity = pack.entities.get(entity_type)
    if entity is None or entity.lookup is None:
        return {}
    module, function = entity.lookup.split(":")
    answer = getattr(load_pack_module(pack, module), function)(data_dir)
    return {
        canonical: tuple(name for name in names if isinstance(name, str) and name)
        for canonical, names in list(answer.items())[:MOST_NAMES]
        if isinstance(canonical, str) and canonical
    }


def looked_up_types(pack: Pack, action: Action) -> tuple[str, ...]:
    """Name the entity types of an action's slots that the pack looks up, in slot order."""
    types = dict.fromkeys(slot.type for slot in action.slots.values())
    return tuple(
        one for one in types if one in pack.entities and pack.entities[one].lookup is not None
    )
