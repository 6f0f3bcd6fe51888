"""Alarms and running hours: what stands, how often it came, and writing both down."""

from pydantic import JsonValue

from state.action import ActionResult
from state.errors import BadInput, Conflict, NotFound

from .effects import changes, reads, take_back
from .listed import type_of
from .names import EQUIPMENT, FAULT, equipment_named
from .unit_of_work import UnitOfWork

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
    head = f"{len(standing)} alarms stand:" if standing else "No alarm stands."
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
    head = f"{about} came {len(came)} times:" if came else f"{about} is not on record."
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
