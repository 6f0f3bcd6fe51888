"""What the bank does beside its customers' money: notes, tags, cards, disputes, letters."""

import sqlite3

from state.action import ActionResult, HandlerContext
from state.errors import Conflict

from . import store

_APPOINTMENTS = "create table if not exists bank_appointment (customer text, day text)"


def add_customer_note(context: HandlerContext, *, customer: str, note: str) -> ActionResult:
    with store.books(context.data_dir) as books:
        store.find(books, "customer", customer)
        number = books.execute(
            "insert into note (customer, note) values (?, ?)", (customer, note)
        ).lastrowid
    return ActionResult(text=f"Noted as {number}.", undo={"number": number})


def remove_customer_note(context: HandlerContext, *, number: int) -> ActionResult:
    with store.books(context.data_dir) as books:
        if not books.execute("delete from note where number = ?", (number,)).rowcount:
            raise Conflict(f"there is no note {number}", "absent")
    return ActionResult(text=f"Note {number} is gone.")


def tag_customers(context: HandlerContext, *, customers: list[str], tag: str) -> ActionResult:
    with store.books(context.data_dir) as books:
        new = [
            customer
            for customer in customers
            if store.find(books, "customer", customer)
            and books.execute("insert or ignore into tag values (?, ?)", (customer, tag)).rowcount
        ]
    return ActionResult(
        text=f"{len(new)} tagged {tag}.",
        changed=tuple(f"{customer}: + {tag}" for customer in new),
        undo={"customers": [*new], "tag": tag},
    )


def untag_customers(context: HandlerContext, *, customers: list[str], tag: str) -> ActionResult:
    with store.books(context.data_dir) as books:
        for customer in customers:
            books.execute("delete from tag where customer = ? and tag = ?", (customer, tag))
    return ActionResult(text=f"{tag} taken off {len(customers)}.")


def set_card_limit(context: HandlerContext, *, card: str, limit: float) -> ActionResult:
    with store.books(context.data_dir) as books:
        before = store.find(books, "card", card)["card_limit"]
        books.execute(
            "update card set card_limit = ?, version = version + 1 where id = ?", (limit, card)
        )
    return ActionResult(
        text=f"{card}: the limit is {limit:g}.",
        changed=(f"{card}: {before:g} → {limit:g}",),
        undo={"card": card, "limit": before},
    )


def lock_card(context: HandlerContext, *, card: str) -> ActionResult:
    return _card(context, card, "locked")


def unlock_card(context: HandlerContext, *, card: str) -> ActionResult:
    return _card(context, card, "active")


def _card(context: HandlerContext, card: str, state: str) -> ActionResult:
    with store.books(context.data_dir) as books:
        before = store.find(books, "card", card)["state"]
        if before == state:
            raise Conflict(f"{card} is {state} already", state)
        books.execute(
            "update card set state = ?, version = version + 1 where id = ?", (state, card)
        )
    return ActionResult(text=f"{card} is {state}.", changed=(f"{card}: {before} → {state}",))


def open_dispute(context: HandlerContext, *, card: str, reason: str) -> ActionResult:
    with store.books(context.data_dir) as books:
        store.find(books, "card", card)
        count = books.execute("select count(*) from dispute").fetchone()[0]
        dispute = f"DP-{count + 501}"
        books.execute(
            "insert into dispute (id, card, reason) values (?, ?, ?)", (dispute, card, reason)
        )
    return ActionResult(text=f"{dispute} is open.", undo={"dispute": dispute})


def withdraw_dispute(context: HandlerContext, *, dispute: str) -> ActionResult:
    with store.books(context.data_dir) as books:
        if store.find(books, "dispute", dispute)["state"] == "withdrawn":
            raise Conflict(f"{dispute} is withdrawn already", "withdrawn")
        books.execute("update dispute set state = 'withdrawn' where id = ?", (dispute,))
    return ActionResult(text=f"{dispute} is withdrawn.")


def send_statement(context: HandlerContext, *, account: str, recipient: str) -> ActionResult:
    with store.books(context.data_dir) as books:
        store.find(books, "account", account)
        books.execute("insert into sent values (?, ?)", (f"statement {account}", recipient))
    return ActionResult(text=f"Sent to {recipient}.")


def book_appointment(
    context: HandlerContext, connection: sqlite3.Connection, *, customer: str, day: str
) -> ActionResult:
    connection.execute(_APPOINTMENTS)
    connection.execute("insert into bank_appointment values (?, ?)", (customer, day))
    if day.startswith("1999"):
        raise Conflict("that day is over", "past")
    return ActionResult(text=f"{customer} comes on {day}.")


def cancel_appointment(
    context: HandlerContext, connection: sqlite3.Connection, *, customer: str, day: str
) -> ActionResult:
    connection.execute(_APPOINTMENTS)
    gone = connection.execute(
        "delete from bank_appointment where customer = ? and day = ?", (customer, day)
    )
    if not gone.rowcount:
        raise Conflict(f"{customer} has no appointment on {day}", "absent")
    return ActionResult(text=f"{customer} does not come on {day}.")
