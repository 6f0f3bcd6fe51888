"""Links between decisions as rows, and what accepted ones make of the decisions they join."""

from collections.abc import Collection, Sequence
from datetime import UTC, datetime
from typing import NamedTuple

from sqlalchemy import ColumnElement, Connection, RowMapping, insert, or_, select, true, update

from state.errors import NotFound
from state.journal import Decision, DecisionLink, DecisionStatus, LinkStanding
from tools.journal.keeping.rows import kept_decision, restate
from tools.storage.tables.journal import journal_entry
from tools.storage.tables.journal import journal_link as table

_IN_FORCE = (DecisionStatus.ACTIVE, DecisionStatus.REVISITED)


class Settled(NamedTuple):
    """A link that somebody has just judged."""

    link: DecisionLink
    was: LinkStanding


def read_link(row: RowMapping) -> DecisionLink:
    """Turn a row into the noun."""
    fields = {name: row[name] for name in DecisionLink.model_fields}
    for name in ("made_at", "settled_at"):
        if fields[name] is not None:
            fields[name] = datetime.fromtimestamp(fields[name], UTC)
    return DecisionLink.model_validate(fields)


def links_of(
    connection: Connection,
    tenant_id: str,
    ids: Collection[str],
    *,
    standing: LinkStanding | None = "accepted",
) -> list[DecisionLink]:
    """List the links that decisions are part of, oldest first; None: of whatever standing."""
    query = (
        select(table)
        .where(
            table.c.tenant_id == tenant_id,
            true() if standing is None else table.c.standing == standing,
            or_(table.c.newer.in_(ids), table.c.older.in_(ids)),
        )
        .order_by(table.c.link_id)
    )
    return [read_link(row) for row in connection.execute(query).mappings()]


def put_link(
    connection: Connection, now: ColumnElement[float], row: dict[str, object]
) -> DecisionLink:
    """Write a link, in place of one between the same two, made now unless `row` says when."""
    same = (table.c.tenant_id == row["tenant_id"], table.c.newer == row["newer"])
    where = (*same, table.c.older == row["older"])
    row = {"made_at": now} | row
    if connection.execute(update(table).where(*where).values(row)).rowcount == 0:
        connection.execute(insert(table).values(row))
    return read_link(connection.execute(select(table).where(*where)).mappings().one())


def link_row(connection: Connection, link_id: int, tenant_id: str) -> RowMapping:
    """Read a link inside a transaction.

    Raises:
        NotFound: no such link in the tenant.
    """
    row = (
        connection.execute(
            select(table).where(table.c.link_id == link_id, table.c.tenant_id == tenant_id)
        )
        .mappings()
        .first()
    )
    if row is None:
        raise NotFound("link", str(link_id))
    return row


def said_in(connection: Connection, tenant_id: str, link: DecisionLink) -> tuple[str, ...]:
    """Name the sessions that both ends of a link are of: who reads those may hear of it."""
    entry = journal_entry.c
    ends = entry.id.in_((link.newer, link.older))
    query = select(entry.session_id).where(entry.tenant_id == tenant_id, ends)
    return tuple(sorted(set(connection.scalars(query))))


def own_status(connection: Connection, tenant_id: str, decision_id: str) -> str | None:
    """Tell how a decision would stand if no link were over it."""
    before = (
        select(table.c.older_was)
        .where(
            table.c.tenant_id == tenant_id,
            table.c.older == decision_id,
            table.c.standing == "accepted",
        )
        .order_by(table.c.settled_at, table.c.link_id)
    )
    if (was := connection.scalar(before.limit(1))) is not None:
        return str(was)
    kept = kept_decision(connection, decision_id, tenant_id)
    return kept.status.value if kept else None


def link_between(
    connection: Connection, tenant_id: str, newer: str, older: str
) -> DecisionLink | None:
    """Find the link from one decision to another, however it stands."""
    query = select(table).where(
        table.c.tenant_id == tenant_id, table.c.newer == newer, table.c.older == older
    )
    row = connection.execute(query).mappings().first()
    return None if row is None else read_link(row)


def with_links(decision: Decision, links: Sequence[DecisionLink]) -> Decision:
    """Put a decision where accepted links say it stands; what they do not touch stays.

    One that is revised in part is revisited, and stays in force beside its revision.
    """
    over = [one for one in links if one.older == decision.id]
    under = [one for one in links if one.newer == decision.id]
    replaced = [one for one in over if one.scope == "full"]
    stands: dict[str, object] = {}
    if replaced:
        stands = {"status": DecisionStatus.SUPERSEDED, "superseded_by": replaced[-1].newer}
    elif over and decision.status in _IN_FORCE:
        stands = {"status": DecisionStatus.REVISITED}
    if under and decision.supersedes is None:
        stands["supersedes"] = under[0].older
    return decision.model_copy(update=stands) if stands else decision


def restate_linked(connection: Connection, tenant_id: str, link: DecisionLink) -> None:
    """Write down how both ends of a link that was just accepted stand now."""
    links = links_of(connection, tenant_id, (link.newer, link.older))
    for end in (link.newer, link.older):
        known = kept_decision(connection, end, tenant_id)
        if known is not None:
            restate(connection, with_links(known, links))


def restate_parted(
    connection: Connection, tenant_id: str, link: DecisionLink, older_was: DecisionStatus
) -> None:
    """Write down how both ends stand without a link that had been accepted."""
    links = links_of(connection, tenant_id, (link.newer, link.older))
    newer, older = (kept_decision(connection, end, tenant_id) for end in (link.newer, link.older))
    if newer is not None:
        own = None if newer.supersedes == link.older else newer.supersedes
        restate(connection, with_links(newer.model_copy(update={"supersedes": own}), links))
    if older is not None:
        stands: dict[str, object] = {"status": older_was}
        if older.superseded_by == link.newer:
            stands["superseded_by"] = None
        restate(connection, with_links(older.model_copy(update=stands), links))
