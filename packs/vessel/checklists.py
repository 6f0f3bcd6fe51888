"""Checklists: show, check off, add and remove items."""

import sqlite3

from prefrontal.pack import ActionResult, Conflict, NotFound

from .effects import changes, listed, reads, take_back
from .formatting import checked_text, counted
from .names import CHECKLIST
from .unit_of_work import UnitOfWork


@reads
def show_checklist(unit: UnitOfWork, *, checklist: str | None = None) -> ActionResult:
    """Tell one checklist item by item, or which there are.

    Raises:
        NotFound: no such checklist.
    """
    if checklist is None:
        sheets = unit.rows("SELECT * FROM checklist ORDER BY id")
        lines = [_head(unit, sheet) for sheet in sheets]
        return ActionResult(
            text="\n".join([f"{counted(len(sheets), 'checklist')}:", *lines]),
            data={"checklists": [dict(sheet) for sheet in sheets], **listed(CHECKLIST, sheets)},
        )
    sheet = unit.find(CHECKLIST, checklist)
    items = _items(unit, sheet)
    lines = [f"{item['place']}. {item['text']}{_mark(item)}" for item in items]
    laid = unit.rows(
        "SELECT title FROM attachment WHERE container = 'checklist' AND target = ?", sheet["id"]
    )
    lines += [f"document: {paper['title']}" for paper in laid]
    return ActionResult(
        text="\n".join([_head(unit, sheet), *lines]),
        data={
            "checklist": sheet["id"],
            "items": [dict(item) for item in items],
            **listed(CHECKLIST, [sheet]),
        },
    )


@changes
def check_off_item(unit: UnitOfWork, *, checklist: str, number: int) -> ActionResult:
    """Mark one item of a checklist as done.

    Raises:
        NotFound: no such checklist or item.
        Conflict: it is done already.
    """
    sheet, item = _item(unit, checklist, number)
    if item["done_by"] is not None:
        raise Conflict(f"item {number} was checked off by {item['done_by']}", "done")
    unit.update("checklist_item", item["id"], done_by=unit.user, done_at=unit.now.isoformat())
    return ActionResult(
        text=f"{sheet['title']}, item {number} is checked off: {item['text']}",
        data={"checklist": sheet["id"], "number": number},
        changed=(f"{sheet['id']}: item {number} checked off",),
        undo={"checklist": sheet["title"], "number": number},
    )


@changes
def uncheck_item(unit: UnitOfWork, *, checklist: str, number: int) -> ActionResult:
    """Take the mark off one item of a checklist.

    Raises:
        NotFound: no such checklist or item.
        Conflict: it is not done.
    """
    sheet, item = _item(unit, checklist, number)
    if item["done_by"] is None:
        raise Conflict(f"item {number} of {sheet['title']} is not checked off", "open")
    unit.update("checklist_item", item["id"], done_by=None, done_at=None)
    return ActionResult(
        text=f"{sheet['title']}, item {number} is open again: {item['text']}",
        changed=(f"{sheet['id']}: item {number} unchecked",),
    )


@changes
def add_item_to_checklist(unit: UnitOfWork, *, checklist: str, item: str) -> ActionResult:
    """Add an item at the end of a checklist.

    Raises:
        NotFound: no such checklist.
        BadInput: the item is empty or too long.
    """
    text = checked_text(item, "item")
    sheet = unit.find(CHECKLIST, checklist)
    place = _last_place(unit, sheet) + 1
    unit.insert(
        "checklist_item", checklist=sheet["id"], place=place, text=text, done_by=None, done_at=None
    )
    return ActionResult(
        text=f"{sheet['title']}, item {place}: {text}",
        data={"checklist": sheet["id"], "number": place},
        changed=(f"{sheet['id']}: item {place} added",),
        undo={"checklist": sheet["title"], "number": place},
    )


@changes
def remove_item_from_checklist(unit: UnitOfWork, *, checklist: str, number: int) -> ActionResult:
    """Take an item off a checklist.

    Raises:
        NotFound: no such checklist or item.
        Conflict: it was checked off since it was added.
    """
    sheet, item = _item(unit, checklist, number)
    if not take_back(unit, "add_item_to_checklist", "checklist_item", str(item["id"])):
        unit.delete("checklist_item", item["id"])
    return ActionResult(
        text=f"{sheet['title']}: item {number} is removed: {item['text']}",
        changed=(f"{sheet['id']}: item {number} removed",),
        undo={"checklist": sheet["title"], "item": item["text"]},
    )


def _item(unit: UnitOfWork, checklist: str, number: int) -> tuple[sqlite3.Row, sqlite3.Row]:
    sheet = unit.find(CHECKLIST, checklist)
    query = "SELECT * FROM checklist_item WHERE checklist = ? AND place = ?"
    item = unit.row(query, sheet["id"], number)
    if item is None:
        raise NotFound("item", f"{number} of {sheet['title']}")
    unit.facts.append(("item", f"{number}. {item['text']}"))
    return sheet, item


def _items(unit: UnitOfWork, sheet: sqlite3.Row) -> list[sqlite3.Row]:
    query = "SELECT * FROM checklist_item WHERE checklist = ? ORDER BY place"
    return list(unit.rows(query, sheet["id"]))


def _last_place(unit: UnitOfWork, sheet: sqlite3.Row) -> int:
    """Find the last place a checklist has or had: a removed item's number is nobody else's."""
    query = (
        "SELECT max(place) AS last FROM (SELECT place FROM checklist_item WHERE checklist = :sheet"
        " UNION ALL SELECT json_extract(coalesce(before, after), '$.place') FROM effect_row"
        " WHERE table_name = 'checklist_item'"
        " AND json_extract(coalesce(before, after), '$.checklist') = :sheet)"
    )
    last = unit.connection.execute(query, {"sheet": sheet["id"]}).fetchone()["last"]
    return int(last or 0)


def _head(unit: UnitOfWork, sheet: sqlite3.Row) -> str:
    items = _items(unit, sheet)
    done = sum(item["done_by"] is not None for item in items)
    return f"{sheet['id']} {sheet['title']}, {sheet['used_for']}: {done} of {len(items)} done"


def _mark(item: sqlite3.Row) -> str:
    return f" (done, {item['done_by']})" if item["done_by"] else ""
