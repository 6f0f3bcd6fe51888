"""What the bank shows."""

from contextlib import closing

from state.action import ActionResult, HandlerContext

from . import store


def show_account(context: HandlerContext, *, account: str) -> ActionResult:
    with closing(store.connect(context.data_dir)) as books:
        row = store.find(books, "account", account)
    text = f"{account} ({row['name']}): {row['balance']:.2f}, {row['state']}."
    return ActionResult(text=text, data={"balance": row["balance"], "state": row["state"]})


def list_transactions(
    context: HandlerContext, *, account: str, since: str | None = None
) -> ActionResult:
    with closing(store.connect(context.data_dir)) as books:
        store.find(books, "account", account)
        rows = books.execute("select * from transfer where account = ?", (account,)).fetchall()
    lines = [f"{row['id']} {row['amount']:.2f} to {row['payee']}, {row['state']}" for row in rows]
    return ActionResult(text="\n".join(lines) or f"No transactions on {account}.")


def search_customers(context: HandlerContext, *, query: str) -> ActionResult:
    with closing(store.connect(context.data_dir)) as books:
        rows = books.execute("select * from customer").fetchall()
    words = query.casefold().split()
    found = [row["name"] for row in rows if any(word in row["name"].casefold() for word in words)]
    return ActionResult(text=", ".join(found) or "No such customer.")


def show_customer(context: HandlerContext, *, customer: str) -> ActionResult:
    with closing(store.connect(context.data_dir)) as books:
        row = store.find(books, "customer", customer)
        notes = books.execute("select note from note where customer = ?", (customer,)).fetchall()
        tags = books.execute("select tag from tag where customer = ?", (customer,)).fetchall()
    said = "; ".join(note["note"] for note in notes) or "no notes"
    marked = ", ".join(tag["tag"] for tag in tags) or "no tags"
    return ActionResult(text=f"{row['name']}, advisor {row['advisor']}: {said}; {marked}.")


def show_card(context: HandlerContext, *, card: str) -> ActionResult:
    with closing(store.connect(context.data_dir)) as books:
        row = store.find(books, "card", card)
    return ActionResult(text=f"{card}: limit {row['card_limit']:.2f}, {row['state']}.")


def show_loan(context: HandlerContext, *, loan: str) -> ActionResult:
    with closing(store.connect(context.data_dir)) as books:
        row = store.find(books, "loan", loan)
    return ActionResult(text=f"{loan} ({row['name']}): {row['amount']:.2f}, {row['state']}.")


def list_disputes(context: HandlerContext) -> ActionResult:
    with closing(store.connect(context.data_dir)) as books:
        rows = books.execute("select * from dispute").fetchall()
    lines = [f"{row['id']} {row['card']}: {row['reason']}, {row['state']}" for row in rows]
    return ActionResult(text="\n".join(lines) or "No disputes.")


def list_reports(context: HandlerContext) -> ActionResult:
    with closing(store.connect(context.data_dir)) as books:
        rows = books.execute("select * from report").fetchall()
    lines = [f"{row['customer']}: {row['reason']}" for row in rows]
    return ActionResult(text="\n".join(lines) or "No reports.")


def check_rates(context: HandlerContext) -> ActionResult:
    return ActionResult(text="Savings 2.1 %, loans 5.4 %.")
