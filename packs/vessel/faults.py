"""Faults and alarms: causes, checks and remedies of a fault; alarms and running hours on record."""

import json
import sqlite3
from collections.abc import Iterable
from datetime import datetime

from pydantic import JsonValue

from prefrontal.pack import ActionResult, BadInput, Conflict, NotFound

from .effects import changes, reads, take_back, type_of
from .formatting import counted
from .names import EQUIPMENT, FAULT, SYMPTOM, equipment_named, find
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


_EVERY = "SELECT alarm.*, title FROM alarm JOIN fault ON code = fault ORDER BY raised DESC, id DESC"
LONGEST_STEP = 5_000
"""Hours a counter can have moved since it was read last; more is a slip of the finger."""


@reads
def show_alarms(unit: UnitOfWork, *, equipment: str | None = None) -> ActionResult:
    """List the alarms that stand, of some equipment or of all.

    Raises:
        NotFound: no such equipment.
    """
    names = {m["name"] for m in equipment_named(unit.connection, equipment)} if equipment else ()
    standing = [
        alarm
        for alarm in unit.rows(_EVERY)
        if alarm["cleared"] is None and (not names or alarm["equipment"] in names)
    ]
    lines = [
        f"{a['fault']} {a['title']} on {a['equipment']} since {a['raised'][:16]}" for a in standing
    ]
    head = (
        f"{counted(len(standing), 'alarm stands', 'alarms stand')}:"
        if standing
        else "No alarm stands."
    )
    # An alarm has no name of its own: the first one is the first code on the first machine.
    places: dict[str, JsonValue] = {
        type_of(EQUIPMENT): [alarm["equipment"] for alarm in standing],
        type_of(FAULT): [alarm["fault"] for alarm in standing],
    }
    return ActionResult(
        text="\n".join([head, *lines]),
        data={"alarms": [dict(alarm) for alarm in standing], "listed": places},
    )


@reads
def trace_fault(
    unit: UnitOfWork, *, fault_code: str | None = None, equipment: str | None = None
) -> ActionResult:
    """Tell when a fault came up, on what, and for how long: by its code, by equipment, or both.

    Raises:
        BadInput: neither is given.
        NotFound: one of them is unknown.
    """
    if not (fault_code or equipment):
        raise BadInput("name the fault code or the equipment to trace")
    code = unit.find(FAULT, fault_code)["code"] if fault_code else None
    names = {m["name"] for m in equipment_named(unit.connection, equipment)} if equipment else ()
    came = [
        alarm
        for alarm in unit.rows(_EVERY)
        if code in (None, alarm["fault"]) and (not names or alarm["equipment"] in names)
    ]
    lines = [
        f"{a['raised'][:16]} {a['fault']} {a['title']} on {a['equipment']},"
        f" {'cleared ' + a['cleared'][:16] if a['cleared'] else 'still standing'}"
        for a in came
    ]
    about = " on ".join(filter(None, (code, equipment)))
    head = f"{about} came {counted(len(came), 'time')}:" if came else f"{about} is not on record."
    return ActionResult(text="\n".join([head, *lines]), data={"alarms": [dict(a) for a in came]})


@changes
def clear_alarm(unit: UnitOfWork, *, equipment: str, fault_code: str | None = None) -> ActionResult:
    """Note that an alarm is over; without a code, the only one that stands there.

    Raises:
        NotFound: no such equipment or fault, or no such alarm stands.
        BadInput: several stand and none is named.
    """
    machine = unit.find(EQUIPMENT, equipment)["name"]
    code = unit.find(FAULT, fault_code)["code"] if fault_code else None
    query = "SELECT * FROM alarm WHERE equipment = ? AND cleared IS NULL ORDER BY raised"
    standing = [a for a in unit.rows(query, machine) if code in (None, a["fault"])]
    if not standing:
        raise NotFound("standing alarm", " on ".join(filter(None, (code, machine))))
    if len({alarm["fault"] for alarm in standing}) > 1:
        codes = ", ".join(sorted({str(alarm["fault"]) for alarm in standing}))
        raise BadInput(f"several alarms stand on {machine}: {codes}; name one of them")
    for alarm in standing:
        unit.update("alarm", alarm["id"], cleared=unit.now.isoformat())
    code = str(standing[0]["fault"])
    return ActionResult(
        text=f"Alarm {code} on {machine} is cleared.",
        data={"equipment": machine, "fault_code": code},
        changed=(f"{machine}: alarm {code} cleared",),
        undo={"equipment": machine, "fault_code": code},
    )


@changes
def restore_alarm(unit: UnitOfWork, *, equipment: str, fault_code: str) -> ActionResult:
    """Let an alarm stand again that was cleared too early.

    Raises:
        NotFound: no such equipment or fault, or it was never cleared there.
        Conflict: it stands.
    """
    machine = unit.find(EQUIPMENT, equipment)["name"]
    code = unit.find(FAULT, fault_code)["code"]
    query = "SELECT * FROM alarm WHERE equipment = ? AND fault = ? ORDER BY raised DESC LIMIT 1"
    last = unit.row(query, machine, code)
    if last is None:
        raise NotFound("alarm", f"{code} on {machine}")
    if last["cleared"] is None:
        raise Conflict(f"alarm {code} stands on {machine}", "standing")
    if not take_back(unit, "clear_alarm", "alarm", str(last["id"])):
        unit.update("alarm", last["id"], cleared=None)
    return ActionResult(
        text=f"Alarm {code} stands on {machine} again.",
        changed=(f"{machine}: alarm {code} stands again",),
    )


@changes
def update_running_hours(unit: UnitOfWork, *, equipment: str, hours: int) -> ActionResult:
    """Write down what the hour counter of a piece of equipment shows.

    Raises:
        NotFound: no such equipment.
        BadInput: the counter would run backwards, or leap.
    """
    machine = unit.find(EQUIPMENT, equipment)
    name, before = str(machine["name"]), int(machine["hours"])
    if isinstance(hours, bool) or not before <= hours <= before + LONGEST_STEP:
        raise BadInput(f"{name} stood at {before} h and cannot stand at {hours} h; read it again")
    if hours == before:
        raise Conflict(f"{name} stands at {hours} h already", str(hours))
    unit.update("equipment", name, hours=hours)
    return ActionResult(
        text=f"{name}: {hours} running hours.",
        data={"equipment": name, "was": before, "hours": hours},
        changed=(f"{name}: {before} h -> {hours} h",),
        undo={"equipment": name},
    )


@changes
def revert_running_hours(unit: UnitOfWork, *, equipment: str) -> ActionResult:
    """Put the running hours back to the reading before.

    Raises:
        NotFound: no such equipment.
        Conflict: there is no reading that could be reverted, or a later one stands on it.
    """
    name = str(unit.find(EQUIPMENT, equipment)["name"])
    if not take_back(unit, "update_running_hours", "equipment", name):
        raise Conflict(f"{name} has no reading that could be reverted", "none")
    return ActionResult(text=f"The last reading of {name} is reverted.")
