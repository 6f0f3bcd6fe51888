"""Spare parts: what is in stock and where, and ordering more."""

import sqlite3
from datetime import datetime

from state.action import ActionResult
from state.errors import BadInput, Conflict

from .names import PART, find
from .wording import euros
from .work_orders import unfinished

LARGEST_ORDER = 500
"""Pieces of one part in one order; more than that is a slip of the finger."""

_COUNTED = """
SELECT number, name, stock, minimum, location, supplier, price_cents,
       (SELECT coalesce(sum(quantity), 0) FROM purchase_order
        WHERE part = number AND state = 'ordered') AS on_order
FROM part
"""


def check(connection: sqlite3.Connection, part: str | None) -> ActionResult:
    """Tell stock, minimum, place and what is on order; without a part, all that runs low.

    Raises:
        NotFound: no such part.
    """
    if part is None:
        rows = connection.execute(f"{_COUNTED} WHERE stock < minimum ORDER BY name").fetchall()
        head = f"{len(rows)} parts are below their minimum:" if rows else "No part runs low."
        text = "\n".join([head, *(_in_words(row) for row in rows)])
    else:
        rows = [_counted(connection, part)]
        text = _in_words(rows[0])
    return ActionResult(text=text, data={"parts": [dict(row) for row in rows]})


def order(
    connection: sqlite3.Connection,
    part: str,
    quantity: int,
    work_order: str | None,
    *,
    author: str,
    now: datetime,
) -> ActionResult:
    """Order some pieces of a part from its supplier.

    Raises:
        NotFound: no such part or work order.
        BadInput: the quantity is not 1 to LARGEST_ORDER.
        Conflict: the part is discontinued, or the work order has ended.
    """
    if isinstance(quantity, bool) or not 1 <= quantity <= LARGEST_ORDER:
        raise BadInput(f"the quantity is {quantity}; order 1 to {LARGEST_ORDER} pieces")
    wanted = find(connection, PART, part)
    if wanted["discontinued"]:
        raise Conflict(f"{_named(wanted)} is no longer made; find its successor", "discontinued")
    job = unfinished(connection, work_order)["id"] if work_order else None
    before = _counted(connection, wanted["number"])["on_order"]
    purchase = _next_id(connection)
    connection.execute(
        "INSERT INTO purchase_order VALUES (?, ?, ?, 'ordered', ?, ?, ?)",
        (purchase, wanted["number"], quantity, now.date().isoformat(), author, job),
    )
    cents = quantity * wanted["price_cents"]
    what = f"{quantity} x {_named(wanted)}"
    return ActionResult(
        text=f"Ordered {what} from {wanted['supplier']} for {euros(cents)}, {purchase}"
        + (f", for {job}." if job else "."),
        data={
            "purchase_order": purchase,
            "part": wanted["number"],
            "quantity": quantity,
            "supplier": wanted["supplier"],
            "total_cents": cents,
            "currency": "EUR",
            "work_order": job,
        },
        changed=(
            f"{purchase}: ordered, {what}, {euros(cents)}",
            f"{_named(wanted)}: on order {before} -> {before + quantity}",
        ),
    )


def _counted(connection: sqlite3.Connection, part: str) -> sqlite3.Row:
    number = find(connection, PART, part)["number"]
    row: sqlite3.Row = connection.execute(f"{_COUNTED} WHERE number = ?", (number,)).fetchone()
    return row


def _next_id(connection: sqlite3.Connection) -> str:
    highest = connection.execute(
        "SELECT max(CAST(substr(id, 4) AS INTEGER)) FROM purchase_order"
    ).fetchone()[0]
    return f"PO-{highest + 1}"


def _in_words(row: sqlite3.Row) -> str:
    low = ", below the minimum" if row["stock"] < row["minimum"] else ""
    coming = f", {row['on_order']} on order" if row["on_order"] else ""
    return (
        f"{_named(row)}: {row['stock']} in stock (minimum {row['minimum']}){low}{coming},"
        f" {row['location']}"
    )


def _named(row: sqlite3.Row) -> str:
    return f"{row['name']} ({row['number']})"
