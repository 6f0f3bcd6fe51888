"""Reports made from the store and filed as documents: a summary, the pack for an audit."""

from collections.abc import Sequence

from state.action import ActionResult
from state.errors import Conflict

from .certificates import line_of
from .document_changes import file_document
from .effects import changes
from .names import DOCUMENT, equipment_named
from .rest import breaches_since
from .unit_of_work import UnitOfWork
from .wording import in_words

_REST_SINCE = "2000-01-01"


@changes
def generate_summary(unit: UnitOfWork, *, equipment: str | None = None) -> ActionResult:
    """File a summary of open work, standing alarms and low stock, of some equipment or of all.

    Raises:
        NotFound: no such equipment.
    """
    machines = equipment_named(unit.connection, equipment) if equipment else ()
    names = {str(machine["name"]) for machine in machines}
    orders = [
        order
        for order in unit.rows(
            "SELECT * FROM work_order WHERE state NOT IN ('closed', 'cancelled') ORDER BY due, id"
        )
        if not names or order["equipment"] in names
    ]
    alarms = [
        alarm
        for alarm in unit.rows("SELECT * FROM alarm WHERE cleared IS NULL ORDER BY raised")
        if not names or alarm["equipment"] in names
    ]
    about = ", ".join(sorted(names)) or "the vessel"
    lines = [f"{len(orders)} work orders unfinished, {len(alarms)} alarms standing."]
    lines += [
        f"{o['id']} {o['title']}: {in_words(o['state'])}, {o['priority']}, due {o['due']}"
        for o in orders
    ]
    lines += [f"alarm {a['fault']} on {a['equipment']} since {a['raised'][:10]}" for a in alarms]
    if not names:
        low = unit.rows("SELECT name FROM part WHERE stock < minimum ORDER BY name")
        lines.append(f"{len(low)} parts low: {', '.join(str(part['name']) for part in low)}.")
    return _file(unit, f"summary of {equipment or 'the vessel'}", about, lines)


@changes
def generate_audit_pack(unit: UnitOfWork) -> ActionResult:
    """File what an auditor asks for: certificates, rest, safety work, statutory documents."""
    certificates = unit.rows("SELECT * FROM certificate ORDER BY expires IS NULL, expires")
    broken = breaches_since(unit, _REST_SINCE)
    safety = unit.rows(
        "SELECT * FROM work_order WHERE priority = 'safety'"
        " AND state NOT IN ('closed', 'cancelled') ORDER BY due"
    )
    papers = unit.rows(
        "SELECT id, title FROM document WHERE statutory = 1 AND state = 'current' ORDER BY id"
    )
    breaches = [f"{person}: {one}" for person, found in sorted(broken.items()) for one in found]
    lines = [f"{len(certificates)} certificates:", *(line_of(unit, c) for c in certificates)]
    lines += [f"{len(breaches)} breaches of the hours of rest:", *breaches]
    lines += [f"{len(safety)} safety work orders unfinished:"]
    lines += [f"{order['id']} {order['title']}, due {order['due']}" for order in safety]
    lines += [f"{len(papers)} statutory documents:"]
    lines += [f"{paper['id']} {paper['title']}" for paper in papers]
    return _file(unit, "audit pack", "the vessel", lines)


@changes
def discard_report(unit: UnitOfWork, *, document: str) -> ActionResult:
    """Take a generated report away again.

    Raises:
        NotFound: no such document.
        Conflict: it is no report made here.
    """
    paper = unit.find(DOCUMENT, document)
    label = f"{paper['id']} ({paper['title']})"
    if paper["kind"] != "report" or paper["filed_by"] is None:
        raise Conflict(f"{label} is no report made here; archive it instead", paper["state"])
    unit.delete("document_text", paper["id"])
    unit.delete("document", paper["id"])
    return ActionResult(text=f"{label} is discarded.", changed=(f"{paper['id']}: discarded",))


def _file(unit: UnitOfWork, name: str, about: str, lines: Sequence[str]) -> ActionResult:
    made = unit.row("SELECT count(*) FROM document WHERE title LIKE ?", f"{name} {unit.day}%")
    again = made[0] if made else 0
    title = f"{name} {unit.day}" + (f" no. {again + 1}" if again else "")
    text = "\n".join([f"{title}, made by {unit.user} about {about}.", *lines])
    number = file_document(unit, title, text[:8_000], "report")
    return ActionResult(
        text=f"{number}, {text}"[:4_000],
        data={"document": number, "title": title, "lines": len(lines)},
        changed=(f"{number}: {title} filed",),
        undo={"document": number},
    )
