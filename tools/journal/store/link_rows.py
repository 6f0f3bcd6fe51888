"""Links between decisions as rows, and as a reader may see them.

Accepted links set the status of both ends. A hidden decision is not named by those linked to
it.
"""

import json
from collections.abc import Collection, Sequence
from datetime import UTC, datetime
from typing import Any, NamedTuple

from sqlalchemy import (
    ColumnElement,
    Connection,
    RowMapping,
    Select,
    func,
    insert,
    not_,
    or_,
    select,
    true,
    update,
)

from state.errors import NotFound
from state.journal import Decision, DecisionLink, DecisionStatus, LinkStanding
from state.reader import Reader
from tools.journal.store.entry_rows import read_decision, update_status
from tools.storage.query_filters import readable
from tools.storage.tables.journal import journal_entry, journal_link
from tools.storage.tables.journal import journal_link as table

_ENDS = ("supersedes", "superseded_by")


def hide_links_of_hidden(
    connection: Connection, decisions: Sequence[Decision], reader: Reader
) -> list[Decision]:
    """Leave out which hidden decisions these replace or were replaced by.

    How they stand stays: that a decision is in force no more is to be known to who reads it.
    """
    named = {one for made in decisions for one in (made.supersedes, made.superseded_by) if one}
    hidden = hidden_ids(connection, named, reader)
    if not hidden:
        return list(decisions)
    return [_without(one, hidden) for one in decisions]


def read_visible(connection: Connection, query: Select[Any], reader: Reader) -> list[Decision]:
    """Read the bodies that a query finds, without what the reader may not know of them."""
    decisions = [Decision.model_validate(body) for body in connection.scalars(query)]
    return hide_links_of_hidden(connection, decisions, reader)


def visible_links(
    connection: Connection, links: Sequence[DecisionLink], reader: Reader
) -> list[DecisionLink]:
    """Leave out links of which an end is hidden: their reasons quote both."""
    ends = {end for one in links for end in (one.newer, one.older)}
    hidden = hidden_ids(connection, ends, reader)
    return [one for one in links if not {one.newer, one.older} & hidden]


def hidden_ids(connection: Connection, ids: Collection[str], reader: Reader) -> set[str]:
    """Tell which decisions of the tenant are closed to a reader; an unknown id is none."""
    if not ids or not reader.closed:
        return set()
    wanted = func.json_each(json.dumps(sorted(ids))).table_valued("value")
    query = _hidden(reader).where(journal_entry.c.id.in_(select(wanted.c.value)))
    return set(connection.scalars(query))


def is_link_visible(reader: Reader) -> ColumnElement[bool]:
    """Write that no end of a link is closed to a reader."""
    if not reader.closed:
        return journal_link.c.tenant_id == reader.tenant_id
    ends = journal_entry.c.id.in_([journal_link.c.newer, journal_link.c.older])
    hides = _hidden(reader).where(ends).correlate(journal_link).exists()
    return (journal_link.c.tenant_id == reader.tenant_id) & not_(hides)


def _hidden(reader: Reader) -> Select[tuple[str]]:
    entry = journal_entry.c
    return select(entry.id).where(
        entry.tenant_id == reader.tenant_id, not_(readable(entry.session_id, reader))
    )


def _without(decision: Decision, hidden: Collection[str]) -> Decision:
    gone = dict.fromkeys(one for one in _ENDS if getattr(decision, one) in hidden)
    return decision.model_copy(update=gone) if gone else decision


_IN_FORCE = (DecisionStatus.ACTIVE, DecisionStatus.REVISITED)


class JudgedLink(NamedTuple):
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


def link_sessions(connection: Connection, tenant_id: str, link: DecisionLink) -> tuple[str, ...]:
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
    kept = read_decision(connection, decision_id, tenant_id)
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


def apply_links(decision: Decision, links: Sequence[DecisionLink]) -> Decision:
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


def update_linked_status(connection: Connection, tenant_id: str, link: DecisionLink) -> None:
    """Write down how both ends of a link that was just accepted stand now."""
    links = links_of(connection, tenant_id, (link.newer, link.older))
    for end in (link.newer, link.older):
        known = read_decision(connection, end, tenant_id)
        if known is not None:
            update_status(connection, apply_links(known, links))


def update_unlinked_status(
    connection: Connection, tenant_id: str, link: DecisionLink, older_was: DecisionStatus
) -> None:
    """Write down how both ends stand without a link that had been accepted."""
    links = links_of(connection, tenant_id, (link.newer, link.older))
    newer, older = (read_decision(connection, end, tenant_id) for end in (link.newer, link.older))
    if newer is not None:
        own = None if newer.supersedes == link.older else newer.supersedes
        update_status(connection, apply_links(newer.model_copy(update={"supersedes": own}), links))
    if older is not None:
        stands: dict[str, object] = {"status": older_was}
        if older.superseded_by == link.newer:
            stands["superseded_by"] = None
        update_status(connection, apply_links(older.model_copy(update=stands), links))
