"""Duplicates: other actions that do the same, named before a yes and void once one of them ran.

Two actions do the same if their tenant, name and arguments are equal; things go by their canonical
names by then. Versions of targets are left out: the first of two runs often changes them.
"""

from collections.abc import Mapping, Sequence
from typing import Any

from sqlalchemy import (
    CompoundSelect,
    Connection,
    Select,
    and_,
    or_,
    select,
    text,
    union_all,
    update,
)
from sqlalchemy import func as sql

from state.approval import Duplicate, LedgerAction
from state.errors import AlreadyAsked
from state.proposal import UNTRUSTED
from tools.approvals.spans import before_in_words
from tools.ledger.rows import enter, instant, read_action
from tools.storage.database import Database
from tools.storage.tables.ledger import ledger_action as table

_MINE, _OTHER = table.alias("mine"), table.alias("other")
_DOES_THE_SAME = and_(
    _OTHER.c.action_id != _MINE.c.action_id,
    _OTHER.c.execution_class == "C",
    _OTHER.c.action == _MINE.c.action,
    _OTHER.c.arguments == _MINE.c.arguments,
)
_RAN = ("started", "succeeded", "unknown")
OPEN = ("pending", "proposed", "approved")
"""States in which a question, or its yes, is void once the same has run."""
MOST_NAMED = 5
"""Duplicates of one action, the newest first: one is reason enough to look twice."""


def demand_first(
    connection: Connection,
    database: Database,
    values: Mapping[str, Any],  # by column
) -> None:
    """Let pass what its asker has no open question about.

    A person's own request never waits behind one that a model or a foreign text put in their name.

    Raises:
        AlreadyAsked: the same person's same question is open; the sentence says since when.
    """
    query = (
        select(table.c.action_id, (database.now() - table.c.proposed_at).label("seconds"))
        .where(
            table.c.tenant_id == values["tenant_id"],
            table.c.requester == values["requester"],
            table.c.state.in_(("pending", "proposed")),
            table.c.digest == values["digest"],
            table.c.undo_of.is_not_distinct_from(values["undo_of"]),
            table.c.decision_id != values["decision_id"],
            or_(table.c.expires_at.is_(None), table.c.expires_at > database.now()),
        )
        .order_by(table.c.proposed_at)
        .limit(1)
    )
    if values["origin"] not in UNTRUSTED:
        query = query.where(table.c.origin.not_in(UNTRUSTED))
    found = connection.execute(query).first()
    if found is None:
        return
    standing = read_action(connection, found.action_id)
    waits = "it is queued" if standing.state == "proposed" else "it still waits for a yes"
    told = f"{standing.summary}: already asked {before_in_words(found.seconds)} ago; {waits}"
    raise AlreadyAsked(told, standing.state, standing.action_id)


def with_duplicates(
    connection: Connection, database: Database, actions: Sequence[LedgerAction], minutes: float
) -> list[LedgerAction]:
    """Name the duplicates of each Class C action that may still be said yes to.

    Args:
        minutes: what was started longer ago is no duplicate any more.
    """
    asked = [one.action_id for one in actions if one.execution_class == "C" and one.state in OPEN]
    if not asked:
        return list(actions)
    found: dict[str, list[Duplicate]] = {action_id: [] for action_id in asked}
    for row in connection.execute(_query(database, asked, minutes)):
        if len(found[row.of]) < MOST_NAMED:
            told = {"state": row.state, "requester": row.requester, "at": instant(row.at)}
            found[row.of].append(Duplicate.model_validate({"action_id": row.action_id, **told}))
    return [
        one.model_copy(update={"duplicates": tuple(found.get(one.action_id, ()))})
        for one in actions
    ]


def running_duplicate(connection: Connection, standing: LedgerAction) -> str | None:
    """Name the action that does the same at this moment; None: none does."""
    query = _same_as(standing.action_id).where(_OTHER.c.state == "started")
    return connection.scalar(query.limit(1))


def has_run_lately(
    connection: Connection, database: Database, standing: LedgerAction, minutes: float
) -> bool:
    """Tell whether the same has run, or begun, within so many minutes."""
    [named] = with_duplicates(connection, database, [standing], minutes)
    return any(one.state not in OPEN for one in named.duplicates)


def void_duplicates(connection: Connection, database: Database, done: LedgerAction) -> None:
    """Make every other question of what has just run stale: its yes was one to a first run."""
    told = (
        f"the same was done meanwhile, asked by {done.requester} ({done.action_id}); "
        "ask again if it is due twice"
    )
    query = _same_as(done.action_id).where(_OTHER.c.state.in_(OPEN))
    for action_id in connection.scalars(query).all():
        connection.execute(
            update(table).where(table.c.action_id == action_id).values(state="stale", reason=told)
        )
        enter(
            connection,
            database,
            tenant_id=done.tenant_id,
            action_id=action_id,
            actor="executor",
            event="stale",
            body={"reason": told},
        )


def _same_as(action_id: str) -> Select[Any]:
    return (
        select(_OTHER.c.action_id)
        .join(_MINE, and_(_OTHER.c.tenant_id == _MINE.c.tenant_id, _DOES_THE_SAME))
        .where(_MINE.c.action_id == action_id)
    )


def _query(database: Database, asked: Sequence[str], minutes: float) -> CompoundSelect[Any]:
    """Build: what is open, and what was started lately and not undone since, newest first."""
    at = sql.coalesce(_OTHER.c.started_at, _OTHER.c.proposed_at).label("at")
    named = select(
        _MINE.c.action_id.label("of"), _OTHER.c.action_id, _OTHER.c.state, _OTHER.c.requester, at
    ).where(_MINE.c.action_id.in_(asked), _DOES_THE_SAME)
    since = database.now() - minutes * 60
    is_open = named.where(_OTHER.c.tenant_id == _MINE.c.tenant_id, _OTHER.c.state.in_(OPEN))
    ran = named.where(
        # Not by the index of tenants and states, which holds the years before, too: what was
        # started so lately runs out later still, and the index of that holds few.
        _OTHER.c.tenant_id.op("||")("") == _MINE.c.tenant_id,
        _OTHER.c.state.in_(_RAN),
        _OTHER.c.expires_at > since,
        _OTHER.c.started_at > since,
        _OTHER.c.undo_at.is_(None),
    )
    return union_all(is_open, ran).order_by(text("at desc"))
