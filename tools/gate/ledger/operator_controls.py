"""Operators' controls: freeze and thaw executions, quarantine a restored ledger.

Resolve unknown outcomes.

Manual resolution takes a person and evidence; no code can take an action out of `unknown`.
"""

from dataclasses import dataclass
from datetime import UTC, datetime

from pydantic import TypeAdapter, ValidationError
from sqlalchemy import Connection, insert, select, update

from state.approval import ActionState, LedgerAction
from state.errors import BadInput, Busy, Conflict
from state.freeze import Freeze
from state.noun import CleanText, Noun
from state.principal import Principal
from tools.catalog import Catalogue
from tools.gate.approvals.approval_rules import demand_approver
from tools.gate.approvals.grant_rows import revoke_all
from tools.gate.ledger.entry_hooks import update_resolved_entry
from tools.gate.ledger.rows import read_action, record_entry
from tools.gate.ledger.undo import open_undo_window
from tools.platform.texts import t
from tools.storage import Database
from tools.storage.tables.ledger import ledger_action
from tools.storage.tables.ledger import ledger_freeze as table
from tools.storage.undo_rows import log_resolution

_OPEN = select(table).where(table.c.lifted_at.is_(None)).order_by(table.c.freeze_id)


@dataclass(frozen=True)
class ExecutionFreeze:
    """Stops executions, not people: proposals, answers, reads and stored outcomes go on."""

    database: Database

    async def freeze(self, reason: str) -> Freeze:
        """Freeze the ledger; frozen for the same reason already, that one stands."""
        return await self.database.write(
            lambda connection: put_freeze(connection, self.database, reason), durable=True
        )

    async def thaw(self, by: str, reason: str) -> tuple[Freeze, ...]:
        """Let executions start again, whatever froze them.

        Raises:
            Conflict: it is not frozen.
        """

        def work(connection: Connection) -> tuple[Freeze, ...]:
            lifted = open_freezes(connection)
            if not lifted:
                raise Conflict(t("gate.ledger.not_frozen"), "open")
            connection.execute(
                update(table)
                .where(table.c.lifted_at.is_(None))
                .values(lifted_by=by, lifted_at=self.database.now(), lifted_reason=reason)
            )
            return lifted

        return await self.database.write(work, durable=True)

    async def demand_thawed(self) -> None:
        """Let pass while actions may start.

        Raises:
            Busy: it is frozen, and why.
        """
        frozen = await self.database.read(why_frozen)
        if frozen is not None:
            raise Busy(t("gate.ledger.frozen_open", frozen=frozen))

    async def open(self) -> tuple[Freeze, ...]:
        """List what the ledger is frozen for; nothing: it is not."""
        return await self.database.read(open_freezes)


def open_freezes(connection: Connection) -> tuple[Freeze, ...]:
    """Read what the ledger is frozen for, oldest first."""
    return tuple(
        Freeze(reason=row.reason, since=datetime.fromtimestamp(row.since, UTC))
        for row in connection.execute(_OPEN)
    )


def put_freeze(connection: Connection, database: Database, reason: str) -> Freeze:
    """Freeze inside a transaction."""
    if not any(each.reason == reason for each in open_freezes(connection)):
        connection.execute(insert(table).values(reason=reason, since=database.now()))
    return next(each for each in open_freezes(connection) if each.reason == reason)


def was_lifted(connection: Connection, reason: str) -> bool:
    """Tell whether a person has looked at exactly this reason and let executions go on."""
    query = select(table.c.freeze_id).where(
        table.c.reason == reason, table.c.lifted_at.is_not(None)
    )
    return connection.execute(query).first() is not None


def why_frozen(connection: Connection) -> str | None:
    """Say why nothing may start; None: it may."""
    row = connection.execute(_OPEN).first()
    return None if row is None else t("gate.ledger.frozen", reason=row.reason)


class SetAside(Noun):
    """How many actions of a restored ledger a person has to look at."""

    unknown: int
    stale: int
    pending: int


def set_aside(connection: Connection, database: Database, made: str) -> SetAside:
    """Make sure that nothing of a restored ledger runs again by itself, and freeze it.

    Started becomes unknown, approved becomes stale, grants are revoked; what is pending stays so,
    for a yes is a person's. Nobody can tell from here what was done after the backup.

    Args:
        made: when the backup was made, for the freeze's reason.
    """
    revoke_all(connection, database, "restore")
    unknown = _move(connection, database, "started", "unknown", t("gate.ledger.restored_running"))
    stale = _move(connection, database, "approved", "stale", t("gate.ledger.restored_open"))
    waiting = select(ledger_action.c.action_id).where(
        ledger_action.c.state.in_(("pending", "proposed"))
    )
    pending = len(connection.scalars(waiting).all())
    reason = (
        f"restored from the backup of {made}: {unknown} unknown, {stale} stale, {pending} open; "
        "what was done since is not in it"
    )
    put_freeze(connection, database, reason)
    return SetAside(unknown=unknown, stale=stale, pending=pending)


def _move(
    connection: Connection, database: Database, stood: ActionState, state: ActionState, reason: str
) -> int:
    query = select(ledger_action.c.action_id, ledger_action.c.tenant_id).where(
        ledger_action.c.state == stood, ledger_action.c.execution_class != "A"
    )
    found = connection.execute(query).all()
    for row in found:
        connection.execute(
            update(ledger_action)
            .where(ledger_action.c.action_id == row.action_id)
            .values(state=state, reason=reason)
        )
        record_entry(
            connection,
            database,
            tenant_id=row.tenant_id,
            action_id=row.action_id,
            actor="restore",
            event=state,
            body={"reason": reason},
        )
    return len(found)


LONGEST_EVIDENCE = 2_000
_TEXT: TypeAdapter[str] = TypeAdapter(CleanText)


@dataclass(frozen=True)
class ManualResolution:
    """The way out of `unknown`, which no code can take."""

    database: Database
    catalogue: Catalogue

    async def settle(
        self, action_id: str, principal: Principal, happened: bool, evidence: str
    ) -> LedgerAction:
        """Write down what a person found at the target; the action then has succeeded or failed.

        Args:
            evidence: what was seen and where, in the person's own words.

        Raises:
            NotFound: no such action in the tenant.
            Forbidden: not a person, or without a role that may answer for the action.
            Conflict: what became of it is known; `standing` says what.
            BadInput: no evidence, too much of it, or text that cannot be kept.
        """
        told = _read(evidence)
        return await self.database.write(
            lambda connection: self._settle(connection, action_id, principal, happened, told),
            durable=True,
        )

    def _settle(
        self,
        connection: Connection,
        action_id: str,
        principal: Principal,
        happened: bool,
        evidence: str,
    ) -> LedgerAction:
        standing = read_action(connection, action_id, principal.tenant_id)
        demand_approver(standing, principal)
        if standing.state != "unknown":
            raise Conflict(
                t("gate.ledger.only_unknown", action_id=action_id, state=standing.state),
                standing.state,
            )
        state: ActionState = "succeeded" if happened else "failed"
        connection.execute(
            update(ledger_action)
            .where(ledger_action.c.action_id == action_id, ledger_action.c.state == "unknown")
            .values(
                state=state,
                finished_at=self.database.now(),
                settled_by=principal.user,
                reason=None,  # it said that nobody knew; the entry of that keeps it
                evidence=evidence,
            )
        )
        record_entry(
            connection,
            self.database,
            tenant_id=standing.tenant_id,
            action_id=action_id,
            actor=principal.user,
            event=state,
            body={"settled": True, "evidence": evidence},
        )
        if happened:
            open_undo_window(connection, self.database, self.catalogue, standing)
        settled = read_action(connection, action_id)
        log_resolution(connection, settled)
        update_resolved_entry(connection, settled)
        return settled


def _read(evidence: str) -> str:
    told = evidence.strip()
    if not told or len(told) > LONGEST_EVIDENCE:
        raise BadInput(t("gate.ledger.evidence_length", longest=LONGEST_EVIDENCE))
    try:
        return _TEXT.validate_python(told)
    except ValidationError as error:
        raise BadInput(t("gate.ledger.evidence_characters")) from error
