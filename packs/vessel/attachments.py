"""Notes, parts, photos and documents attached to records of the vessel."""

from prefrontal.pack import ActionResult, BadInput, Conflict, NotFound

from .effects import changes
from .formatting import checked_text
from .handovers import open_sheet
from .names import CHECKLIST, DOCUMENT, EQUIPMENT, HANDOVER, PART, WORK_ORDER
from .stock import label_of as stock_label_of
from .unit_of_work import UnitOfWork
from .work_orders import label_of, unfinished, write_note


@changes
def add_note(unit: UnitOfWork, *, equipment: str, note: str) -> ActionResult:
    """Write a note on a piece of equipment.

    Raises:
        NotFound: no such equipment.
        BadInput: the note is empty or too long.
    """
    text = checked_text(note, "note")
    machine = unit.find(EQUIPMENT, equipment)["name"]
    number = unit.insert(
        "equipment_note",
        equipment=machine,
        written_at=unit.now.isoformat(),
        author=unit.user,
        text=text,
    )
    return ActionResult(
        text=f"Noted on {machine}: {text}",
        data={"equipment": machine, "note": text, "author": unit.user},
        changed=(f"{machine}: note added",),
        undo={"equipment": machine, "number": number},
    )


@changes
def remove_note(unit: UnitOfWork, *, equipment: str, number: int | None = None) -> ActionResult:
    """Take a note off a piece of equipment; without a number, the newest of whoever asks.

    Raises:
        NotFound: no such equipment or note.
    """
    machine = unit.find(EQUIPMENT, equipment)["name"]
    return _remove(unit, "equipment_note", "equipment", machine, number)


@changes
def add_note_to_work_order(unit: UnitOfWork, *, work_order: str, note: str) -> ActionResult:
    """Write a note on a work order that has not ended.

    Raises:
        NotFound: no such work order.
        Conflict: it is closed or cancelled.
        BadInput: the note is empty or too long.
    """
    text = checked_text(note, "note")
    order = unfinished(unit, work_order)
    number = write_note(unit, order["id"], text)
    return ActionResult(
        text=f"Noted on {label_of(order)}: {text}",
        data={"work_order": order["id"], "note": text, "author": unit.user},
        changed=(f"{order['id']}: note added",),
        undo={"work_order": order["id"], "number": number},
    )


@changes
def edit_note_on_work_order(
    unit: UnitOfWork, *, work_order: str, note: str, number: int | None = None
) -> ActionResult:
    """Put other words into a note of one's own; without a number, into the newest.

    Raises:
        NotFound: no such work order or note.
        Conflict: the order has ended, or somebody else wrote the note.
        BadInput: the note is empty or too long.
    """
    text = checked_text(note, "note")
    order = unfinished(unit, work_order)
    query = (
        "SELECT * FROM work_order_note"
        " WHERE work_order = ? AND (id = ? OR (? IS NULL AND author = ?))"
        " ORDER BY id DESC LIMIT 1"
    )
    written = unit.row(query, order["id"], number, number, unit.user)
    if written is None:
        raise NotFound("note", str(number or "of yours"))
    if written["author"] != unit.user:
        raise Conflict(f"{written['author']} wrote that note; add one of your own", "theirs")
    if written["text"] == text:
        raise BadInput("the note says that already; write what is to change")
    unit.update("work_order_note", written["id"], text=text)
    return ActionResult(
        text=f"The note on {label_of(order)} now says: {text}",
        data={"work_order": order["id"], "was": written["text"], "note": text},
        changed=(f"{order['id']}: note {written['id']} changed",),
    )


@changes
def remove_note_from_work_order(
    unit: UnitOfWork, *, work_order: str, number: int | None = None
) -> ActionResult:
    """Take a note off a work order; without a number, the newest of whoever asks.

    Raises:
        NotFound: no such work order or note.
    """
    order = unit.find(WORK_ORDER, work_order)["id"]
    return _remove(unit, "work_order_note", "work_order", order, number)


def _remove(
    unit: UnitOfWork, table: str, column: str, key: str, number: int | None
) -> ActionResult:
    query = (
        f"SELECT * FROM {table} WHERE {column} = ? AND (id = ? OR (? IS NULL AND author = ?))"  # noqa: S608  # names of ours
        " ORDER BY id DESC LIMIT 1"
    )
    written = unit.row(query, key, number, number, unit.user)
    if written is None:
        raise NotFound("note", str(number or "of yours"))
    unit.delete(table, written["id"])
    return ActionResult(
        text=f"Taken off {key}: {written['text']}",
        data={column: key, "note": written["text"]},
        changed=(f"{key}: note {written['id']} removed",),
        undo={column: key, "note": written["text"]},
    )


@changes
def add_part_to_work_order(
    unit: UnitOfWork, *, work_order: str, part: str, quantity: int | None = None
) -> ActionResult:
    """Take pieces of a part from stock for a job; without a number, one.

    Raises:
        NotFound: no such work order or part.
        Conflict: the order has ended, or there are not so many in stock.
        BadInput: the quantity is not at least 1.
    """
    pieces = 1 if quantity is None else quantity
    if isinstance(pieces, bool) or pieces < 1:
        raise BadInput(f"the quantity is {pieces}; take at least one")
    order = unfinished(unit, work_order)
    wanted = unit.find(PART, part)
    if wanted["stock"] < pieces:
        left = wanted["stock"]
        raise Conflict(f"only {left} of {stock_label_of(wanted)} in stock, not {pieces}", str(left))
    unit.update("part", wanted["number"], stock=wanted["stock"] - pieces)
    number = unit.insert(
        "work_order_part",
        work_order=order["id"],
        part=wanted["number"],
        quantity=pieces,
        added_on=unit.day,
        added_by=unit.user,
    )
    left = wanted["stock"] - pieces
    return ActionResult(
        text=f"{pieces} x {stock_label_of(wanted)} for {order['id']}, {left} left in stock.",
        data={"work_order": order["id"], "part": wanted["number"], "quantity": pieces},
        changed=(
            f"{order['id']}: {pieces} x {stock_label_of(wanted)} added",
            f"{stock_label_of(wanted)}: stock {wanted['stock']} -> {left}",
        ),
        undo={"work_order": order["id"], "part": wanted["number"], "number": number},
    )


@changes
def remove_part_from_work_order(
    unit: UnitOfWork, *, work_order: str, part: str, number: int | None = None
) -> ActionResult:
    """Put what was taken for a job back into stock; without a number, what was taken last.

    Raises:
        NotFound: no such work order or part, or nothing of it was taken.
    """
    order = unit.find(WORK_ORDER, work_order)["id"]
    wanted = unit.find(PART, part)
    taken = unit.row(
        "SELECT * FROM work_order_part WHERE work_order = ? AND part = ? AND coalesce(?, id) = id"
        " ORDER BY id DESC LIMIT 1",
        order,
        wanted["number"],
        number,
    )
    if taken is None:
        raise NotFound("part", f"{wanted['name']} on {order}")
    unit.delete("work_order_part", taken["id"])
    back = wanted["stock"] + taken["quantity"]
    unit.update("part", wanted["number"], stock=back)
    return ActionResult(
        text=f"{taken['quantity']} x {stock_label_of(wanted)} from {order} are back, "
        f"{back} in stock.",
        data={"work_order": order, "part": wanted["number"], "quantity": taken["quantity"]},
        undo={"work_order": order, "part": wanted["number"], "quantity": taken["quantity"]},
    )


@changes
def add_photo_to_work_order(unit: UnitOfWork, *, work_order: str, photo: str) -> ActionResult:
    """Attach a photo, by its name, to a work order that has not ended.

    Raises:
        NotFound: no such work order.
        Conflict: it has ended.
        BadInput: the photo has no name.
    """
    return _lay(unit, "work_order", unfinished(unit, work_order)["id"], photo=photo)


@changes
def add_document_to_work_order(unit: UnitOfWork, *, work_order: str, document: str) -> ActionResult:
    """Attach a document on board to a work order that has not ended.

    Raises:
        NotFound: no such work order or document.
        Conflict: the order has ended, or the document is attached already.
    """
    return _lay(unit, "work_order", unfinished(unit, work_order)["id"], document=document)


@changes
def add_photo_to_handover(unit: UnitOfWork, *, photo: str) -> ActionResult:
    """Attach a photo, by its name, to the open handover.

    Raises:
        NotFound: no handover is open.
        BadInput: the photo has no name.
    """
    return _lay(unit, "handover", _open(unit), photo=photo)


@changes
def add_document_to_handover(unit: UnitOfWork, *, document: str) -> ActionResult:
    """Attach a document on board to the open handover.

    Raises:
        NotFound: no handover is open, or no such document.
        Conflict: it is attached already.
    """
    return _lay(unit, "handover", _open(unit), document=document)


@changes
def add_document_to_checklist(unit: UnitOfWork, *, checklist: str, document: str) -> ActionResult:
    """Attach a document on board to a checklist.

    Raises:
        NotFound: no such checklist or document.
        Conflict: it is attached already.
    """
    return _lay(unit, "checklist", unit.find(CHECKLIST, checklist)["id"], document=document)


@changes
def remove_attachment(unit: UnitOfWork, *, number: int) -> ActionResult:
    """Take a photo or a document off what it was attached to.

    Raises:
        NotFound: no such attachment.
    """
    laid = unit.row("SELECT * FROM attachment WHERE id = ?", number)
    if laid is None:
        raise NotFound("attachment", str(number))
    unit.delete("attachment", number)
    return ActionResult(
        text=f"{laid['kind'].capitalize()} {laid['title']} is taken off {laid['target']}.",
        changed=(f"{laid['target']}: {laid['kind']} {laid['title']} removed",),
    )


def _open(unit: UnitOfWork) -> str:
    sheet = open_sheet(unit)
    if sheet is None:
        raise NotFound("open handover", "today")
    unit.find(HANDOVER, sheet)
    return sheet


def _lay(
    unit: UnitOfWork,
    container: str,
    target: str,
    *,
    photo: str | None = None,
    document: str | None = None,
) -> ActionResult:
    paper = unit.find(DOCUMENT, document) if document is not None else None
    kind = "photo" if paper is None else "document"
    title = checked_text(photo or "", "photo") if paper is None else str(paper["title"])
    there = "SELECT 1 FROM attachment WHERE container = ? AND target = ? AND kind = ? AND title = ?"
    if unit.row(there, container, target, kind, title):
        raise Conflict(f"{kind} {title} is attached to {target} already", "attached")
    number = unit.insert(
        "attachment",
        kind=kind,
        container=container,
        target=target,
        title=title,
        document=None if paper is None else paper["id"],
        added_on=unit.day,
        added_by=unit.user,
    )
    return ActionResult(
        text=f"{kind.capitalize()} {title} is attached to {target}.",
        data={"kind": kind, "title": title, "target": target},
        changed=(f"{target}: {kind} {title} attached",),
        undo={"number": number},
    )
