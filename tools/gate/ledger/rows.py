"""Read and write ledger rows inside a transaction: actions, entries, digests and immutable columns.

The digest binds an approval to one action with its arguments under one policy. Every change of
a row appends an entry to the hash chain.
"""

import hashlib
from collections.abc import Mapping, Sequence
from typing import Any
from uuid import UUID, uuid5

import orjson
from sqlalchemy import ClauseElement, Connection, RowMapping, bindparam, select
from sqlalchemy.dialects.sqlite import insert

from state.action import Action
from state.approval import LedgerAction
from state.errors import NotFound
from state.execution import ExecutionTuning
from state.grant import GrantTuning
from state.outcome import ActionOutcome
from tools.gate.ledger.hash_chain import append_entry, fetch, sealed_entries
from tools.platform.clock import instant_of
from tools.platform.serialization import canonical_json, sorted_json
from tools.storage import Database
from tools.storage.seal_key import Seal
from tools.storage.tables.ledger import FROZEN, ledger_action, ledger_approval

# Built once: putting a statement together costs as much as running it.
_ACTION = select(ledger_action).where(ledger_action.c.action_id == bindparam("wanted"))
_VOTES = (
    select(ledger_approval.c.approver)
    .join(ledger_action, ledger_action.c.action_id == ledger_approval.c.action_id)
    .where(
        ledger_approval.c.action_id == bindparam("wanted"),
        ledger_approval.c.decision == "approve",
        ledger_approval.c.digest_seen == ledger_action.c.digest,
    )
    .order_by(ledger_approval.c.decided_at, ledger_approval.c.approver)
)
_PUT = insert(ledger_action).on_conflict_do_nothing()


def read_action(
    connection: Connection, action_id: str, tenant_id: str | None = None
) -> LedgerAction:
    """Read one action; with a tenant given, another tenant's is not there.

    Raises:
        NotFound: there is none.
    """
    row = connection.execute(_ACTION, {"wanted": action_id}).mappings().first()
    if row is None or tenant_id not in (None, row["tenant_id"]):
        raise NotFound("approval", action_id)
    # A read needs nobody's yes, and is the one kind that has to be quick.
    votes = () if row["execution_class"] == "A" else yes_votes(connection, action_id)
    return to_action(row, votes)


def newest(connection: Connection, action_id: str) -> LedgerAction:
    """Read what an action has become by being edited; itself when it was not.

    Raises:
        NotFound: there is none.
    """
    standing = read_action(connection, action_id)
    while standing.replaced_by is not None:
        standing = read_action(connection, standing.replaced_by)
    return standing


def yes_votes(connection: Connection, action_id: str) -> tuple[str, ...]:
    """Name who said yes to exactly this action, to be told; `votes` tells whose yes counts."""
    return tuple(connection.execute(_VOTES, {"wanted": action_id}).scalars())


def to_action(row: RowMapping, said_yes: tuple[str, ...]) -> LedgerAction:
    """Turn a row into the noun."""
    fields = {
        name: instant_of(row[name]) if name.endswith(("_at", "_until")) else row[name]
        for name in LedgerAction.model_fields
        if name not in ("approvals", "said_yes", "duplicates", "request")
    }
    votes = {"approvals": len(said_yes), "said_yes": said_yes}
    return LedgerAction.model_validate(fields | votes)


def to_outcome(standing: LedgerAction) -> ActionOutcome:
    """Tell what came of an action, as the ledger has it."""
    result = standing.result or {}
    return ActionOutcome(
        action_id=standing.action_id,
        state=standing.state,
        executed_now=False,
        text=result.get("text", ""),
        data=result.get("data", {}),
        changed=tuple(result.get("changed", ())),
        reason=standing.reason,
        summary=standing.summary,
        decided_by=standing.decided_by,
        editor=standing.editor,
        arguments=standing.arguments,
        undo_minutes=_undo_minutes(standing),
    )


def _undo_minutes(standing: LedgerAction) -> float | None:
    if standing.undo_until is None or standing.finished_at is None:
        return None
    return round((standing.undo_until - standing.finished_at).total_seconds() / 60, 1)


def record_entry(
    connection: Connection,
    database: Database,
    *,
    tenant_id: str,
    action_id: str,
    actor: str,
    event: str,
    body: Mapping[str, Any] | None = None,
) -> None:
    """Append what happened to an action, in the transaction in which it happens."""
    append_entry(
        connection,
        database,
        tenant_id=tenant_id,
        action_id=action_id,
        actor=actor,
        event=event,
        body=body or {},
    )
    database.on_entry(connection, action_id, event)


_NOT_OF_WHAT_RUNS = {
    *("packs", "untrusted_asks_per_hour", "agent_asks_per_hour", "duplicate_minutes"),
    *("chosen_by", "agent_writes", "permit_seconds", "expires_minutes"),
}
"""Overrides, settled by then, and what shapes who chooses and when people are asked: no yes is
stale for it."""
_ACTIONS = UUID("0f5d2a8e-5d52-5f3b-8f0a-0b6c3b8e7d21")


class Policies:
    """Tells under which thresholds an action stands, as one hash each."""

    def __init__(self, tuning: ExecutionTuning, grants: GrantTuning | None = None) -> None:
        self._tuning = tuning
        self.grants = grants or GrantTuning()
        self._versions: dict[tuple[str, str], str] = {}

    def of(self, action: Action) -> ExecutionTuning:
        """Settle the thresholds of an action."""
        return self._tuning.of(action)

    def version_of(self, action: Action) -> str:
        """Hash the thresholds of an action, in hex; another hash is another policy."""
        key = (action.pack, action.name)
        if key not in self._versions:
            settled = self.of(action).model_dump(mode="json", exclude=_NOT_OF_WHAT_RUNS)
            self._versions[key] = hashlib.sha256(canonical_json(settled)).hexdigest()
        return self._versions[key]


def digest_of(
    *,
    tenant_id: str,
    action: str,
    schema_hash: str,
    policy_version: str,
    arguments: Mapping[str, Any],
    targets: Mapping[str, str],
) -> str:
    """Hash an action as it would run, in hex.

    Source: safety.md §2; RFC 8785 makes the JSON canonical, so equal arguments hash equally.

    Args:
        targets: what it concerns, and in which version each was seen.
    """
    canonical = canonical_json(
        {
            "tenant": tenant_id,
            "action": action,
            "schema": schema_hash,
            "policy": policy_version,
            "arguments": dict(arguments),
            "targets": dict(targets),
        }
    )
    return hashlib.sha256(canonical).hexdigest()


def result_hash(result: Mapping[str, Any]) -> str:
    """Hash what is kept of a result, in hex."""
    return hashlib.sha256(sorted_json(dict(result))).hexdigest()


def undo_seal(seal: Seal, action_id: str, told: Mapping[str, Any]) -> str:
    """Seal what undoes an action, or what it left; from a hash one could guess a secret."""
    return seal.over(b"undo " + sorted_json([action_id, dict(told)]))


def action_id_of(decision_id: str, digest: str) -> str:
    """Name an action so that proposing it again, after a crash or a replay, meets the first."""
    return str(uuid5(_ACTIONS, f"{decision_id}\x1f{digest}"))


_ROW = f"select {', '.join(FROZEN)} from ledger_action where action_id = ?"  # noqa: S608  # our own names


def put_action(
    connection: Connection,
    database: Database,
    values: Mapping[str, Any],  # by column
    *,
    actor: str,
    replaces: str | None = None,
    as_event: str | None = None,
) -> bool:
    """Write a row and the entry that seals it; False: that action is there already.

    Args:
        as_event: what the entry says in place of the state; another one has to tell that.
    """
    reckoned = {name: one for name, one in values.items() if isinstance(one, ClauseElement)}
    given = {name: one for name, one in values.items() if name not in reckoned}
    if connection.execute(_PUT.values(**reckoned), given).rowcount == 0:
        return False
    action_id = values["action_id"]
    [row] = fetch(connection, _ROW, (action_id,))
    body = {
        "digest": values["digest"],
        "class": values["execution_class"],
        "row_sha256": row_hash(row),
    }
    record_entry(
        connection,
        database,
        tenant_id=values["tenant_id"],
        action_id=action_id,
        actor=actor,
        event=f"proposed {as_event or values['state']}",
        body=body if replaces is None else {**body, "replaces": replaces},
    )
    return True


def is_as_proposed(connection: Connection, database: Database, action_id: str) -> bool:
    """Tell whether a row is what its first entry seals, and our key made that entry."""
    sealed = [
        orjson.loads(entry.body).get("row_sha256")
        for entry in sealed_entries(connection, database, action_id)
        if entry.event.startswith("proposed ")
    ]
    return sealed[:1] == [row_hash(row) for row in fetch(connection, _ROW, (action_id,))]


def row_hash(values: Sequence[Any]) -> str:  # as SQLite keeps them
    """Hash the frozen columns of a row, in their order, in hex."""
    return hashlib.sha256(sorted_json(list(values))).hexdigest()
