"""Reports and exports.

Summaries, audit packs, compliance reports, handovers, and sharing with a shipyard.
"""

import re
from collections.abc import Sequence
from datetime import date, timedelta

from prefrontal.pack import ActionResult, BadInput, Conflict, NotFound

from .certificates import line_of
from .documents import file_document, open_share
from .effects import changes
from .formatting import day_of, in_words
from .hours_of_rest import breaches_since
from .names import DOCUMENT, HANDOVER, SHIPYARD, equipment_named
from .unit_of_work import UnitOfWork
from .work_orders import unfinished

AUTHORITY = "Marine Safety Authority"
ADDRESS = "reports@authority.example"
_MONTH = re.compile(r"\d{4}-(0[1-9]|1[0-2])")


@changes
def submit_compliance_report(unit: UnitOfWork, *, period: str | None = None) -> ActionResult:
    """Send a month's hours of rest and their breaches to the authority; the last month if not said.

    Raises:
        BadInput: the period is no month such as 2026-05.
        NotFound: there is nothing on record for that month.
        Conflict: it was submitted already.
    """
    month = _month(unit, period)
    there = "SELECT id FROM compliance_report WHERE period = ? AND state = 'submitted'"
    sent = unit.row(there, month)
    if sent is not None:
        raise Conflict(f"the report for {month} was submitted as {sent['id']}", "submitted")
    rows = unit.rows("SELECT * FROM rest_day WHERE day LIKE ?", f"{month}-%")
    if not rows:
        raise NotFound("hours of rest in", month)
    broken = breaches_since(unit, f"{month}-01", f"{month}-31")
    lines = [f"{person}: {one}" for person, found in sorted(broken.items()) for one in found]
    people = len(broken)
    content = "\n".join([f"{len(rows)} days of {people} people, {len(lines)} breaches", *lines])
    unit.facts += [("period", month), ("on record", content.splitlines()[0])]
    unit.count = len(rows)
    unit.recipients.append(ADDRESS)
    for row in rows:  # what is reported must be what was seen
        unit.saw("rest day", str(row["id"]), row)
    number = unit.next_id("compliance_report", "CR-")
    unit.insert(
        "compliance_report",
        id=number,
        kind="hours of rest",
        period=month,
        state="submitted",
        submitted_on=unit.day,
        submitted_by=unit.user,
        recipient=AUTHORITY,
        content=content,
    )
    return ActionResult(
        text=f"{number}, hours of rest {month}, is submitted to {AUTHORITY}: {content}",
        data={"report": number, "period": month, "entries": len(rows), "breaches": len(lines)},
        changed=(f"{number}: submitted, {month}",),
        undo={"period": month},
    )


@changes
def withdraw_compliance_report(unit: UnitOfWork, *, period: str | None = None) -> ActionResult:
    """Withdraw a submitted report, so that it can be submitted again; the last month if not said.

    Raises:
        BadInput: the period is no month such as 2026-05.
        NotFound: no report for that month is submitted.
    """
    month = _month(unit, period)
    there = "SELECT * FROM compliance_report WHERE period = ? AND state = 'submitted'"
    sent = unit.row(there, month)
    if sent is None:
        raise NotFound("submitted report for", month)
    unit.facts.append(("report", f"{sent['id']}, {sent['kind']}, {month}"))
    unit.recipients.append(ADDRESS)
    unit.update("compliance_report", sent["id"], state="withdrawn")
    return ActionResult(
        text=f"{sent['id']}, {sent['kind']} {month}, is withdrawn.",
        data={"report": sent["id"], "period": month},
        changed=(f"{sent['id']}: submitted -> withdrawn",),
    )


@changes
def export_compliance_logs(unit: UnitOfWork, *, since: str | None = None) -> ActionResult:
    """Export hours of rest, certificates and reports; from the first entry if not said.

    Raises:
        BadInput: `since` is no date.
        NotFound: nothing is on record from then on.
    """
    first = day_of(since) if since else ""
    rest = unit.rows("SELECT * FROM rest_day WHERE day >= ? ORDER BY day, person", first)
    papers = unit.rows("SELECT * FROM certificate ORDER BY id")
    reports = unit.rows("SELECT * FROM compliance_report WHERE submitted_on >= ?", first)
    if not rest:
        raise NotFound("compliance logs since", first or "the beginning")
    lines = ["kind;what;when;who;value"]
    lines += [f"rest;{r['periods']};{r['day']};{r['person']};{r['hours']:g}" for r in rest]
    lines += [
        f"certificate;{c['title']};{c['expires']};{c['authority']};{c['number']}" for c in papers
    ]
    lines += [f"report;{r['kind']};{r['period']};{r['submitted_by']};{r['state']}" for r in reports]
    return _export(
        unit, "compliance logs", lines, len(lines) - 1, f"since {first or rest[0]['day']}"
    )


@changes
def export_handover(unit: UnitOfWork, *, day: str | None = None) -> ActionResult:
    """Export the handovers of one day with all their lines; all of them if not said.

    Raises:
        BadInput: `day` is no date.
        NotFound: there is none of that day.
    """
    on = day_of(day) if day else ""
    sheets = unit.rows("SELECT * FROM handover WHERE day LIKE ? ORDER BY day, id", f"{on}%")
    if not sheets:
        raise NotFound("handover", on or "any")
    lines = []
    for sheet in sheets:
        unit.saw(HANDOVER.word, str(sheet["id"]), sheet)
        lines.append(f"# {sheet['id']}, {sheet['day']}, {sheet['watch']} watch, {sheet['officer']}")
        query = "SELECT author, text FROM handover_item WHERE handover = ? ORDER BY id"
        lines += [f"- {item['text']} ({item['author']})" for item in unit.rows(query, sheet["id"])]
    return _export(unit, "handovers", lines, len(sheets), f"of {on}" if on else "of every day")


@changes
def delete_export(unit: UnitOfWork, *, export: str) -> ActionResult:
    """Delete the file of an export; what was downloaded of it is out of reach.

    Raises:
        NotFound: no such export.
    """
    made = unit.row("SELECT * FROM export WHERE id = ?", export.strip().upper())
    if made is None:
        raise NotFound("export", export)
    unit.facts.append(("export", f"{made['id']}, {made['kind']}, {made['entries']} entries"))
    unit.delete("export", made["id"])
    return ActionResult(
        text=f"{made['id']} ({made['kind']}) is deleted.", changed=(f"{made['id']}: deleted",)
    )


def _export(unit: UnitOfWork, kind: str, lines: list[str], entries: int, span: str) -> ActionResult:
    number = unit.next_id("export", "EXP-")
    unit.count = entries
    unit.facts.append((kind, f"{entries} entries {span}"))
    unit.insert(
        "export",
        id=number,
        kind=kind,
        made_on=unit.day,
        made_by=unit.user,
        entries=entries,
        content="\n".join(lines),
    )
    return ActionResult(
        text=f"{number}: {entries} {kind} {span} exported.",
        data={"export": number, "kind": kind, "entries": entries, "lines": len(lines)},
        changed=(f"{number}: {kind}, {entries} entries",),
        undo={"export": number},
    )


def _month(unit: UnitOfWork, period: str | None) -> str:
    if not period:
        return (unit.now.date().replace(day=1) - timedelta(days=1)).isoformat()[:7]
    named = period.strip()
    if _MONTH.fullmatch(named):
        return named
    try:
        return date.fromisoformat(named).isoformat()[:7]
    except ValueError as error:
        raise BadInput(f"{period[:40]!r} is no month; write it as 2026-05") from error


@changes
def share_with_shipyard(
    unit: UnitOfWork, *, work_orders: list[str], shipyard: str | None = None
) -> ActionResult:
    """Send some unfinished work orders to a yard; without a name, to the one we use.

    Raises:
        NotFound: no such work order or yard.
        BadInput: no work order is named.
        Conflict: one of them has ended, or the yard has it already.
    """
    if not work_orders:
        raise BadInput("name the work orders that the shipyard is to see")
    yard = unit.find(SHIPYARD, shipyard or _ours(unit))
    name, email = str(yard["name"]), str(yard["email"])
    orders = [unfinished(unit, order) for order in work_orders]
    keys = [str(order["id"]) for order in orders]
    if len(set(keys)) < len(keys):
        raise BadInput("one work order is named twice; name each once")
    unit.recipients.append(email)
    unit.count = len(keys)
    for key in keys:
        open_share(unit, "work_order", key, name, email)
    return ActionResult(
        text=f"{', '.join(keys)} sent to {name} ({email}).",
        data={"work_orders": [*keys], "shipyard": name, "email": email},
        undo={"work_orders": [*keys], "shipyard": name},
    )


@changes
def unshare_with_shipyard(
    unit: UnitOfWork, *, work_orders: list[str], shipyard: str | None = None
) -> ActionResult:
    """Close work orders to a yard that has them; what it read, it has read.

    Raises:
        NotFound: no such yard, or it has no such work order.
        BadInput: no work order is named.
    """
    if not work_orders:
        raise BadInput("name the work orders that the shipyard is no longer to see")
    yard = unit.find(SHIPYARD, shipyard or _ours(unit))
    unit.recipients.append(str(yard["email"]))
    unit.count = len(work_orders)
    for order in work_orders:
        shared = unit.row(
            "SELECT * FROM share WHERE what = 'work_order' AND target = ? AND recipient = ?"
            " AND state = 'shared'",
            order,
            yard["name"],
        )
        if shared is None:
            raise NotFound("shared work order", order)
        unit.update("share", shared["id"], state="withdrawn")
    return ActionResult(
        text=f"{', '.join(work_orders)} closed to {yard['name']}.",
        data={"work_orders": list(work_orders), "shipyard": yard["name"]},
    )


def _ours(unit: UnitOfWork) -> str:
    row = unit.row("SELECT name FROM shipyard ORDER BY rowid LIMIT 1")
    if row is None:
        raise NotFound("shipyard", "ours")
    return str(row["name"])


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
