"""What is laid to a work order, a handover or a checklist: parts from stock, photos, documents."""

from state.action import ActionResult
from state.errors import BadInput, Conflict, NotFound

from .effects import changes
from .handovers import open_sheet
from .names import CHECKLIST, DOCUMENT, HANDOVER, PART, WORK_ORDER
from .stock import label_of
from .unit_of_work import UnitOfWork
from .wording import checked_text
from .work_orders import unfinished


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
        raise Conflict(f"only {left} of {label_of(wanted)} in stock, not {pieces}", str(left))
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
        text=f"{pieces} x {label_of(wanted)} for {order['id']}, {left} left in stock.",
        data={"work_order": order["id"], "part": wanted["number"], "quantity": pieces},
        changed=(
            f"{order['id']}: {pieces} x {label_of(wanted)} added",
            f"{label_of(wanted)}: stock {wanted['stock']} -> {left}",
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
        text=f"{taken['quantity']} x {label_of(wanted)} from {order} are back, {back} in stock.",
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
