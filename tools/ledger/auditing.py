"""Audit: hold the whole ledger against itself, slice by slice, changing nothing."""

import asyncio
import time
from dataclasses import dataclass

from sqlalchemy import Connection

from state.audit import LedgerAudit, LedgerFault
from tools.ledger.chain import Head
from tools.ledger.heads import check_heads
from tools.ledger.row_checks import RowCheck
from tools.ledger.verifying import ChainCheck, fetch
from tools.storage.database import Database

_TENANTS = """
    with recursive found(tenant) as (
        select min(tenant_id) from ledger_entry
        union all
        select (select min(tenant_id) from ledger_entry where tenant_id > tenant)
        from found where tenant is not null
    )
    select tenant from found where tenant is not null
    union select tenant_id from ledger_anchor order by 1
"""


@dataclass(frozen=True)
class Audited:
    """What was found, and how far each chain was walked."""

    report: LedgerAudit
    checks: dict[str, ChainCheck]


async def audit(
    database: Database, heads: dict[str, Head], *, tenant_id: str | None = None
) -> Audited:
    """Verify everything there is: seals, order, ends, rows and yeses.

    Args:
        heads: what is known of the ends from outside the database.
        tenant_id: only this tenant's chain and rows.
    """
    started = time.monotonic()
    tenants = [tenant_id] if tenant_id else await database.read(tenants_of)
    seal = await asyncio.to_thread(lambda: database.seal)  # the first look reads or makes its file
    checks = {tenant: ChainCheck(tenant, seal) for tenant in tenants}
    rows = RowCheck(seal, tenant_id)
    for check in checks.values():
        while await database.read(check.walk):  # one slice a transaction: others get their turn
            pass
    while await database.read(rows.walk):
        pass
    ends = await database.read(lambda connection: check_heads(connection, heads))
    faults: list[LedgerFault] = [fault for check in checks.values() for fault in check.faults]
    faults += [fault for fault in ends if tenant_id in (None, fault.tenant_id)]
    return Audited(
        LedgerAudit(
            entries=sum(check.entries for check in checks.values()),
            actions=rows.actions,
            seconds=round(time.monotonic() - started, 3),
            heads={name: check.head.number for name, check in checks.items() if check.head},
            faults=(*faults, *rows.faults),
        ),
        checks,
    )


def tenants_of(connection: Connection) -> list[str]:
    """List the tenants that have a chain, without walking it."""
    return [tenant for (tenant,) in fetch(connection, _TENANTS)]
