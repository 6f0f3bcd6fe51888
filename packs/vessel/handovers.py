"""The handover from one watch to the next: read it, add a line to it."""

import sqlite3
from dataclasses import dataclass
from datetime import datetime

from pydantic import JsonValue

from state.action import ActionResult
from state.errors import NotFound

from .names import equipment_named
from .wording import checked_text, day_of


@dataclass(frozen=True)
class _Told:
    """A handover in words and as data."""

    text: str
    data: dict[str, JsonValue]


def view(connection: sqlite3.Connection, day: str | None) -> ActionResult:
    """Tell the newest handover, or those of one day.

    Raises:
        BadInput: `day` is no date.
        NotFound: there is none of that day.
    """
    if day is None:
        query = "SELECT * FROM handover ORDER BY day DESC, id DESC LIMIT 1"
        sheets = connection.execute(query).fetchall()
    else:
        query = "SELECT * FROM handover WHERE day = ? ORDER BY id"
        sheets = connection.execute(query, (day_of(day),)).fetchall()
    if not sheets:
        raise NotFound("handover", day or "newest")
    told = [_told(connection, sheet) for sheet in sheets]
    return ActionResult(
        text="\n\n".join(sheet.text for sheet in told),
        data={"handovers": [sheet.data for sheet in told]},
    )


def add(
    connection: sqlite3.Connection,
    note: str,
    equipment: str | None,
    *,
    author: str,
    now: datetime,
) -> ActionResult:
    """Add a line to the open handover; the first line of a new watch opens one.

    Raises:
        BadInput: the note is empty or too long.
        NotFound: no such equipment.
    """
    text = checked_text(note, "note")
    machines = equipment_named(connection, equipment) if equipment else ()
    about = machines[0]["name"] if len(machines) == 1 else None  # a family is named by the text
    changed = []
    sheet = _open_sheet(connection)
    if sheet is None:
        sheet = _new_sheet(connection, author, now)
        changed.append(f"{sheet}: opened")
    connection.execute(
        "INSERT INTO handover_item (handover, author, equipment, text, written_at)"
        " VALUES (?, ?, ?, ?, ?)",
        (sheet, author, about, text, now.isoformat()),
    )
    return ActionResult(
        text=f"Added to handover {sheet}: {text}",
        data={"handover": sheet, "note": text, "equipment": about, "author": author},
        changed=(*changed, f"{sheet}: line added"),
    )


def _open_sheet(connection: sqlite3.Connection) -> str | None:
    row = connection.execute(
        "SELECT id FROM handover WHERE state = 'open' ORDER BY day DESC, id DESC LIMIT 1"
    ).fetchone()
    return None if row is None else str(row["id"])


def _new_sheet(connection: sqlite3.Connection, author: str, now: datetime) -> str:
    highest = connection.execute(
        "SELECT coalesce(max(CAST(substr(id, 4) AS INTEGER)), 0) FROM handover"
    ).fetchone()[0]
    sheet = f"HO-{highest + 1}"
    connection.execute(
        "INSERT INTO handover VALUES (?, ?, ?, ?, 'open')",
        (sheet, now.date().isoformat(), _watch(now.hour), author),
    )
    return sheet


def _watch(hour: int) -> str:
    return "night" if hour < 8 else "day" if hour < 16 else "evening"


def _told(connection: sqlite3.Connection, sheet: sqlite3.Row) -> _Told:
    items = connection.execute(
        "SELECT author, equipment, text FROM handover_item WHERE handover = ? ORDER BY id",
        (sheet["id"],),
    ).fetchall()
    head = f"Handover {sheet['id']}, {sheet['day']}, {sheet['watch']} watch, {sheet['officer']}"
    lines = [f"- {item['text']} ({item['author']})" for item in items] or ["- nothing yet"]
    return _Told(
        text="\n".join([f"{head}, {sheet['state']}:", *lines]),
        data={**dict(sheet), "items": [dict(item) for item in items]},
    )
