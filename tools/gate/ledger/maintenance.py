"""Maintenance in the background: monitor the audit, write chain heads.

And prune what ended long ago.
"""

import asyncio
import time
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path

import structlog
from sqlalchemy import Connection, bindparam, delete, func, select, text
from sqlalchemy.dialects.sqlite import insert

from state.audit import LedgerFault
from state.errors import Busy
from state.freeze import Freeze
from state.retention import Pruned
from tools.gate.ledger.audit import HeadFile, audit, check_heads, tenants_of
from tools.gate.ledger.hash_chain import ChainCheck, Head, fetch, head_of
from tools.gate.ledger.operator_controls import open_freezes, put_freeze, was_lifted
from tools.platform.clock import DAY_SECONDS
from tools.storage import Database
from tools.storage.tables.ledger import ledger_action, ledger_anchor, ledger_approval, ledger_entry

WHOLE_EVERY_SECONDS = DAY_SECONDS
_HAS_CHAIN = "select 1 from ledger_entry where number is not null limit 1"

log = structlog.get_logger()


@dataclass
class AuditMonitor:
    """What is found freezes the ledger, once: a person then looks, and thaws it."""

    database: Database
    heads: HeadFile
    key_file: Path | None
    """None: the key comes from the environment."""
    frozen: tuple[Freeze, ...] = ()
    """As it was when it was last looked at."""
    _problem: str | None = None
    _seen: dict[str, ChainCheck] = field(default_factory=dict)
    _known: dict[str, Head] = field(default_factory=dict)
    _next_whole: float = 0.0

    async def at_start(self) -> None:
        """Freeze the ledger when its key or its end is missing, before anything can start.

        Raises:
            BadInput: the heads cannot be read.
        """
        known = self.heads.read()
        missing = await self.database.read(
            lambda connection: self._missing(connection, is_headless=known is None)
        )
        if missing:
            await self._freeze(missing)
        elif known:
            found = await self.database.read(lambda connection: check_heads(connection, known))
            await self._report(found)
        self.database.dirty_chains.update(await self.database.read(tenants_of))
        await self._write_heads()
        self.frozen = await self.database.read(open_freezes)

    async def keep_up(self) -> None:
        """Verify what is new, once a day everything, and write the heads out."""
        if time.monotonic() >= self._next_whole:
            audited = await audit(self.database, self._known)
            self._seen = audited.checks
            self._next_whole = time.monotonic() + WHOLE_EVERY_SECONDS
            await self._report(audited.report.faults)
        else:
            await self._report(await self._grown())
        await self.write_heads()
        self.frozen = await self.database.read(open_freezes)

    async def problems(self) -> list[str]:
        """Say what was found and nobody has looked at yet."""
        problem = self._problem
        if problem is None or await self._was_looked_at(problem):
            return []
        return [problem]

    async def write_heads(self) -> None:
        """Write out the heads of the chains that grew since the last time."""
        if self.database.dirty_chains:
            await self._write_heads()

    async def write_heads_beside(self) -> None:
        """Write the heads of what just grew beside those that were written down before.

        Where those know of more than there is, they stay: they are all that tells of it.

        Raises:
            BadInput: the heads cannot be read.
        """
        known = self.heads.read() or {}
        if not await self.database.read(lambda connection: check_heads(connection, known)):
            self._known = known
            await self.write_heads()

    async def close(self) -> None:
        """Write the heads out at the end; a store that is held then tells them at the next."""
        with suppress(Busy):
            await self.write_heads()

    async def _grown(self) -> list[LedgerFault]:
        grown = tuple(self.database.dirty_chains)
        known = {tenant: self._known[tenant] for tenant in grown if tenant in self._known}
        faults = await self.database.read(lambda connection: check_heads(connection, known))
        for tenant in grown:
            check = self._seen.setdefault(tenant, ChainCheck(tenant, self.database.seal))
            before = len(check.faults)
            while await self.database.read(check.walk):
                pass
            faults += check.faults[before:]
        return faults

    async def _write_heads(self) -> None:
        grown = tuple(self.database.dirty_chains)
        self.database.dirty_chains.difference_update(grown)
        found = await self.database.read(
            lambda connection: {tenant: head_of(connection, tenant) for tenant in grown}
        )
        self._known |= {tenant: head for tenant, head in found.items() if head is not None}
        await asyncio.to_thread(self._write, dict(self._known))

    def _write(self, heads: dict[str, Head]) -> None:
        # First what the heads tell of: after a loss of power they must not know more than we do.
        self.database.flush()
        self.heads.write(heads)

    def _missing(self, connection: Connection, *, is_headless: bool) -> str | None:
        if not fetch(connection, _HAS_CHAIN):
            return None
        if self.key_file is not None and not self.key_file.exists():
            return (
                f"{self.key_file.name} was missing and is made anew, so nothing older can be "
                "verified; stop, put the old one back from a backup, and start"
            )
        if is_headless:
            return f"{self.heads.path.name} is missing, so the end of the ledger is not known"
        return None

    async def _report(self, faults: Sequence[LedgerFault]) -> None:
        if not faults:
            return
        for fault in faults:
            log.error("ledger_fault", tenant=fault.tenant_id, kind=fault.kind, number=fault.number)
        more = f" (and {len(faults) - 1} more)" if len(faults) > 1 else ""
        await self._freeze(f"{faults[0]}{more}; `prefrontal ledger verify` tells all of it")

    async def _freeze(self, reason: str) -> None:
        if await self._was_looked_at(reason):
            return
        self._problem = reason
        await self.database.write(
            lambda connection: put_freeze(connection, self.database, reason), durable=True
        )

    async def _was_looked_at(self, reason: str) -> bool:
        return await self.database.read(lambda connection: was_lifted(connection, reason))


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
class LedgerPruner:
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
