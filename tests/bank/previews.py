"""What would change, read from the books and shown before anybody is asked."""

from contextlib import closing

from state.action import HandlerContext
from state.errors import Conflict
from state.preview import Change, Fact, Preview

from . import store


def transfer(context: HandlerContext, *, account: str, payee: str, amount: float) -> Preview:
    with closing(store.connect(context.data_dir)) as books:
        row = store.find(books, "account", account)
    if row["balance"] < amount:
        raise Conflict(f"{account} holds {row['balance']:.2f} only", "short")
    after = f"{row['balance'] - amount:.2f}"
    return Preview(
        facts=(Fact(label="payee", value=payee),),
        changes=(
            Change(target=account, field="balance", before=f"{row['balance']:.2f}", after=after),
        ),
        amount=amount,
        currency="EUR",
        versions={account: str(row["version"])},
    )


def close_account(context: HandlerContext, *, account: str) -> Preview:
    return _states(context, (account,), "closed")


def block_accounts(context: HandlerContext, *, accounts: list[str]) -> Preview:
    return _states(context, tuple(accounts), "blocked")


def set_card_limit(context: HandlerContext, *, card: str, limit: float) -> Preview:
    with closing(store.connect(context.data_dir)) as books:
        row = store.find(books, "card", card)
    before = f"{row['card_limit']:g}"
    return Preview(
        changes=(Change(target=card, field="limit", before=before, after=f"{limit:g}"),),
        versions={card: str(row["version"])},
    )


def _states(context: HandlerContext, accounts: tuple[str, ...], state: str) -> Preview:
    changes, versions = [], {}
    with closing(store.connect(context.data_dir)) as books:
        for account in accounts:
            row = store.find(books, "account", account)
            if row["state"] == state:
                raise Conflict(f"{account} is {state} already", state)
            changes.append(Change(target=account, field="state", before=row["state"], after=state))
            versions[account] = str(row["version"])
    return Preview(changes=tuple(changes), count=len(accounts), versions=versions)
