"""Faults: what a code or a symptom may come from, what to check and what mends it."""

import json
import sqlite3
from collections.abc import Iterable
from datetime import datetime

from pydantic import JsonValue

from state.action import ActionResult
from state.errors import BadInput

from .effects import reads
from .names import FAULT, SYMPTOM, equipment_named, find
from .unit_of_work import UnitOfWork

MOST_FAULTS = 3
MOST_EQUIPMENT_ALARMS = 5


@reads
def diagnose_fault(
    unit: UnitOfWork,
    *,
    equipment: str | None = None,
    fault_code: str | None = None,
    symptom: str | None = None,
) -> ActionResult:
    """Tell likely causes, checks and remedies for a code, a symptom or a piece of equipment.

    Raises:
        BadInput: none of the three is given.
        NotFound: one of them is unknown.
    """
    if not (equipment or fault_code or symptom):
        raise BadInput("name the equipment, a fault code or a symptom to diagnose")
    connection = unit.connection
    machines = equipment_named(connection, equipment) if equipment else ()
    known = find(connection, SYMPTOM, symptom)["name"] if symptom else None
    if fault_code:
        faults = [find(connection, FAULT, fault_code)]
    else:
        faults = _faults_of(connection, machines, known)
    alarms = _alarms(connection, machines)
    faults.sort(key=lambda fault: -sum(alarm["fault"] == fault["code"] for alarm in alarms))
    likely = [(fault, _causes(connection, fault)) for fault in faults[:MOST_FAULTS]]
    about = " and ".join(str(row["name"]) for row in machines) or known or fault_code
    lines = [line for fault, causes in likely for line in _lines(fault, causes)]
    if not lines:
        lines = [f"No known fault fits {about}; ask the chief engineer to look."]
    lines += [_alarm_line(alarm) for alarm in alarms[:MOST_EQUIPMENT_ALARMS]]
    return ActionResult(
        text="\n".join(lines),
        data={
            "faults": [_data(fault, causes) for fault, causes in likely],
            "alarms": [dict(alarm) for alarm in alarms],
        },
    )


def _faults_of(
    connection: sqlite3.Connection, machines: Iterable[sqlite3.Row], symptom: str | None
) -> list[sqlite3.Row]:
    """List the faults that fit both what is given of machines and symptom."""
    names = {name for row in machines for name in (row["name"], row["family"])}
    return [
        fault
        for fault in connection.execute("SELECT * FROM fault ORDER BY code").fetchall()
        if (not names or names & set(json.loads(fault["applies"])))
        and (symptom is None or symptom in json.loads(fault["symptoms"]))
    ]


def _alarms(connection: sqlite3.Connection, machines: Iterable[sqlite3.Row]) -> list[sqlite3.Row]:
    """List the alarms of the machines, standing ones first, then the newest."""
    alarms = [
        alarm
        for row in machines
        for alarm in connection.execute(
            "SELECT fault, title, equipment, raised, cleared FROM alarm JOIN fault ON code = fault"
            " WHERE equipment = ?",
            (row["name"],),
        )
    ]
    alarms.sort(key=lambda alarm: str(alarm["raised"]), reverse=True)
    return sorted(alarms, key=lambda alarm: alarm["cleared"] is not None)


def _causes(connection: sqlite3.Connection, fault: sqlite3.Row) -> list[sqlite3.Row]:
    return connection.execute(
        "SELECT cause, test, remedy, part, name AS part_name, stock FROM fault_cause"
        " LEFT JOIN part ON number = part WHERE fault = ? ORDER BY rank",
        (fault["code"],),
    ).fetchall()


def _lines(fault: sqlite3.Row, causes: Iterable[sqlite3.Row]) -> list[str]:
    lines = [f"{fault['code']} {fault['title']}, severity {fault['severity']}. Likeliest first:"]
    for rank, cause in enumerate(causes, start=1):
        part = ""
        if cause["part"]:
            part = f" (needs {cause['part_name']} {cause['part']}, {cause['stock']} in stock)"
        lines.append(
            f"{rank}. {cause['cause']}. Check: {cause['test']}. Remedy: {cause['remedy']}{part}."
        )
    return lines


def _data(fault: sqlite3.Row, causes: Iterable[sqlite3.Row]) -> dict[str, JsonValue]:
    return {
        "code": fault["code"],
        "title": fault["title"],
        "severity": fault["severity"],
        "causes": [dict(cause) for cause in causes],
    }


def _alarm_line(alarm: sqlite3.Row) -> str:
    raised = datetime.fromisoformat(alarm["raised"])
    end = "still standing" if alarm["cleared"] is None else "cleared"
    when = f"{raised:%Y-%m-%d %H:%M}"
    return f"Alarm {alarm['fault']} on {alarm['equipment']} raised {when} UTC, {end}."
