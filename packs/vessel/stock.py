"""Spare parts: stock, location, movements and counts."""

import sqlite3
from collections.abc import Sequence

from prefrontal.pack import ActionResult, BadInput, Conflict

from .effects import changes, listed, reads, take_back
from .formatting import counted, euros
from .names import PART, find
from .unit_of_work import UnitOfWork

LARGEST_STOCK = 100_000
"""Pieces of one part on board; more than that is a slip of the finger."""

_COUNTED = """
SELECT number, name, stock, minimum, location, supplier, price_cents, fits, discontinued,
       (SELECT coalesce(sum(quantity), 0) FROM purchase_order
        WHERE part = number AND state = 'ordered') AS on_order
FROM part
"""


@reads
def check_stock(unit: UnitOfWork, *, part: str | None = None) -> ActionResult:
    """Tell stock, minimum, place and what is on order; without a part, all that runs low.

    Raises:
        NotFound: no such part.
    """
    rows: Sequence[sqlite3.Row]
    if part is None:
        rows = unit.rows(f"{_COUNTED} WHERE stock < minimum ORDER BY name")
        head = (
            f"{counted(len(rows), 'part is below its', 'parts are below their')} minimum:"
            if rows
            else "No part runs low."
        )
        text = "\n".join([head, *(_in_words(row) for row in rows)])
    else:
        rows = [_counted(unit, part)]
        text = _in_words(rows[0])
    return ActionResult(
        text=text, data={"parts": [dict(row) for row in rows], **listed(PART, rows)}
    )


@reads
def scan_part(unit: UnitOfWork, *, part: str) -> ActionResult:
    """Tell all that a label stands for: stock, place, supplier, price and what it fits.

    Raises:
        NotFound: no such part.
    """
    row = _counted(unit, part)
    lines = [
        _in_words(row),
        f"fits {row['fits']}, {euros(row['price_cents'])} a piece from {row['supplier']}",
    ]
    if row["discontinued"]:
        lines.append("no longer made")
    return ActionResult(text="\n".join(lines), data={"part": dict(row), **listed(PART, [row])})


@reads
def trace_part(unit: UnitOfWork, *, part: str) -> ActionResult:
    """Tell where a part came from and went to: its orders and the jobs that used it.

    Raises:
        NotFound: no such part.
    """
    wanted = unit.find(PART, part)
    orders = unit.rows(
        "SELECT id, quantity, state, ordered_on FROM purchase_order WHERE part = ?"
        " ORDER BY ordered_on DESC",
        wanted["number"],
    )
    used = unit.rows(
        "SELECT work_order, quantity, added_on FROM work_order_part WHERE part = ?"
        " ORDER BY added_on DESC",
        wanted["number"],
    )
    lines = [f"{o['ordered_on']} {o['id']}: {o['quantity']} {o['state']}" for o in orders]
    lines += [f"{u['added_on']} {u['work_order']}: {u['quantity']} used" for u in used]
    lines = lines or ["nothing ordered or used on record"]
    return ActionResult(
        text="\n".join([f"{label_of(wanted)}, {wanted['stock']} in stock:", *lines]),
        data={
            "orders": [dict(o) for o in orders],
            "used": [dict(u) for u in used],
            **listed(PART, [wanted]),
        },
    )


@changes
def count_stock(unit: UnitOfWork, *, part: str, quantity: int) -> ActionResult:
    """Set the stock of a part to what was counted.

    Raises:
        NotFound: no such part.
        BadInput: the quantity is negative or beyond reason.
        Conflict: so many are in stock already.
    """
    if isinstance(quantity, bool) or not 0 <= quantity <= LARGEST_STOCK:
        raise BadInput(f"the quantity is {quantity}; count 0 to {LARGEST_STOCK} pieces")
    wanted = unit.find(PART, part)
    if wanted["stock"] == quantity:  # an undo of it would revert the count before
        raise Conflict(f"{label_of(wanted)} stands at {quantity} already", str(quantity))
    unit.update("part", wanted["number"], stock=quantity)
    return ActionResult(
        text=f"{label_of(wanted)}: {quantity} in stock now, {wanted['stock']} before.",
        data={"part": wanted["number"], "was": wanted["stock"], "stock": quantity},
        changed=(f"{label_of(wanted)}: stock {wanted['stock']} -> {quantity}",),
        undo={"part": wanted["number"]},
    )


@changes
def revert_stock_count(unit: UnitOfWork, *, part: str) -> ActionResult:
    """Put back the stock that stood before the last count.

    Raises:
        NotFound: no such part.
        Conflict: it was never counted, or its stock has moved since.
    """
    wanted = unit.find(PART, part)
    if not take_back(unit, "count_stock", "part", wanted["number"]):
        raise Conflict(f"{label_of(wanted)} has no count that could be reverted", "none")
    return ActionResult(text=f"The last count of {label_of(wanted)} is reverted.")


def label_of(part: sqlite3.Row) -> str:
    """Name a part with its number."""
    return f"{part['name']} ({part['number']})"


def _counted(unit: UnitOfWork, part: str) -> sqlite3.Row:
    number = find(unit.connection, PART, part)["number"]
    (row,) = unit.rows(f"{_COUNTED} WHERE number = ?", number)
    return row


def _in_words(row: sqlite3.Row) -> str:
    low = ", below the minimum" if row["stock"] < row["minimum"] else ""
    coming = f", {row['on_order']} on order" if row["on_order"] else ""
    return (
        f"{label_of(row)}: {row['stock']} in stock (minimum {row['minimum']}){low}{coming},"
        f" {row['location']}"
    )
