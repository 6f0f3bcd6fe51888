"""Write certificates, shipyards, checklists and hours of rest into an empty store."""

import json
import sqlite3
from collections.abc import Mapping
from typing import Any

Seed = Mapping[str, Any]  # Any: YAML's own values


def plant_papers(connection: sqlite3.Connection, seed: Seed) -> None:
    """Write all of them; the caller holds the transaction."""
    _plant_certificates(connection, seed)
    _plant_checklists(connection, seed)
    _plant_rest(connection, seed)


def _plant_certificates(connection: sqlite3.Connection, seed: Seed) -> None:
    connection.executemany(
        "INSERT INTO certificate VALUES (:id, :title, :also, :kind, :number, :authority, :issued,"
        " :expires, :document)",
        [
            {"expires": None, "document": None, **paper, "also": json.dumps(paper["also"])}
            for paper in seed["certificates"]
        ],
    )
    connection.executemany(
        "INSERT INTO shipyard VALUES (:name, :also, :place, :email)",
        [{**yard, "also": json.dumps(yard["also"])} for yard in seed["shipyards"]],
    )


def _plant_checklists(connection: sqlite3.Connection, seed: Seed) -> None:
    for sheet in seed["checklists"]:
        connection.execute(
            "INSERT INTO checklist VALUES (?, ?, ?, ?)",
            (sheet["id"], sheet["title"], json.dumps(sheet["also"]), sheet["used_for"]),
        )
        done = sheet.get("done", {})
        connection.executemany(
            "INSERT INTO checklist_item (checklist, place, text, done_by) VALUES (?, ?, ?, ?)",
            [
                (sheet["id"], place, text, done.get(place))
                for place, text in enumerate(sheet["items"], start=1)
            ],
        )


def _plant_rest(connection: sqlite3.Connection, seed: Seed) -> None:
    connection.executemany(
        "INSERT INTO rest_day (person, day, hours, periods, logged_by, logged_on)"
        " VALUES (?, ?, ?, ?, ?, ?)",
        [
            (person, day, _hours(periods), periods, person, day)
            for person, sheet in seed["hours_of_rest"].items()
            for day, periods in sheet.items()
        ],
    )


def _hours(periods: str) -> float:
    """Add up periods written as `00:00-06:00 13:00-17:30`."""
    ends = [end.split("-") for end in periods.split()]
    return sum(_minute(end) - _minute(begin) for begin, end in ends) / 60


def _minute(clock: str) -> int:
    hours, minutes = clock.split(":")
    return int(hours) * 60 + int(minutes)
