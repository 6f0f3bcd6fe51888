"""Watch handovers: show, add and remove items, sign and reopen."""

import sqlite3
from dataclasses import dataclass
from datetime import timedelta

from pydantic import JsonValue

from prefrontal.pack import ActionResult, Conflict, NotFound

from .effects import changes, listed, reads, take_back
from .formatting import checked_text, day_of
from .names import HANDOVER, equipment_named
from .unit_of_work import UnitOfWork

_YESTERDAY = "yesterday's"


@dataclass(frozen=True)
class _Told:
    """A handover in words and as data."""

    text: str
    data: dict[str, JsonValue]


@reads
def view_handover(
    unit: UnitOfWork, *, day: str | None = None, which: str | None = None
) -> ActionResult:
    """Tell the newest handover, the one before it, or those of one day.

    Raises:
        BadInput: `day` is no date.
        NotFound: there is none of that day, or none before the newest.
    """
    if day is None and which == _YESTERDAY:
        day = (unit.now.date() - timedelta(days=1)).isoformat()
    if day is None and which is not None:
        sheets = unit.rows("SELECT * FROM handover ORDER BY day DESC, id DESC LIMIT 1 OFFSET 1")
    elif day is None:
        sheets = unit.rows("SELECT * FROM handover ORDER BY day DESC, id DESC LIMIT 1")
    else:
        sheets = unit.rows("SELECT * FROM handover WHERE day = ? ORDER BY id", day_of(day))
    if not sheets:
        raise NotFound("handover", day or which or "newest")
    told = [_told(unit, sheet) for sheet in sheets]
    return ActionResult(
        text="\n\n".join(sheet.text for sheet in told),
        data={"handovers": [sheet.data for sheet in told], **listed(HANDOVER, sheets)},
    )


@changes
def add_to_handover(unit: UnitOfWork, *, note: str, equipment: str | None = None) -> ActionResult:
    """Add a line to the open handover; the first line of a new watch opens one.

    Raises:
        BadInput: the note is empty or too long.
        NotFound: no such equipment.
    """
    text = checked_text(note, "note")
    machines = equipment_named(unit.connection, equipment) if equipment else ()
    about = machines[0]["name"] if len(machines) == 1 else None  # a family is named by the text
    changed = []
    sheet = open_sheet(unit)
    if sheet is None:
        sheet = _new_sheet(unit)
        changed.append(f"{sheet}: opened")
    number = unit.insert(
        "handover_item",
        handover=sheet,
        author=unit.user,
        equipment=about,
        text=text,
        written_at=unit.now.isoformat(),
    )
    return ActionResult(
        text=f"Added to handover {sheet}: {text}",
        data={"handover": sheet, "note": text, "equipment": about, "author": unit.user},
        changed=(*changed, f"{sheet}: line added"),
        undo={"line": number},
    )


@changes
def remove_from_handover(unit: UnitOfWork, *, line: int | None = None) -> ActionResult:
    """Take a line out of the open handover; without a number, the newest of whoever asks.

    Raises:
        NotFound: no such line.
        Conflict: its handover is signed.
    """
    if line is None:
        query = "SELECT * FROM handover_item WHERE author = ? ORDER BY id DESC LIMIT 1"
        item = unit.row(query, unit.user)
    else:
        item = unit.row("SELECT * FROM handover_item WHERE id = ?", line)
    if item is None:
        raise NotFound("handover line", str(line or "of yours"))
    sheet = unit.find(HANDOVER, item["handover"])
    if sheet["state"] == "signed":
        raise Conflict(f"{sheet['id']} is signed; its lines stay", "signed")
    if not take_back(unit, "add_to_handover", "handover_item", str(item["id"])):
        unit.delete("handover_item", item["id"])
    return ActionResult(
        text=f"Taken out of handover {sheet['id']}: {item['text']}",
        data={"handover": sheet["id"], "note": item["text"]},
        changed=(f"{sheet['id']}: line {item['id']} removed",),
        undo={"note": item["text"]}
        | ({"equipment": item["equipment"]} if item["equipment"] else {}),
    )


@changes
def sign_handover(unit: UnitOfWork, *, handover: str | None = None) -> ActionResult:
    """Sign the open handover: from then on its lines stay as they are.

    Raises:
        NotFound: no such handover, or none is open.
        Conflict: it is signed already.
    """
    name = handover or open_sheet(unit)
    if name is None:
        raise NotFound("open handover", "today")
    sheet = unit.find(HANDOVER, name)
    if sheet["state"] == "signed":
        raise Conflict(f"{sheet['id']} is signed already", "signed")
    unit.update("handover", sheet["id"], state="signed", signed_by=unit.user)
    return ActionResult(
        text=f"Handover {sheet['id']} is signed by {unit.user}.",
        changed=(f"{sheet['id']}: open -> signed",),
        undo={"handover": sheet["id"]},
    )


@changes
def reopen_handover(unit: UnitOfWork, *, handover: str) -> ActionResult:
    """Open a signed handover again, unless another one has been opened since.

    Raises:
        NotFound: no such handover.
        Conflict: it is open, or another one is.
    """
    sheet = unit.find(HANDOVER, handover)
    if sheet["state"] == "open":
        raise Conflict(f"{sheet['id']} is open", "open")
    other = open_sheet(unit)
    if other is not None:
        raise Conflict(f"{other} is open already; write there", "signed")
    unit.update("handover", sheet["id"], state="open", signed_by=None)
    return ActionResult(
        text=f"Handover {sheet['id']} is open again.",
        changed=(f"{sheet['id']}: signed -> open",),
    )


def open_sheet(unit: UnitOfWork) -> str | None:
    """Name the handover of the running watch; None: all are signed."""
    row = unit.row(
        "SELECT id FROM handover WHERE state = 'open' ORDER BY day DESC, id DESC LIMIT 1"
    )
    return None if row is None else str(row["id"])


def _new_sheet(unit: UnitOfWork) -> str:
    sheet = unit.next_id("handover", "HO-")
    unit.insert(
        "handover",
        id=sheet,
        day=unit.day,
        watch=_watch(unit.now.hour),
        officer=unit.user,
        state="open",
        signed_by=None,
    )
    return sheet


def _watch(hour: int) -> str:
    return "night" if hour < 8 else "day" if hour < 16 else "evening"


def _told(unit: UnitOfWork, sheet: sqlite3.Row) -> _Told:
    items = unit.rows(
        "SELECT author, equipment, text FROM handover_item WHERE handover = ? ORDER BY id",
        sheet["id"],
    )
    laid = unit.rows(
        "SELECT kind, title FROM attachment WHERE container = 'handover' AND target = ?",
        sheet["id"],
    )
    head = f"Handover {sheet['id']}, {sheet['day']}, {sheet['watch']} watch, {sheet['officer']}"
    lines = [f"- {item['text']} ({item['author']})" for item in items] or ["- nothing yet"]
    lines += [f"- {paper['kind']}: {paper['title']}" for paper in laid]
    return _Told(
        text="\n".join([f"{head}, {sheet['state']}:", *lines]),
        data={**dict(sheet), "items": [dict(item) for item in items]},
    )
