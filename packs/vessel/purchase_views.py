"""Purchase orders to look at, and what one costs."""

import sqlite3

from state.action import ActionResult

from .effects import reads
from .listed import listed
from .names import PURCHASE_ORDER
from .stock import label_of
from .unit_of_work import UnitOfWork
from .wording import euros


@reads
def show_purchase_orders(
    unit: UnitOfWork,
    *,
    state: str | None = None,
    purchase_order: str | None = None,
    except_state: str | None = None,
) -> ActionResult:
    """List purchase orders in a state, or tell one; without either, what is not yet delivered.

    Raises:
        NotFound: no such purchase order.
    """
    if purchase_order:
        rows = [unit.find(PURCHASE_ORDER, purchase_order)]
    else:
        wanted = {state} if state else {"requested", "ordered"}
        if except_state and not state:
            wanted = {"requested", "ordered", "received"} - {except_state}
        every = unit.rows("SELECT * FROM purchase_order ORDER BY ordered_on, id")
        rows = [row for row in every if row["state"] in wanted]
    lines = [_line(unit, row) for row in rows]
    head = f"{len(rows)} purchase orders:" if rows else "No such purchase orders."
    return ActionResult(
        text="\n".join([head, *lines]),
        data={"purchase_orders": [dict(row) for row in rows], **listed(PURCHASE_ORDER, rows)},
    )


def total_of(unit: UnitOfWork, order: sqlite3.Row) -> int:
    """Return what an order costs, at the price it was written with or else today's."""
    (part,) = unit.rows("SELECT price_cents FROM part WHERE number = ?", order["part"])
    cents = part["price_cents"] if order["unit_cents"] is None else order["unit_cents"]
    return int(order["quantity"] * cents)


def _line(unit: UnitOfWork, order: sqlite3.Row) -> str:
    (part,) = unit.rows("SELECT * FROM part WHERE number = ?", order["part"])
    job = f", for {order['work_order']}" if order["work_order"] else ""
    what = f"{order['quantity']} x {label_of(part)}, {euros(total_of(unit, order))}"
    return (
        f"{order['id']} {order['state']} {order['ordered_on']}: {what}, {order['ordered_by']}{job}"
    )
