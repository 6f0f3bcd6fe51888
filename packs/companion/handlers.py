"""Handlers of the companion's actions: notes, places and recipes (Minecraft Java Edition 1.20)."""

import re
from collections.abc import Mapping

from pydantic import JsonValue

from prefrontal.pack import ActionResult, BadInput, Conflict

from .effects import Work, changes, reads

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


NOTE, PLACE = "N-", "PL-"
MOST_CHARACTERS = 1_000
MOST_SHOWN = 30
_AT = re.compile(r"\s*(?:,| at )\s*(?=[-\d])")


@reads
def list_notes(work: Work) -> ActionResult:
    """List the notes, newest first."""
    query = "SELECT * FROM note WHERE is_deleted = 0 ORDER BY number DESC LIMIT ?"
    rows = work.connection.execute(query, (MOST_SHOWN,)).fetchall()
    lines = [f"{NOTE}{row['number']}: {row['text']}" for row in rows]
    ids: list[JsonValue] = [f"{NOTE}{row['number']}" for row in rows]
    text = "\n".join(lines) or "There are no notes."
    return ActionResult(text=text, data={"listed": {"note": ids}})


@changes
def write_note(work: Work, *, note: str) -> ActionResult:
    """Write a note down."""
    text = _kept(note, "a note")
    query = "INSERT INTO note (author, text, written_at) VALUES (?, ?, ?)"
    number = work.connection.execute(query, (work.context.user, text, work.now)).lastrowid
    name = f"{NOTE}{number}"
    work.change("notes", "note", None, text)
    return ActionResult(
        text=f"Noted as {name}.", data={"listed": {"note": [name]}}, undo={"note": name}
    )


@changes
def discard_note(work: Work, *, note: str) -> ActionResult:
    """Delete a note; it can be restored."""
    _mark(work, "note", note, is_deleted=True)
    return ActionResult(text=f"{note} is deleted.", undo={"note": note})


@changes
def recover_note(work: Work, *, note: str) -> ActionResult:
    """Bring a deleted note back."""
    _mark(work, "note", note, is_deleted=False)
    return ActionResult(text=f"{note} is back.", undo={"note": note})


@reads
def show_places(work: Work, *, place: str | None = None) -> ActionResult:
    """List the saved places, or one of them."""
    if place is not None:
        rows = [work.row("place", PLACE, place)]
    else:
        query = "SELECT * FROM place WHERE is_deleted = 0 ORDER BY number DESC LIMIT ?"
        rows = work.connection.execute(query, (MOST_SHOWN,)).fetchall()
    lines = [f"{PLACE}{row['number']} {row['name']}: {row['spot']}" for row in rows]
    ids: list[JsonValue] = [f"{PLACE}{row['number']}" for row in rows]
    text = "\n".join(lines) or "No place is saved."
    return ActionResult(text=text, data={"listed": {"place": ids}})


@changes
def save_place(work: Work, *, where: str) -> ActionResult:
    """Save a place: what it is called, and where."""
    name, _at, spot = _AT.sub("\0", _kept(where, "a place"), count=1).partition("\0")
    if not name or not spot:
        raise BadInput("say what the place is called and where: base at 120 64 -300")
    query = "INSERT INTO place (author, name, spot, saved_at) VALUES (?, ?, ?, ?)"
    given = (work.context.user, name, spot, work.now)
    place = f"{PLACE}{work.connection.execute(query, given).lastrowid}"
    work.change("places", name, None, spot)
    return ActionResult(
        text=f"Saved {name} at {spot} as {place}.",
        data={"listed": {"place": [place]}},
        undo={"place": place},
    )


@changes
def forget_place(work: Work, *, place: str) -> ActionResult:
    """Forget a saved place; it can be restored."""
    _mark(work, "place", place, is_deleted=True)
    return ActionResult(text=f"{place} is forgotten.", undo={"place": place})


@changes
def restore_place(work: Work, *, place: str) -> ActionResult:
    """Bring a forgotten place back."""
    _mark(work, "place", place, is_deleted=False)
    return ActionResult(text=f"{place} is back.", undo={"place": place})


@reads
def look_up_recipe(work: Work, *, item: str) -> ActionResult:
    """Tell what a thing is crafted from."""
    takes = RECIPES.get(item.lower())
    if takes is None:
        raise BadInput(f"I know no recipe for {item}; I know {', '.join(sorted(RECIPES))}")
    return ActionResult(text=f"{item.capitalize()}: {takes}.")


def _kept(given: str, what: str) -> str:
    text = " ".join(given.split())
    if not 0 < len(text) <= MOST_CHARACTERS:
        raise BadInput(f"{what} has 1 to {MOST_CHARACTERS} characters")
    return text


def _mark(work: Work, table: str, name: str, *, is_deleted: bool) -> None:
    row = work.row(table, NOTE if table == "note" else PLACE, name)
    if bool(row["is_deleted"]) == is_deleted:
        standing = "deleted" if is_deleted else "kept"
        raise Conflict(f"{name} is {standing} already", standing)
    query = f"UPDATE {table} SET is_deleted = ? WHERE number = ?"  # noqa: S608  # a name of ours
    work.connection.execute(query, (int(is_deleted), row["number"]))
    told = row["text"] if table == "note" else f"{row['name']} at {row['spot']}"
    before, after = (told, None) if is_deleted else (None, told)
    work.change(name, table, before, after)
