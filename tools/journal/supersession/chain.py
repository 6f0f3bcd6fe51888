"""Follow accepted links into the chain of a decision; each member gives the same chain."""

from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from operator import attrgetter

from sqlalchemy import Connection, or_, select

from state.errors import NotFound
from state.journal import Decision, DecisionChain, DecisionStatus
from state.reader import Reader
from tools.journal.store.link_rows import hidden_ids, hide_links_of_hidden, links_of, visible_links
from tools.journal.store.store import JournalStore
from tools.storage import readable_in
from tools.storage.tables.journal import journal_entry, journal_link

MOST_TOLD = 500
"""Decisions told of one chain: the first, the one in force, the one asked for, and the newest."""
_AT_ONCE = 500
_IN_FORCE = (DecisionStatus.ACTIVE.value, DecisionStatus.REVISITED.value)

_body = journal_entry.c.body
_older = _body["supersedes"].as_string()
_newer = _body["superseded_by"].as_string()


@dataclass(frozen=True)
class _Member:
    id: str
    when: tuple[float, str, int]
    """When it was taken; of records without a date the path, which numbers them; then as kept."""
    replaces: bool
    is_replaced: bool
    is_in_force: bool


async def chain_of(store: JournalStore, decision_id: str, reader: Reader) -> DecisionChain:
    """Follow a decision both ways, however far; a circle is walked once.

    Raises:
        NotFound: no such decision in this tenant, or it is closed to the reader.
    """
    return await store.database.read(lambda one: _chain(one, decision_id, reader))


def _chain(connection: Connection, decision_id: str, reader: Reader) -> DecisionChain:
    tenant_id = reader.tenant_id
    holding = _holding(connection, tenant_id)
    pairs = [*_said(connection, tenant_id), *holding]
    # Before it is walked: what only a hidden one joins would tell that there is one.
    hidden = hidden_ids(connection, {decision_id, *(end for pair in pairs for end in pair)}, reader)
    reached = _reached(decision_id, (pair for pair in pairs if not hidden.intersection(pair)))
    members = sorted(_members(connection, tenant_id, reached - hidden), key=attrgetter("when"))
    if decision_id not in {one.id for one in members}:
        raise NotFound("decision", decision_id)
    newer = {one.id for one in members if one.replaces} | {new for new, _ in holding}
    older = {one.id for one in members if one.is_replaced} | {old for _, old in holding}
    original = next((one.id for one in members if one.id not in newer), members[0].id)
    last = [one for one in reversed(members) if one.id not in older]
    current = next((one for one in last if one.is_in_force), (*last, members[-1])[0]).id
    always = {original, current, decision_id}
    others = [one.id for one in members if one.id not in always]
    told = always.union(others[-(MOST_TOLD - len(always)) :])
    known = _bodies(connection, reader, told)
    return DecisionChain(
        original=known[original],
        revisions=tuple(known[m.id] for m in members if m.id in told and m.id != original),
        current=known[current],
        links=tuple(
            visible_links(connection, links_of(connection, tenant_id, told, standing=None), reader)
        ),
        left_out=len(members) - len(told),
    )


def _said(connection: Connection, tenant_id: str) -> Iterator[tuple[str, str]]:
    """Pair decisions with what they say of each other themselves."""
    query = select(journal_entry.c.id, _older, _newer).where(
        journal_entry.c.tenant_id == tenant_id, or_(_older.is_not(None), _newer.is_not(None))
    )
    for one, *ends in connection.execute(query):
        yield from ((one, end) for end in ends if end)


def _holding(connection: Connection, tenant_id: str) -> Sequence[tuple[str, str]]:
    """Pair decisions that an accepted link joins: the newer, the older."""
    table = journal_link
    query = select(table.c.newer, table.c.older).where(
        table.c.tenant_id == tenant_id, table.c.standing == "accepted"
    )
    return [(newer, older) for newer, older in connection.execute(query)]


def _reached(start: str, pairs: Iterable[tuple[str, str]]) -> set[str]:
    beside: defaultdict[str, set[str]] = defaultdict(set)
    for one, other in pairs:
        beside[one].add(other)
        beside[other].add(one)
    reached, waiting = {start}, [start]
    while waiting:
        fresh = beside[waiting.pop()] - reached
        reached |= fresh
        waiting += fresh
    return reached


def _members(connection: Connection, tenant_id: str, ids: Collection[str]) -> Iterator[_Member]:
    row = journal_entry.c
    source = _body["source"].as_string()
    wanted = (row.entry_id, row.id, row.decided_at, row.status, source, _older, _newer)
    every = sorted(ids)
    for at in range(0, len(every), _AT_ONCE):
        some = every[at : at + _AT_ONCE]
        query = select(*wanted).where(row.tenant_id == tenant_id, row.id.in_(some))
        for entry, one, decided_at, status, path, older, newer in connection.execute(query):
            is_replaced = bool(newer) or status == DecisionStatus.SUPERSEDED.value
            when = (decided_at or 0.0, path or "", entry)
            yield _Member(one, when, bool(older), is_replaced, status in _IN_FORCE)


def _bodies(connection: Connection, reader: Reader, ids: Collection[str]) -> Mapping[str, Decision]:
    query = select(_body).where(readable_in(journal_entry, reader), journal_entry.c.id.in_(ids))
    found = hide_links_of_hidden(
        connection, [*map(Decision.model_validate, connection.scalars(query))], reader
    )
    return {one.id: one for one in found}
