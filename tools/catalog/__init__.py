"""What the loaded packs can do, and what their files say."""

from typing import TYPE_CHECKING

from tools import lazy_names

if TYPE_CHECKING:
    from tools.catalog import entity_values, pack_code, pack_schema
    from tools.catalog.action_catalog import Catalogue, ToolKey, WithheldTools
    from tools.catalog.arguments import parse_slot_values
    from tools.catalog.pack import Pack, find_pack, load_pack, packs_named, shipped_packs

__all__ = [
    "Catalogue",
    "Pack",
    "ToolKey",
    "WithheldTools",
    "entity_values",
    "find_pack",
    "load_pack",
    "pack_code",
    "pack_schema",
    "packs_named",
    "parse_slot_values",
    "shipped_packs",
]

__getattr__ = lazy_names(
    __name__,
    {
        "action_catalog": ("Catalogue", "ToolKey", "WithheldTools"),
        "arguments": ("parse_slot_values",),
        "pack": ("Pack", "find_pack", "load_pack", "packs_named", "shipped_packs"),
    },
)
