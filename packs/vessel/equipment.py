"""Equipment: what is on board, its condition and its history."""

import sqlite3
from collections.abc import Sequence
from datetime import datetime

from pydantic import JsonValue

from prefrontal.pack import ActionResult

from .effects import listed, reads
from .formatting import day_of, days_between, in_words
from .names import EQUIPMENT, equipment_named
from .unit_of_work import UnitOfWork


@reads
def show_equipment_overview(unit: UnitOfWork, *, equipment: str | None = None) -> ActionResult:
    """Tell state, hours, service, open work and standing alarms of one, a family or all.

    Raises:
        NotFound: no such equipment.
    """
    rows: Sequence[sqlite3.Row]
    if equipment is None:
        rows = unit.rows("SELECT * FROM equipment")
    else:
        rows = equipment_named(unit.connection, equipment)
    sheets = [_Sheet(unit.connection, row) for row in rows]
    if len(sheets) == 1:
        text = sheets[0].in_full(unit.now)
    else:
        text = "\n".join([f"{len(sheets)} pieces of equipment:", *(s.in_short() for s in sheets)])
    data: dict[str, JsonValue] = {"equipment": [sheet.data() for sheet in sheets]}
    return ActionResult(text=text, data={**data, **listed(EQUIPMENT, rows)})


@reads
def show_equipment_history(
    unit: UnitOfWork, *, equipment: str, since: str | None = None
) -> ActionResult:
    """Tell what was done to one or a family, newest first.

    Raises:
        NotFound: no such equipment.
        BadInput: `since` is no date.
    """
    rows = equipment_named(unit.connection, equipment)
    first_day = "" if since is None else day_of(since)
    entries = [
        entry
        for row in rows
        for entry in unit.rows(
            "SELECT equipment, day, author, what FROM equipment_history"
            " WHERE equipment = ? AND day >= ?",
            row["name"],
            first_day,
        )
    ]
    entries.sort(key=lambda entry: str(entry["day"]), reverse=True)
    names = ", ".join(str(row["name"]) for row in rows)
    if not entries:
        text = f"Nothing is recorded for {names}{f' since {first_day}' if first_day else ''}."
    else:
        lines = [f"{e['day']} {e['equipment']}: {e['what']} ({e['author']})" for e in entries]
        text = "\n".join([f"History of {names}:", *lines])
    data: dict[str, JsonValue] = {"history": [dict(entry) for entry in entries]}
    return ActionResult(text=text, data={**data, **listed(EQUIPMENT, rows)})


class _Sheet:
    """One piece of equipment with its open work and its standing alarms."""

    def __init__(self, connection: sqlite3.Connection, row: sqlite3.Row) -> None:
        self.row = row
        self.to_service: int = row["serviced_at"] + row["interval"] - row["hours"]
        self.work = connection.execute(
            "SELECT id, title, state, due FROM work_order"
            " WHERE equipment = ? AND state NOT IN ('closed', 'cancelled') ORDER BY due, id",
            (row["name"],),
        ).fetchall()
        self.alarms = connection.execute(
            "SELECT code, title FROM alarm JOIN fault ON code = fault"
            " WHERE equipment = ? AND cleared IS NULL ORDER BY raised",
            (row["name"],),
        ).fetchall()
        self.notes = connection.execute(
            "SELECT text, author, written_at FROM equipment_note WHERE equipment = ? ORDER BY id",
            (row["name"],),
        ).fetchall()

    def in_short(self) -> str:
        marks = [str(order["id"]) for order in self.work]
        marks += [f"alarm {alarm['code']}" for alarm in self.alarms]
        tail = f" ({', '.join(marks)})" if marks else ""
        return f"{self.row['name']}: {self.row['state']}, {self.row['hours']} h{tail}"

    def in_full(self, now: datetime) -> str:
        row = self.row
        due = f"due in {self.to_service} h"
        if self.to_service <= 0:
            due = f"overdue by {-self.to_service} h"
        lines = [
            f"{row['name']}: {row['state']}, {row['location']}",
            f"{row['maker']} {row['model']}, serial {row['serial']}",
            f"{row['hours']} running hours, service every {row['interval']} h, {due}",
        ]
        lines += [f"standing alarm {alarm['code']}: {alarm['title']}" for alarm in self.alarms]
        for order in self.work:
            late = " and late" if days_between(order["due"], now.date()) > 0 else ""
            state = in_words(order["state"])
            lines.append(f"{order['id']} {order['title']}: {state}, due {order['due']}{late}")
        lines += [f"{n['written_at'][:10]} {n['author']}: {n['text']}" for n in self.notes]
        return "\n".join(lines)

    def data(self) -> dict[str, JsonValue]:
        row = self.row
        return {
            "name": row["name"],
            "family": row["family"],
            "state": row["state"],
            "location": row["location"],
            "hours": row["hours"],
            "hours_to_service": self.to_service,
            "work_orders": [order["id"] for order in self.work],
            "alarms": [alarm["code"] for alarm in self.alarms],
        }
