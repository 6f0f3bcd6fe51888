"""Hold the rows of the ledger against its sealed entries: do both tell the same?"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

import orjson
from sqlalchemy import Connection

from state.audit import LedgerFault
from tools.ledger.digest import digest_of, result_hash, undo_seal
from tools.ledger.frozen_rows import row_hash
from tools.ledger.verifying import MOST_FAULTS, fetch
from tools.storage.seal import Seal
from tools.storage.tables.guards import FROZEN

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
