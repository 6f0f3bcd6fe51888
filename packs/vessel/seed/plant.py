"""Insert the seed records of the YAML files into an empty store, always the same."""

import json
import sqlite3
from collections.abc import Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Any

import yaml

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


"""Records by their kind, as the YAML files beside this one hold them."""

_LOADER = getattr(yaml, "CSafeLoader", yaml.SafeLoader)  # absent where libyaml is
_FILES = (
    "crew",
    "documents",
    "equipment",
    "faults",
    "handovers",
    "hours_of_rest",
    "papers",
    "parts",
    "work_orders",
)


@cache  # reading YAML takes four fifths of making a store, and every tenant has one
def read_seed() -> Seed:
    """Read every seed file into one mapping from kind to records."""
    seed: dict[str, Any] = {}  # Any: YAML's own values
    for name in _FILES:
        text = Path(__file__).with_name(f"{name}.yaml").read_text(encoding="utf-8")
        seed.update(yaml.load(text, Loader=_LOADER))  # noqa: S506 - a safe one under both names
    return seed


def plant(connection: sqlite3.Connection, seed: Seed) -> None:
    """Write all records; the caller holds the transaction."""
    _plant_people(connection, seed)
    _plant_equipment(connection, seed)
    _plant_work(connection, seed)
    _plant_stock(connection, seed)
    _plant_faults(connection, seed)
    _plant_documents(connection, seed)
    _plant_handovers(connection, seed)
    plant_papers(connection, seed)


def _plant_people(connection: sqlite3.Connection, seed: Seed) -> None:
    connection.executemany(
        "INSERT INTO crew VALUES (:name, :role, :on_watch, :also)",
        [_named(person) for person in seed["crew"]],
    )
    connection.executemany(
        "INSERT INTO task VALUES (:id, :title, :assignee, :due, :state, NULL)", seed["tasks"]
    )


def _plant_equipment(connection: sqlite3.Connection, seed: Seed) -> None:
    connection.executemany(
        "INSERT INTO equipment VALUES (:name, :family, :also, :maker, :model, :serial, :location,"
        " :state, :hours, :interval, :serviced_at)",
        [_named(item) for item in seed["equipment"]],
    )
    connection.executemany(
        "INSERT INTO equipment_history (equipment, day, author, what)"
        " VALUES (:name, :day, :by, :what)",
        [{**entry, "name": e["name"]} for e in seed["equipment"] for entry in e["history"]],
    )
    families = [(name, _json(others)) for name, others in seed["families"].items()]
    connection.executemany("INSERT INTO family VALUES (?, ?)", families)


def _plant_work(connection: sqlite3.Connection, seed: Seed) -> None:
    still_open = {"closed": None, "closed_by": None}
    connection.executemany(
        "INSERT INTO work_order VALUES (:id, :title, :equipment, :also, :state, :priority,"
        " :assignee, :opened, :due, :closed, :closed_by)",
        [still_open | _named(order) for order in seed["work_orders"]],
    )
    connection.executemany(
        "INSERT INTO work_order_note (work_order, written_at, author, text)"
        " VALUES (:order, :at, :by, :text)",
        [
            {**note, "order": order["id"]}
            for order in seed["work_orders"]
            for note in order.get("notes", ())
        ],
    )


def _plant_stock(connection: sqlite3.Connection, seed: Seed) -> None:
    suppliers = seed["suppliers"]
    connection.executemany(
        "INSERT INTO part VALUES (:number, :name, :also, :fits, :stock, :minimum, :location,"
        " :supplier, :price_cents, :discontinued)",
        [
            {"discontinued": False}
            | _named(part)
            | {"supplier": suppliers[part["supplier"]], "price_cents": round(part["price"] * 100)}
            for part in seed["parts"]
        ],
    )
    connection.executemany(
        "INSERT INTO purchase_order VALUES (:id, :part, :quantity, :state, :ordered_on,"
        " :ordered_by, :work_order, NULL, NULL, NULL)",
        [{"work_order": None, **order} for order in seed["purchase_orders"]],
    )


def _plant_faults(connection: sqlite3.Connection, seed: Seed) -> None:
    symptoms = [(name, _json(others)) for name, others in seed["symptoms"].items()]
    connection.executemany("INSERT INTO symptom VALUES (?, ?)", symptoms)
    connection.executemany(
        "INSERT INTO fault VALUES (:code, :title, :applies, :symptoms, :severity)",
        [
            {**fault, "applies": _json(fault["applies"]), "symptoms": _json(fault["symptoms"])}
            for fault in seed["faults"]
        ],
    )
    connection.executemany(
        "INSERT INTO fault_cause VALUES (:code, :rank, :cause, :check, :remedy, :part)",
        [
            {"part": None, **cause, "code": fault["code"], "rank": rank}
            for fault in seed["faults"]
            for rank, cause in enumerate(fault["causes"], start=1)
        ],
    )
    connection.executemany(
        "INSERT INTO alarm (fault, equipment, raised, cleared)"
        " VALUES (:code, :equipment, :raised, :cleared)",
        seed["alarms"],
    )


def _plant_documents(connection: sqlite3.Connection, seed: Seed) -> None:
    connection.executemany(
        "INSERT INTO document VALUES (:id, :title, :kind, :also, :text, :statutory, :state,"
        " NULL, NULL, NULL, NULL)",
        [
            {"statutory": False, "state": "current"} | _named(document)
            for document in seed["documents"]
        ],
    )
    connection.executemany(
        "INSERT INTO document_text VALUES (:id, :title, :text)", seed["documents"]
    )


def _plant_handovers(connection: sqlite3.Connection, seed: Seed) -> None:
    connection.executemany(
        "INSERT INTO handover VALUES (:id, :day, :watch, :officer, :state, NULL)", seed["handovers"]
    )
    connection.executemany(
        "INSERT INTO handover_item (handover, author, equipment, text)"
        " VALUES (:id, :by, :equipment, :text)",
        [
            {"equipment": None, **item, "id": handover["id"]}
            for handover in seed["handovers"]
            for item in handover["items"]
        ],
    )


def _named(record: Mapping[str, Any]) -> dict[str, Any]:  # Any: YAML's own values
    """Return the record with its other names as one JSON text."""
    return {**record, "also": _json(record.get("also", []))}


def _json(names: Sequence[str]) -> str:
    return json.dumps(list(names))
