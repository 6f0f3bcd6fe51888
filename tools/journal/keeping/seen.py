"""Decisions as a reader sees them: one that is hidden is not named by those it is linked to."""

import json
from collections.abc import Collection, Sequence

from sqlalchemy import ColumnElement, Connection, Select, func, not_, select

from state.journal import Decision, DecisionLink
from state.reader import Reader
from tools.storage.readable import readable
from tools.storage.tables.journal import journal_entry, journal_link

_ENDS = ("supersedes", "superseded_by")


def as_seen(
    connection: Connection, decisions: Sequence[Decision], reader: Reader
) -> list[Decision]:
    """Leave out which hidden decisions these replace or were replaced by.

    How they stand stays: that a decision is in force no more is to be known to who reads it.
    """
    named = {one for made in decisions for one in (made.supersedes, made.superseded_by) if one}
    hidden = hidden_among(connection, named, reader)
    if not hidden:
        return list(decisions)
    return [_without(one, hidden) for one in decisions]


def seen_links(
    connection: Connection, links: Sequence[DecisionLink], reader: Reader
) -> list[DecisionLink]:
    """Leave out links of which an end is hidden: their reasons quote both."""
    ends = {end for one in links for end in (one.newer, one.older)}
    hidden = hidden_among(connection, ends, reader)
    return [one for one in links if not {one.newer, one.older} & hidden]


def hidden_among(connection: Connection, ids: Collection[str], reader: Reader) -> set[str]:
    """Tell which decisions of the tenant are closed to a reader; an unknown id is none."""
    if not ids or not reader.closed:
        return set()
    wanted = func.json_each(json.dumps(sorted(ids))).table_valued("value")
    query = _hidden(reader).where(journal_entry.c.id.in_(select(wanted.c.value)))
    return set(connection.scalars(query))


def is_seen(reader: Reader) -> ColumnElement[bool]:
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
