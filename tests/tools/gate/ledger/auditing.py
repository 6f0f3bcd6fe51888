"""Audits of a folder that somebody with the disk in hand may have changed."""

from pathlib import Path

from state.audit import LedgerAudit
from tests.safety.benches import opened_ledger
from tools.gate.ledger.audit import audit
from tools.gate.ledger.hash_chain import Head

AT = "tenant_id = 'aurora' and number = ?"


async def audited(
    data_dir: Path, pack: Path, *, heads: dict[str, Head] | None = None, tenant: str | None = None
) -> LedgerAudit:
    async with opened_ledger(data_dir, pack) as ledger:
        return (await audit(ledger.database, heads or {}, tenant_id=tenant)).report


async def heads_of(data_dir: Path, pack: Path) -> dict[str, Head]:
    async with opened_ledger(data_dir, pack) as ledger:
        checks = (await audit(ledger.database, {})).checks
    return {tenant: check.head for tenant, check in checks.items() if check.head}


def kinds_of(report: LedgerAudit) -> set[tuple[str, str]]:
    return {(fault.tenant_id, fault.kind) for fault in report.faults}
