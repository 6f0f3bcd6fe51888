"""Watch the ledger: audit it at a start, as it grows and once a day, and keep its heads outside."""

import asyncio
import time
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path

import structlog
from sqlalchemy import Connection

from state.audit import LedgerFault
from state.errors import Busy
from state.freeze import Freeze
from tools.clock import DAY_SECONDS
from tools.ledger.auditing import audit, tenants_of
from tools.ledger.chain import Head, head_of
from tools.ledger.freezing import freezes, put_freeze, was_lifted
from tools.ledger.heads import HeadFile, check_heads
from tools.ledger.verifying import ChainCheck, fetch
from tools.storage.database import Database

WHOLE_EVERY_SECONDS = DAY_SECONDS
_HAS_CHAIN = "select 1 from ledger_entry where number is not null limit 1"

log = structlog.get_logger()


@dataclass
class Watching:
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
        self.frozen = await self.database.read(freezes)

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
        self.frozen = await self.database.read(freezes)

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
