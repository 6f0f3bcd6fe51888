"""What a few things are crafted from, in Minecraft's own numbers (Java Edition 1.20)."""

from collections.abc import Mapping

RECIPES: Mapping[str, str] = {
    "torch": "1 coal or charcoal over 1 stick; makes 4",
    "furnace": "8 cobblestone around the edge",
    "bed": "3 wool of one colour over 3 planks",
    "shield": "6 planks and 1 iron ingot in the middle of the top row",
    "bucket": "3 iron ingots in a V",
    "compass": "4 iron ingots around 1 redstone dust",
    "iron pickaxe": "3 iron ingots over 2 sticks",
    "diamond pickaxe": "3 diamonds over 2 sticks",
    "enchanting table": "1 book, 2 diamonds and 4 obsidian",
    "brewing stand": "1 blaze rod over 3 cobblestone",
    "flint and steel": "1 iron ingot and 1 flint",
    "bow": "3 sticks and 3 string",
    "arrow": "1 flint, 1 stick and 1 feather; makes 4",
    "chest": "8 planks around the edge",
    "boat": "5 planks in a U",
}
"""Item → what it takes."""
OTHER_NAMES: Mapping[str, tuple[str, ...]] = {
    "torch": ("torches",),
    "arrow": ("arrows",),
    "furnace": ("oven",),
    "flint and steel": ("lighter",),
    "iron pickaxe": ("iron pick",),
    "diamond pickaxe": ("diamond pick",),
}
