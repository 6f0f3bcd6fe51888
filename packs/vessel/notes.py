"""Notes: on a piece of equipment, on a work order, and taking one back."""

from state.action import ActionResult
from state.errors import BadInput, Conflict, NotFound

from .effects import changes
from .names import EQUIPMENT, WORK_ORDER
from .unit_of_work import UnitOfWork
from .wording import checked_text
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
