"""Audit the ledger: compare rows with sealed entries.

And chain heads with the copy outside the database.

Works slice by slice and changes nothing.
"""

import asyncio
import json
import os
import time
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import orjson
from sqlalchemy import Connection

from state.audit import LedgerAudit, LedgerFault
from state.errors import BadInput
from tools.gate.ledger.hash_chain import MOST_FAULTS, ChainCheck, Head, fetch, head_of
from tools.gate.ledger.rows import digest_of, result_hash, row_hash, undo_seal
from tools.storage import Database
from tools.storage.seal_key import Seal
from tools.storage.tables.ledger import FROZEN

SLICE = 5_000

BEFORE_CHAIN = ""
"""Schema hash of a row from before 0002: its digest was made another way."""
_READ = ("rowid", *FROZEN, "state", "result", "undo_arguments")
_ACTIONS = f"""
    select {", ".join(f"a.{column}" for column in _READ)},
        (select e.event from ledger_entry e where e.action_id = a.action_id
            and (e.event like 'proposed %' or e.event in ('pending', 'approved', 'started',
                'succeeded', 'failed', 'unknown', 'rejected', 'expired', 'superseded', 'stale'))
            order by e.seq desc limit 1),
        (select e.body from ledger_entry e where e.action_id = a.action_id
            and e.event like 'proposed %' order by e.seq limit 1),
        (select e.body from ledger_entry e where e.action_id = a.action_id
            and e.event in ('succeeded', 'failed', 'unknown')
            order by e.seq desc limit 1)
    from ledger_action a where a.rowid > ?1 and (?2 is null or a.tenant_id = ?2)
    order by a.rowid limit ?3
"""  # noqa: S608  # our own names
_VOTES = """
    select a.tenant_id, v.action_id, v.approver from ledger_approval v
    join ledger_action a on a.action_id = v.action_id
    where not exists (select 1 from ledger_entry e
        where e.action_id = v.action_id and e.actor = v.approver and (e.event = 'yes'
            or (v.method = 'chip' and e.event like 'proposed %')))
        and (?1 is null or a.tenant_id = ?1)
    limit 100
"""
_ORPHANS = """
    select e.tenant_id, e.action_id, min(e.number) from ledger_entry e
    where not exists (select 1 from ledger_action a where a.action_id = e.action_id)
        and (?1 is null or e.tenant_id = ?1)
    group by e.tenant_id, e.action_id limit 100
"""


@dataclass
class RowCheck:
    """Walks the actions of every tenant, a slice at a time."""

    seal: Seal
    tenant_id: str | None = None
    """Only its actions; None: those of every tenant."""
    actions: int = 0
    faults: list[LedgerFault] = field(default_factory=list)
    _last: int = 0

    def walk(self, connection: Connection, *, at_most: int = SLICE) -> bool:
        """Look at the next actions; False: there are none left, or too many faults."""
        rows = fetch(connection, _ACTIONS, (self._last, self.tenant_id, at_most))
        self.faults += [fault for row in rows for fault in _faults_of(row, self.seal)]
        self.actions += len(rows)
        self._last = rows[-1][0] if rows else self._last
        if len(rows) == at_most and len(self.faults) < MOST_FAULTS:
            return True
        self.faults += check_votes_and_orphans(connection, self.tenant_id)
        return False


def check_votes_and_orphans(
    connection: Connection, tenant_id: str | None = None
) -> list[LedgerFault]:
    """Find every yes that no entry knows, and every entry whose action is gone."""
    votes = [
        LedgerFault(
            tenant_id=tenant,
            kind="vote",
            action_id=action,
            says=f"no entry knows the yes of {approver} to action {action}",
        )
        for tenant, action, approver in fetch(connection, _VOTES, (tenant_id,))
    ]
    orphans = [
        LedgerFault(
            tenant_id=tenant,
            kind="orphan",
            number=number,
            action_id=action,
            says=f"action {action} of entry {number} is gone",
        )
        for tenant, action, number in fetch(connection, _ORPHANS, (tenant_id,))
    ]
    return votes + orphans


def _faults_of(values: tuple[Any, ...], seal: Seal) -> Iterator[LedgerFault]:
    row = dict(zip(_READ, values, strict=False))
    event, body, end = values[len(_READ) :]
    action_id, state = row["action_id"], row["state"]

    def fault(says: str) -> LedgerFault:
        return LedgerFault(
            tenant_id=row["tenant_id"],
            kind="row",
            action_id=action_id,
            says=f"action {action_id} {says}",
        )

    says = _state_told(event)
    if says is None:
        yield fault("is in no entry")
    elif says != state:
        yield fault(f"is {state}, and its last entry says {says}")
    if not _is_as_sealed(row, orjson.loads(body) if body else {}):
        yield fault("is not what was proposed: what never changes was changed")
    entered = orjson.loads(end or "{}")
    known, result = entered.get("result_sha256"), row["result"]
    if known and result not in (None, "null") and known != result_hash(orjson.loads(result)):
        yield fault("has another result than was entered")
    undo = orjson.loads(row["undo_arguments"] or "null") or {}
    seals = {
        sealed: None if (kept := undo.get(name)) is None else undo_seal(seal, action_id, kept)
        for name, sealed in (("told", "undo_seal"), ("left", "left_seal"))
    }
    if any(entered.get(sealed) != found for sealed, found in seals.items()):
        yield fault("would be undone with something else than was entered")
    if row["schema_hash"] != BEFORE_CHAIN and row["digest"] != _digest_of(row):
        yield fault("has other arguments or targets than its digest stands for")


def _is_as_sealed(row: Mapping[str, Any], entry: Mapping[str, Any]) -> bool:
    return (
        entry.get("digest", row["digest"]) == row["digest"]
        and entry.get("class", row["execution_class"]) == row["execution_class"]
        and entry.get("row_sha256") in (None, row_hash([row[column] for column in FROZEN]))
    )


def _digest_of(row: Mapping[str, Any]) -> str:
    return digest_of(
        tenant_id=row["tenant_id"],
        action=row["action"],
        schema_hash=row["schema_hash"],
        policy_version=row["policy_version"],
        arguments=orjson.loads(row["arguments"]),
        targets=orjson.loads(row["target_versions"]),
    )


def _state_told(event: str | None) -> str | None:
    return event.removeprefix("proposed ") if event else None


HEAD_FILE = "ledger.head"
_AT = "select hash from ledger_entry where tenant_id = ? and number = ?"


@dataclass(frozen=True)
class HeadFile:
    """ledger.head: tenant to the number and the hash of its last entry."""

    path: Path

    def read(self) -> dict[str, Head] | None:
        """Read what was written last; None: there is no such file.

        Raises:
            BadInput: it does not hold heads.
        """
        try:
            told = json.loads(self.path.read_text("utf-8"))
            return {
                tenant: Head(int(head["number"]), str(head["hash"]))
                for tenant, head in told["tenants"].items()
            }
        except FileNotFoundError:
            return None
        except (ValueError, TypeError, KeyError, AttributeError) as error:
            raise BadInput(f"{self.path} holds no heads; restore it from a backup") from error

    def write(self, heads: Mapping[str, Head]) -> None:
        """Write heads down, all or nothing."""
        told = {
            tenant: {"number": head.number, "hash": head.hash}
            for tenant, head in sorted(heads.items())
        }
        fresh = self.path.with_name(f".{self.path.name}.new")
        handle = os.open(fresh, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
        with os.fdopen(handle, "w", encoding="utf-8") as file:
            json.dump({"tenants": told}, file, indent=1)
            file.flush()
            os.fsync(file.fileno())
        fresh.replace(self.path)


def check_heads(connection: Connection, heads: Mapping[str, Head]) -> list[LedgerFault]:
    """Hold the chains against the heads that were written down: none may be shorter or other."""
    return [
        fault
        for tenant, head in heads.items()
        if (fault := _fault(connection, tenant, head)) is not None
    ]


def _fault(connection: Connection, tenant: str, head: Head) -> LedgerFault | None:
    last = head_of(connection, tenant) or Head(0, "")
    if last.number < head.number:
        says = (
            f"the chain ends at entry {last.number}, and {HEAD_FILE} knows entry {head.number}: "
            "it was cut short, or the database is an older copy"
        )
        return LedgerFault(tenant_id=tenant, kind="truncated", number=last.number, says=says)
    rows = fetch(connection, _AT, (tenant, head.number))
    found = rows[0][0] if rows else None
    if found in (head.hash, None):  # none: retention removed it, what comes after is anchored
        return None
    says = f"entry {head.number} is another one than {HEAD_FILE} knows"
    return LedgerFault(tenant_id=tenant, kind="replaced", number=head.number, says=says)


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
class AuditReport:
    """What was found, and how far each chain was walked."""

    report: LedgerAudit
    checks: dict[str, ChainCheck]


async def audit(
    database: Database, heads: dict[str, Head], *, tenant_id: str | None = None
) -> AuditReport:
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
    return AuditReport(
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
