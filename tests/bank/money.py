"""What moves money or cannot be taken lightly."""

import sqlite3
from contextlib import closing

from state.action import ActionResult, HandlerContext
from state.errors import Conflict

from . import store


def transfer(context: HandlerContext, *, account: str, payee: str, amount: float) -> ActionResult:
    with store.books(context.data_dir) as books:
        known = books.execute(
            "select id from transfer where key = ?", (context.idempotency_key,)
        ).fetchone()
        if known is not None:
            return ActionResult(text=f"{known['id']} is booked.", undo={"transfer": known["id"]})
        row = store.find(books, "account", account)
        if row["balance"] < amount:
            raise Conflict(f"{account} holds {row['balance']:.2f} only", "short")
        number = f"TR-{books.execute('select count(*) from transfer').fetchone()[0] + 701}"
        books.execute(
            "insert into transfer (id, key, account, payee, amount) values (?, ?, ?, ?, ?)",
            (number, context.idempotency_key, account, payee, amount),
        )
        _move(context, books, account, -amount)
    return ActionResult(
        text=f"{number}: {amount:.2f} to {payee}.",
        changed=(f"{account}: {row['balance']:.2f} → {row['balance'] - amount:.2f}",),
        undo={"transfer": number},
    )


def transfer_status(context: HandlerContext) -> ActionResult | None:
    with closing(store.connect(context.data_dir)) as books:
        row = books.execute(
            "select * from transfer where key = ?", (context.idempotency_key,)
        ).fetchone()
    return ActionResult(text=f"{row['id']} is booked.") if row else None


def reverse_transfer(context: HandlerContext, *, transfer: str) -> ActionResult:
    with store.books(context.data_dir) as books:
        row = store.find(books, "transfer", transfer)
        if row["state"] == "reversed":
            raise Conflict(f"{transfer} is reversed already", "reversed")
        books.execute("update transfer set state = 'reversed' where id = ?", (transfer,))
        _move(context, books, row["account"], row["amount"])
    return ActionResult(text=f"{transfer} is reversed.")


def close_account(context: HandlerContext, *, account: str) -> ActionResult:
    return _state(context, (account,), "closed")


def reopen_account(context: HandlerContext, *, account: str) -> ActionResult:
    return _state(context, (account,), "open")


def block_accounts(context: HandlerContext, *, accounts: list[str]) -> ActionResult:
    return _state(context, tuple(accounts), "blocked")


def assign_customer(context: HandlerContext, *, customer: str, advisor: str) -> ActionResult:
    with store.books(context.data_dir) as books:
        before = store.find(books, "customer", customer)["advisor"]
        books.execute("update customer set advisor = ? where id = ?", (advisor, customer))
    return ActionResult(
        text=f"{advisor} looks after {customer}.", undo={"customer": customer, "advisor": before}
    )


def report_suspicion(context: HandlerContext, *, customer: str, reason: str) -> ActionResult:
    with store.books(context.data_dir) as books:
        store.find(books, "customer", customer)
        books.execute("insert into report values (?, ?)", (customer, reason))
    return ActionResult(text=f"{customer} is reported.")


def approve_loan(context: HandlerContext, *, loan: str) -> ActionResult:
    with store.books(context.data_dir) as books:
        if store.find(books, "loan", loan)["state"] != "asked":
            raise Conflict(f"{loan} is decided already", "decided")
        books.execute("update loan set state = 'approved' where id = ?", (loan,))
    return ActionResult(text=f"{loan} is approved.")


def export_customers(context: HandlerContext, *, purpose: str) -> ActionResult:
    with closing(store.connect(context.data_dir)) as books:
        count = books.execute("select count(*) from customer").fetchone()[0]
    return ActionResult(text=f"{count} customers exported for {purpose}.")


def _move(context: HandlerContext, books: sqlite3.Connection, account: str, by: float) -> None:
    books.execute(
        "update account set balance = balance + ?, version = version + 1 where id = ?",
        (by, account),
    )


def _state(context: HandlerContext, accounts: tuple[str, ...], state: str) -> ActionResult:
    changed = []
    with store.books(context.data_dir) as books:
        for account in accounts:
            before = store.find(books, "account", account)["state"]
            if before == state:
                raise Conflict(f"{account} is {state} already", state)
            books.execute(
                "update account set state = ?, version = version + 1 where id = ?", (state, account)
            )
            changed.append(f"{account}: {before} → {state}")
    return ActionResult(text=f"{', '.join(accounts)}: {state}.", changed=tuple(changed))
