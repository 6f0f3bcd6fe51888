"""Decide: the one function through which a person's answer reaches the ledger."""

from dataclasses import dataclass
from typing import Any

from sqlalchemy import Connection, insert, select, update
from sqlalchemy.exc import IntegrityError

from state.approval import ApprovalAnswer, LedgerAction
from state.errors import AgentError, BadInput, Conflict, DigestMismatch
from state.principal import Principal
from tools.catalogue.catalogue import Catalogue
from tools.ledger.approvers import demand_approver
from tools.ledger.proposing import Proposing
from tools.ledger.rows import enter, read_action
from tools.storage.database import Database
from tools.storage.ledger_tables import ledger_action, ledger_approval


@dataclass(frozen=True)
class Deciding:
    """The second step of the ledger."""

    database: Database
    catalogue: Catalogue
    proposing: Proposing

    async def decide(
        self, action_id: str, answer: ApprovalAnswer, principal: Principal
    ) -> LedgerAction:
        """Take a person's answer to a pending action; the first one that decides wins.

        An edit closes the action and opens another with the new arguments, to which the editor
        has said yes: what runs is always exactly what somebody approved.

        Raises:
            NotFound: no such action in the tenant, or in the packs that are loaded.
            Forbidden: not a person, not an approver, or the asker where four eyes are due.
            DigestMismatch: the answer is to something else.
            Conflict: decided or expired already; `standing` says how.
            InvalidArguments: an edit whose arguments do not fit.
        """
        edited = None
        if answer.decision == "edit":
            edited = await self._edited(action_id, answer, principal)
        settled = await self.database.write(
            lambda connection: self._decide(connection, action_id, answer, principal, edited),
            durable=True,
        )
        if isinstance(settled, AgentError):
            raise settled
        return settled

    async def expire_due(self) -> tuple[LedgerAction, ...]:
        """Close the questions nobody answered in time, by the database's clock."""

        def work(connection: Connection) -> tuple[LedgerAction, ...]:
            due = connection.scalars(
                select(ledger_action.c.action_id).where(
                    ledger_action.c.state == "pending",
                    ledger_action.c.expires_at <= self.database.now(),
                )
            ).all()
            return tuple(self._expire(connection, action_id) for action_id in due)

        return await self.database.write(work)

    async def _edited(
        self, action_id: str, answer: ApprovalAnswer, principal: Principal
    ) -> dict[str, Any]:
        if answer.arguments is None:
            raise BadInput("an edit carries all arguments of the action; send `arguments`")
        standing = await self.database.read(
            lambda connection: read_action(connection, action_id, principal.tenant_id)
        )
        return self.catalogue.arguments(standing.action, answer.arguments)

    def _decide(
        self,
        connection: Connection,
        action_id: str,
        answer: ApprovalAnswer,
        principal: Principal,
        edited: dict[str, Any] | None,
    ) -> LedgerAction | AgentError:
        standing = read_action(connection, action_id, principal.tenant_id)
        demand_approver(standing, principal)
        self.catalogue.action(standing.action)  # a yes is not spent where its pack is missing
        if standing.digest != answer.digest:
            raise DigestMismatch(action_id)
        if standing.state != "pending":
            raise _decided(standing)
        if self._is_over(connection, action_id):
            # Given back, not raised: raising would undo the expiry that it tells of.
            return _decided(self._expire(connection, action_id))
        if answer.decision == "reject":
            return self._close(connection, standing, "rejected", principal, answer.reason)
        if edited is not None and edited != dict(standing.arguments):
            return self._replace(connection, standing, edited, principal, answer)
        self._vote(connection, standing, principal, answer)
        return self._approve(connection, action_id, principal, answer)

    def _approve(
        self, connection: Connection, action_id: str, principal: Principal, answer: ApprovalAnswer
    ) -> LedgerAction:
        standing = read_action(connection, action_id)
        if standing.approvals < standing.quorum:
            return standing
        return self._close(connection, standing, "approved", principal, answer.reason)

    def _replace(
        self,
        connection: Connection,
        standing: LedgerAction,
        edited: dict[str, Any],
        principal: Principal,
        answer: ApprovalAnswer,
    ) -> LedgerAction:
        requester = Principal(
            user=standing.requester,
            tenant_id=standing.tenant_id,
            roles=standing.requester_roles,
        )
        values = self.proposing.values(
            standing.decision_id,
            requester,
            self.catalogue.action(standing.action),
            edited,
            standing.execution_class,
        )
        try:
            connection.execute(insert(ledger_action).values(**values))
        except IntegrityError as error:
            raise Conflict(
                "these arguments were proposed for this decision before; choose others",
                standing.state,
            ) from error
        self._close(connection, standing, "superseded", principal, answer.reason)
        connection.execute(
            update(ledger_action)
            .where(ledger_action.c.action_id == standing.action_id)
            .values(replaced_by=values["action_id"])
        )
        replacement = read_action(connection, values["action_id"])
        enter(
            connection,
            self.database,
            tenant_id=replacement.tenant_id,
            action_id=replacement.action_id,
            actor=principal.user,
            event="proposed pending",
            body={"digest": replacement.digest, "replaces": standing.action_id},
        )
        self._vote(connection, replacement, principal, answer)
        return self._approve(connection, replacement.action_id, principal, answer)

    def _vote(
        self,
        connection: Connection,
        standing: LedgerAction,
        principal: Principal,
        answer: ApprovalAnswer,
    ) -> None:
        try:
            connection.execute(
                insert(ledger_approval).values(
                    action_id=standing.action_id,
                    approver=principal.user,
                    decision="approve",
                    digest_seen=standing.digest,
                    method=answer.decision,
                    decided_at=self.database.now(),
                )
            )
        except IntegrityError as error:
            raise Conflict(
                f"{principal.user} said yes to this already; another person is needed", "pending"
            ) from error
        enter(
            connection,
            self.database,
            tenant_id=standing.tenant_id,
            action_id=standing.action_id,
            actor=principal.user,
            event="yes",
            body={"method": answer.decision, "reason": answer.reason},
        )

    def _close(
        self,
        connection: Connection,
        standing: LedgerAction,
        state: str,
        principal: Principal,
        reason: str | None,
    ) -> LedgerAction:
        moved = connection.execute(
            update(ledger_action)
            .where(
                ledger_action.c.action_id == standing.action_id,
                ledger_action.c.state == "pending",
            )
            .values(state=state, decided_by=principal.user, reason=reason)
        )
        if moved.rowcount == 0:
            raise _decided(read_action(connection, standing.action_id))
        enter(
            connection,
            self.database,
            tenant_id=standing.tenant_id,
            action_id=standing.action_id,
            actor=principal.user,
            event=state,
            body={"reason": reason},
        )
        return read_action(connection, standing.action_id)

    def _is_over(self, connection: Connection, action_id: str) -> bool:
        query = select(ledger_action.c.expires_at <= self.database.now()).where(
            ledger_action.c.action_id == action_id
        )
        return bool(connection.execute(query).scalar())

    def _expire(self, connection: Connection, action_id: str) -> LedgerAction:
        connection.execute(
            update(ledger_action)
            .where(ledger_action.c.action_id == action_id, ledger_action.c.state == "pending")
            .values(state="expired", reason="nobody answered in time")
        )
        expired = read_action(connection, action_id)
        enter(
            connection,
            self.database,
            tenant_id=expired.tenant_id,
            action_id=action_id,
            actor="clock",
            event="expired",
        )
        return expired


def _decided(standing: LedgerAction) -> Conflict:
    return Conflict(
        f"approval {standing.action_id} is {standing.state} already; nothing was changed",
        standing.state,
    )
