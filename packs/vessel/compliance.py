"""What leaves the vessel for the authorities: reports of hours of rest, logs, handovers."""

import re
from datetime import date, timedelta

from state.action import ActionResult
from state.errors import BadInput, Conflict, NotFound

from .effects import changes
from .names import HANDOVER
from .rest import breaches_since
from .unit_of_work import UnitOfWork
from .wording import day_of

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
