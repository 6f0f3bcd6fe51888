"""Certificates: list, expiry, documents and particulars."""

import sqlite3
from datetime import date

from prefrontal.pack import ActionResult, BadInput, Conflict

from .documents import file_document
from .effects import changes, listed, reads, take_back
from .formatting import Window, checked_text, counted, day_moved, day_of, window
from .names import CERTIFICATE, DOCUMENT
from .unit_of_work import UnitOfWork


@reads
def show_certificates(unit: UnitOfWork, *, certificate: str | None = None) -> ActionResult:
    """Tell one certificate, or list all, what runs out first on top.

    Raises:
        NotFound: no such certificate.
    """
    rows = [unit.find(CERTIFICATE, certificate)] if certificate else _all(unit)
    head = [] if certificate else [f"{counted(len(rows), 'certificate')}:"]
    return _told(unit, rows, head)


@reads
def show_expiring_certificates(
    unit: UnitOfWork,
    *,
    days: int | None = None,
    until: str | None = None,
    expires_in: str | None = None,
) -> ActionResult:
    """List what has run out or runs out within some days, or in a span of days; else within 90.

    Raises:
        BadInput: the number is not 0 to 3650, or a day cannot be read, or two of them are given.
    """
    if until or expires_in:
        if days is not None:
            raise BadInput(f"{days} days and {until or expires_in}: name one of them")
        return _expiring_in(unit, window(until, expires_in, unit.now.date()))
    within = 90 if days is None else days
    if isinstance(within, bool) or not 0 <= within <= 3_650:
        raise BadInput(f"{within} days; ask for 0 to 3650")
    rows = [
        row for row in _all(unit) if (left := _days_left(unit, row)) is not None and left <= within
    ]
    head = f"{counted(len(rows), *_RUN_OUT)} within {within} days:"
    return _told(unit, rows, [head if rows else f"No certificate runs out within {within} days."])


@changes
def upload_certificate_document(
    unit: UnitOfWork, *, certificate: str, document: str | None = None
) -> ActionResult:
    """Put the paper of a certificate on board; without a document, its own title is filed.

    Raises:
        NotFound: no such certificate or document.
        Conflict: that is its paper already, or the document is archived.
    """
    held = unit.find(CERTIFICATE, certificate)
    if document is None:
        text = f"{held['title']}, number {held['number']}, {held['authority']}."
        title = f"{held['title']}, copy of {unit.day}"
        paper = file_document(unit, title, text, "certificate")
    else:
        found = unit.find(DOCUMENT, document)
        paper, title = str(found["id"]), str(found["title"])
        if found["state"] == "archived":
            raise Conflict(f"{paper} ({title}) is archived; restore it first", "archived")
    if held["document"] == paper:
        raise Conflict(f"{paper} is the paper of {held['id']} already", "uploaded")
    unit.update("certificate", held["id"], document=paper)
    return ActionResult(
        text=f"{paper} ({title}) is now the paper of {label_of(held)}.",
        data={"certificate": held["id"], "was": held["document"], "document": paper},
        undo={"certificate": held["title"]},
    )


@changes
def remove_certificate_document(unit: UnitOfWork, *, certificate: str) -> ActionResult:
    """Take the paper of a certificate away again; the one before stands, if there was one.

    Raises:
        NotFound: no such certificate.
        Conflict: it has no paper.
    """
    held = unit.find(CERTIFICATE, certificate)
    if held["document"] is None:
        raise Conflict(f"{label_of(held)} has no paper", "none")
    if not take_back(unit, "upload_certificate_document", "certificate", held["id"]):
        unit.update("certificate", held["id"], document=None)
    return ActionResult(text=f"The paper of {label_of(held)} is taken away.")


@changes
def update_certificate_metadata(
    unit: UnitOfWork,
    *,
    certificate: str,
    expires: str | None = None,
    expiry_moved: str | None = None,
    issued: str | None = None,
    number: str | None = None,
) -> ActionResult:
    """Change the particulars of a certificate: its number, its days of issue and of expiry.

    Raises:
        NotFound: no such certificate.
        BadInput: nothing to change, no date, or an end before its beginning.
        Conflict: all of it stands there already.
    """
    held = unit.find(CERTIFICATE, certificate)
    new: dict[str, str] = {}
    if ends := day_moved(expires, expiry_moved, held["expires"], "the last"):
        new["expires"] = ends
    if issued:
        new["issued"] = day_of(issued)
    if number:
        new["number"] = checked_text(number, "number")
    if not new:
        raise BadInput(f"say what changes on {held['id']}: number, issued or expires")
    begins, ends = new.get("issued", held["issued"]), new.get("expires", held["expires"])
    if ends is not None and ends <= begins:
        raise BadInput(f"{held['id']} would expire on {ends}, before it is issued on {begins}")
    unit.update("certificate", held["id"], **new)
    if not unit.changes:
        raise Conflict(f"{label_of(held)} says so already", "same")
    return ActionResult(
        text=f"{label_of(held)} is changed.",
        data={"certificate": held["id"], **new},
        undo={"certificate": held["title"]},
    )


@changes
def revert_certificate_metadata(unit: UnitOfWork, *, certificate: str) -> ActionResult:
    """Put the particulars of a certificate back to what they were before the last change.

    Raises:
        NotFound: no such certificate.
        Conflict: there is no such change, or the certificate has moved on since.
    """
    held = unit.find(CERTIFICATE, certificate)
    if not take_back(unit, "update_certificate_metadata", "certificate", held["id"]):
        raise Conflict(f"{label_of(held)} has no change that could be reverted", "none")
    return ActionResult(text=f"The last change of {label_of(held)} is reverted.")


def label_of(held: sqlite3.Row) -> str:
    """Name a certificate with its title."""
    return f"{held['id']} ({held['title']})"


def line_of(unit: UnitOfWork, held: sqlite3.Row) -> str:
    """Tell one certificate and how long it holds."""
    left = _days_left(unit, held)
    if left is None:
        until = "without end"
    elif left < 0:
        until = f"expired {held['expires']}, {-left} days ago"
    else:
        until = f"until {held['expires']}, {left} days left"
    return f"{held['id']} {held['title']}: {until}, {held['authority']}, no. {held['number']}"


_RUN_OUT = ("certificate runs out", "certificates run out")


def _expiring_in(unit: UnitOfWork, span: Window) -> ActionResult:
    rows = [row for row in _all(unit) if span.holds(row["expires"])]
    head = (
        f"{counted(len(rows), *_RUN_OUT)} {span}:" if rows else f"No certificate runs out {span}."
    )
    return _told(unit, rows, [head])


def _told(unit: UnitOfWork, rows: list[sqlite3.Row], head: list[str]) -> ActionResult:
    return ActionResult(
        text="\n".join([*head, *(line_of(unit, row) for row in rows)]),
        data={"certificates": [dict(row) for row in rows], **listed(CERTIFICATE, rows)},
    )


def _all(unit: UnitOfWork) -> list[sqlite3.Row]:
    return list(unit.rows("SELECT * FROM certificate ORDER BY expires IS NULL, expires, id"))


def _days_left(unit: UnitOfWork, held: sqlite3.Row) -> int | None:
    if held["expires"] is None:
        return None
    return (date.fromisoformat(held["expires"]) - unit.now.date()).days
