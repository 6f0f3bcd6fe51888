"""Purchase orders: list, request, approve, order, receive, and the reverse of each."""

import sqlite3

from prefrontal.pack import ActionResult, BadInput, Conflict

from .effects import changes, listed, reads, take_back
from .formatting import counted, euros
from .names import PART, PURCHASE_ORDER
from .stock import label_of
from .unit_of_work import UnitOfWork
from .work_orders import unfinished


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
    head = f"{counted(len(rows), 'purchase order')}:" if rows else "No such purchase orders."
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


LARGEST_ORDER = 500
"""Pieces of one part in one order; more than that is a slip of the finger."""


@changes
def create_purchase_order(
    unit: UnitOfWork, *, part: str, quantity: int, work_order: str | None = None
) -> ActionResult:
    """Ask for some pieces of a part: nothing is ordered before it is approved.

    Raises:
        NotFound: no such part or work order.
        BadInput: the quantity is not 1 to LARGEST_ORDER.
        Conflict: the part is discontinued, or the work order has ended.
    """
    return _write(unit, part, quantity, work_order, state="requested")


@changes
def order_part(
    unit: UnitOfWork, *, part: str, quantity: int, work_order: str | None = None
) -> ActionResult:
    """Order some pieces of a part from its supplier at once.

    Raises:
        NotFound: no such part or work order.
        BadInput: the quantity is not 1 to LARGEST_ORDER.
        Conflict: the part is discontinued, or the work order has ended.
    """
    return _write(unit, part, quantity, work_order, state="ordered")


@changes
def approve_purchase_order(unit: UnitOfWork, *, purchase_order: str) -> ActionResult:
    """Approve what was asked for: it is ordered from the supplier at today's price.

    Raises:
        NotFound: no such purchase order.
        Conflict: it is not waiting for approval, or the part is discontinued.
    """
    order = _in_state(unit, purchase_order, "requested")
    part = _still_made(unit, order["part"])
    unit.cents = order["quantity"] * part["price_cents"]
    unit.update(
        "purchase_order",
        order["id"],
        state="ordered",
        approved_by=unit.user,
        unit_cents=part["price_cents"],
    )
    what = f"{order['quantity']} x {label_of(part)} from {part['supplier']}"
    return ActionResult(
        text=f"{order['id']} is approved: {what} for {euros(unit.cents)}.",
        data={"purchase_order": order["id"], "total_cents": unit.cents, "currency": "EUR"},
        changed=(f"{order['id']}: requested -> ordered, {euros(unit.cents)}",),
        undo={"purchase_order": order["id"]},
    )


@changes
def withdraw_purchase_approval(unit: UnitOfWork, *, purchase_order: str) -> ActionResult:
    """Take an approval back while the order is not delivered: it waits again.

    Raises:
        NotFound: no such purchase order.
        Conflict: it is not on order, or was not approved by anybody.
    """
    order = _in_state(unit, purchase_order, "ordered")
    if not take_back(unit, "approve_purchase_order", "purchase_order", order["id"]):
        if order["approved_by"] is None:
            raise Conflict(f"{order['id']} was ordered without an approval; cancel it", "ordered")
        unit.update("purchase_order", order["id"], state="requested", approved_by=None)
    return ActionResult(
        text=f"The approval of {order['id']} is withdrawn.",
        changed=(f"{order['id']}: ordered -> requested",),
    )


@changes
def cancel_purchase_order(unit: UnitOfWork, *, purchase_order: str) -> ActionResult:
    """Cancel an order that is not delivered; its number stays taken.

    Raises:
        NotFound: no such purchase order.
        Conflict: it is received or cancelled already.
    """
    order = _in_state(unit, purchase_order, "requested", "ordered")
    unit.cents = total_of(unit, order)
    unit.update("purchase_order", order["id"], state="cancelled")
    return ActionResult(
        text=f"{order['id']} is cancelled.",
        data={"purchase_order": order["id"], "was": order["state"]},
        changed=(f"{order['id']}: {order['state']} -> cancelled",),
    )


@changes
def receive_purchase_order(unit: UnitOfWork, *, purchase_order: str) -> ActionResult:
    """Take delivery: what was ordered goes into stock.

    Raises:
        NotFound: no such purchase order.
        Conflict: it is not on order.
    """
    order = _in_state(unit, purchase_order, "ordered")
    part = unit.find(PART, order["part"])
    stock = part["stock"] + order["quantity"]
    unit.update("purchase_order", order["id"], state="received", received_on=unit.day)
    unit.update("part", part["number"], stock=stock)
    return ActionResult(
        text=f"{order['id']} is received: {label_of(part)}, {stock} in stock.",
        data={"purchase_order": order["id"], "part": part["number"], "stock": stock},
        changed=(
            f"{order['id']}: ordered -> received",
            f"{label_of(part)}: stock {part['stock']} -> {stock}",
        ),
        undo={"purchase_order": order["id"]},
    )


@changes
def return_purchase_order(unit: UnitOfWork, *, purchase_order: str) -> ActionResult:
    """Take a delivery back out of stock: the order is open with the supplier again.

    Raises:
        NotFound: no such purchase order.
        Conflict: it is not received, or the pieces are used.
    """
    order = _in_state(unit, purchase_order, "received")
    part = unit.find(PART, order["part"])
    if part["stock"] < order["quantity"]:
        raise Conflict(f"only {part['stock']} of {label_of(part)} are left", "used")
    stock = part["stock"] - order["quantity"]
    unit.update("purchase_order", order["id"], state="ordered", received_on=None)
    unit.update("part", part["number"], stock=stock)
    return ActionResult(
        text=f"{order['id']} is on order again; {label_of(part)}, {stock} in stock.",
        data={"purchase_order": order["id"], "part": part["number"], "stock": stock},
        undo={"purchase_order": order["id"]},
    )


def _write(
    unit: UnitOfWork, part: str, quantity: int, work_order: str | None, *, state: str
) -> ActionResult:
    if isinstance(quantity, bool) or not 1 <= quantity <= LARGEST_ORDER:
        raise BadInput(f"the quantity is {quantity}; order 1 to {LARGEST_ORDER} pieces")
    wanted = _still_made(unit, part)
    job = unfinished(unit, work_order)["id"] if work_order else None
    cents = quantity * wanted["price_cents"]
    unit.cents = cents
    unit.facts.append(("price a piece", euros(wanted["price_cents"])))
    purchase, before = unit.next_id("purchase_order", "PO-"), _on_order(unit, wanted["number"])
    unit.insert(
        "purchase_order",
        id=purchase,
        part=wanted["number"],
        quantity=quantity,
        state=state,
        ordered_on=unit.day,
        ordered_by=unit.user,
        work_order=job,
        unit_cents=wanted["price_cents"],
        approved_by=None,
        received_on=None,
    )
    what = f"{quantity} x {label_of(wanted)}"
    changed = [f"{purchase}: {state}, {what}, {euros(cents)}"]
    if state == "ordered":
        changed.append(f"{label_of(wanted)}: on order {before} -> {before + quantity}")
    return ActionResult(
        text=f"{state.capitalize()} {what} from {wanted['supplier']} for {euros(cents)}, {purchase}"
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
        changed=tuple(changed),
        undo={"purchase_order": purchase},
    )


def _still_made(unit: UnitOfWork, part: str) -> sqlite3.Row:
    wanted = unit.find(PART, part)
    if wanted["discontinued"]:
        raise Conflict(f"{label_of(wanted)} is no longer made; find its successor", "discontinued")
    return wanted


def _in_state(unit: UnitOfWork, purchase_order: str, *states: str) -> sqlite3.Row:
    order = unit.find(PURCHASE_ORDER, purchase_order)
    if order["state"] not in states:
        wanted = " or ".join(states)
        raise Conflict(f"{order['id']} is {order['state']}, not {wanted}", order["state"])
    unit.facts.append(("total", euros(total_of(unit, order))))
    return order


def _on_order(unit: UnitOfWork, number: str) -> int:
    query = "SELECT sum(quantity) FROM purchase_order WHERE part = ? AND state = 'ordered'"
    row = unit.row(query, number)
    return 0 if row is None else int(row[0] or 0)
