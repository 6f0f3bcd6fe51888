"""Prune the ledger: what ended long ago goes, from the front, and an anchor holds the chain."""

from collections.abc import Sequence
from dataclasses import dataclass

from sqlalchemy import Connection, bindparam, delete, func, select, text
from sqlalchemy.dialects.sqlite import insert

from state.retention import Pruned
from tools.clock import DAY_SECONDS
from tools.ledger.auditing import tenants_of
from tools.storage.database import Database
from tools.storage.tables.ledger import (
    ledger_action,
    ledger_anchor,
    ledger_approval,
    ledger_entry,
)

AT_ONCE = 20_000
"""Entries of one transaction: meanwhile nobody else writes."""
ENDED = ("succeeded", "failed", "rejected", "expired", "superseded", "stale")
"""States in which nothing more happens; an unknown action stays until a person settles it."""
_PROTECTED = ("ledger_action", "ledger_approval", "ledger_entry")
_CHUNK = 500


@dataclass(frozen=True)
class _Front:
    """What can go from the front of a tenant's chain."""

    number: int
    """Of the last entry that goes."""
    hash: str
    action_ids: tuple[str, ...]
    entries: int


@dataclass(frozen=True)
class Pruning:
    """The one way out of the ledger; the triggers forbid every other."""

    database: Database

    async def prune(self, days: int, *, is_trial: bool = False) -> Pruned:
        """Remove actions that ended more than `days` ago, with their answers and entries.

        Only from the front of each chain: what stands behind an open or unknown action stays.

        Args:
            days: 0 keeps everything.
            is_trial: only count.
        """
        if days == 0:
            return Pruned()
        actions = entries = 0
        for tenant in await self.database.read(tenants_of):
            while True:
                front = await self._step(tenant, days, is_trial=is_trial)
                if front is None:
                    break
                actions += len(front.action_ids)
                entries += front.entries
                if is_trial:
                    break
        return Pruned(ledger_actions=actions, ledger_entries=entries)

    async def _step(self, tenant: str, days: int, *, is_trial: bool) -> _Front | None:
        if is_trial:
            return await self.database.read(
                lambda connection: self._front(connection, tenant, days, at_most=None)
            )

        def work(connection: Connection) -> _Front | None:
            front = self._front(connection, tenant, days, at_most=AT_ONCE)
            front = front or self._front(connection, tenant, days, at_most=None)
            if front is not None:
                _remove(connection, self.database, tenant, front)
            return front

        return await self.database.write(work, durable=True)

    def _front(
        self, connection: Connection, tenant: str, days: int, *, at_most: int | None
    ) -> _Front | None:
        entries = connection.execute(
            select(ledger_entry.c.number, ledger_entry.c.action_id, ledger_entry.c.hash)
            .where(ledger_entry.c.tenant_id == tenant, ledger_entry.c.number.is_not(None))
            .order_by(ledger_entry.c.number)
            .limit(at_most)
        ).all()
        named = list(dict.fromkeys(entry.action_id for entry in entries))
        last = self._last_of_those_that_may_go(connection, named, days)
        count = next(
            (place for place, entry in enumerate(entries) if entry.action_id not in last),
            len(entries),
        )
        while True:  # an action goes whole or not at all
            split = [
                place
                for place, entry in enumerate(entries[:count])
                if last[entry.action_id] > entries[count - 1].number
            ]
            if not split:
                break
            count = split[0]
        if count == 0:
            return None
        end = entries[count - 1]
        action_ids = tuple(dict.fromkeys(entry.action_id for entry in entries[:count]))
        return _Front(end.number, end.hash, action_ids, count)

    def _last_of_those_that_may_go(
        self, connection: Connection, action_ids: Sequence[str], days: int
    ) -> dict[str, int]:
        """Map every action that ended long enough ago to the number of its last entry."""
        query = (
            select(ledger_action.c.action_id, func.max(ledger_entry.c.number))
            .join(ledger_entry, ledger_entry.c.action_id == ledger_action.c.action_id)
            .where(
                ledger_action.c.action_id.in_(bindparam("some", expanding=True)),
                ledger_action.c.state.in_(ENDED),
            )
            .group_by(ledger_action.c.action_id)
            .having(func.max(ledger_entry.c.at) < self.database.now() - days * DAY_SECONDS)
        )
        found: dict[str, int] = {}
        for start in range(0, len(action_ids), _CHUNK):
            some = {"some": list(action_ids[start : start + _CHUNK])}
            found |= {row[0]: row[1] for row in connection.execute(query, some)}
        return found


def _remove(connection: Connection, database: Database, tenant: str, front: _Front) -> None:
    guards = connection.execute(
        text(
            "select name, sql from sqlite_master where type = 'trigger' and sql like '%DELETE%'"
            " and tbl_name in :tables"
        ).bindparams(bindparam("tables", expanding=True)),
        {"tables": list(_PROTECTED)},
    ).all()
    for guard in guards:
        connection.exec_driver_sql(f'DROP TRIGGER "{guard.name}"')
    for start in range(0, len(front.action_ids), _CHUNK):
        some = front.action_ids[start : start + _CHUNK]
        connection.execute(delete(ledger_approval).where(ledger_approval.c.action_id.in_(some)))
        connection.execute(delete(ledger_entry).where(ledger_entry.c.action_id.in_(some)))
        connection.execute(delete(ledger_action).where(ledger_action.c.action_id.in_(some)))
    anchor = {
        "number": front.number,
        "hash": front.hash,
        "pruned_at": select(database.now()).scalar_subquery(),
    }
    connection.execute(
        insert(ledger_anchor)
        .values(tenant_id=tenant, **anchor)
        .on_conflict_do_update(index_elements=["tenant_id"], set_=anchor)
    )
    for guard in guards:  # in the same transaction: at no time does the ledger stand unguarded
        connection.exec_driver_sql(guard.sql)
