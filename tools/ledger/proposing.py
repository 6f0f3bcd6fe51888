"""Propose: freeze what would run, and settle what it still needs before it may."""

from dataclasses import dataclass
from typing import Any

from sqlalchemy import Connection, select, text
from sqlalchemy.dialects.sqlite import insert

from state.action import Action, ExecutionClass
from state.approval import LedgerAction
from state.errors import Forbidden
from state.offer import ExplicitRequest
from state.principal import Principal
from state.proposal import Proposal
from tools.catalogue.catalogue import Catalogue
from tools.ledger.digest import Policies, action_id_of, digest_of
from tools.ledger.rows import enter, read_action
from tools.storage.database import Database
from tools.storage.explicit import find_request
from tools.storage.ledger_tables import ledger_action, ledger_approval


@dataclass(frozen=True)
class Proposing:
    """The first step of the ledger."""

    database: Database
    catalogue: Catalogue
    policies: Policies

    async def propose(self, proposal: Proposal) -> LedgerAction:
        """Write an action down; proposing again returns the row there is.

        A decision asks for one Class C action, ever: whatever it proposes later meets the first.

        A read may run at once. A write may run when the decision is a person's click on exactly
        this chip. Everything else is `pending` until people say yes.

        Raises:
            NotFound: no such action in the catalogue.
            InvalidArguments: the arguments do not fit.
            Forbidden: the requester may not ask for it, or a write was not clicked.
        """
        action = self.catalogue.action(proposal.action)
        if not self.catalogue.may_ask(action.name, proposal.requester.roles):
            raise Forbidden(f"{action.name} needs one of the roles {', '.join(action.roles)}")
        arguments = self.catalogue.arguments(action.name, proposal.arguments)
        execution_class = max(action.floor, proposal.at_least)
        return await self.database.write(
            lambda connection: self._insert(
                connection, proposal, action, arguments, execution_class
            ),
            durable=execution_class != "A",
        )

    def _insert(
        self,
        connection: Connection,
        proposal: Proposal,
        action: Action,
        arguments: dict[str, Any],
        execution_class: ExecutionClass,
    ) -> LedgerAction:
        if execution_class == "C":
            first = _asked_before(connection, proposal.decision_id)
            if first is not None:
                return read_action(connection, first)
        values = self.values(
            proposal.decision_id, proposal.requester, action, arguments, execution_class
        )
        chosen = find_request(connection, proposal.decision_id) if execution_class > "A" else None
        if execution_class == "B":
            self._demand_choice(chosen, action.name, arguments)
        if chosen is not None and chosen.action == action.name:
            values["undo_of"] = chosen.undo_of
        inserted = connection.execute(
            insert(ledger_action).values(**values).on_conflict_do_nothing()
        )
        if inserted.rowcount:
            if execution_class == "B":
                _note_click(connection, values, proposal.requester, self.database)
            enter(
                connection,
                self.database,
                tenant_id=values["tenant_id"],
                action_id=values["action_id"],
                actor=proposal.requester.user,
                event=f"proposed {values['state']}",
                body={"digest": values["digest"], "class": execution_class},
            )
        return read_action(connection, values["action_id"])

    def values(
        self,
        decision_id: str,
        requester: Principal,
        action: Action,
        arguments: dict[str, Any],
        execution_class: ExecutionClass,
    ) -> dict[str, Any]:
        """Lay out the row of an action; expiry is set by the database's clock."""
        schema_hash = self.catalogue.schema_hash(action.name)
        policy_version = self.policies.version_of(action)
        digest = digest_of(
            tenant_id=requester.tenant_id,
            action=action.name,
            schema_hash=schema_hash,
            policy_version=policy_version,
            arguments=arguments,
            targets={},
        )
        now = self.database.now()
        minutes = action.approvers.expires_minutes
        return {
            "action_id": action_id_of(decision_id, digest),
            "tenant_id": requester.tenant_id,
            "decision_id": decision_id,
            "action": action.name,
            "pack": action.pack,
            "execution_class": execution_class,
            "arguments": arguments,
            "digest": digest,
            "summary": self.catalogue.summary(action.name, arguments),
            "state": "pending" if execution_class == "C" else "approved",
            "requester": requester.user,
            "requester_roles": list(requester.roles),
            "approver_roles": list(action.approvers.roles or action.roles),
            "quorum": action.approvers.quorum,
            "four_eyes": action.approvers.four_eyes,
            "proposed_at": now,
            "expires_at": now + minutes * 60 if execution_class == "C" else None,
            "schema_hash": schema_hash,
            "policy_version": policy_version,
        }

    def _demand_choice(
        self, chosen: ExplicitRequest | None, action: str, arguments: dict[str, Any]
    ) -> None:
        """Let a write pass that a person chose, as exactly this."""
        is_this = (
            chosen is not None
            and chosen.action == action
            and self.catalogue.arguments(action, chosen.arguments) == arguments
        )
        if not is_this:
            raise Forbidden(f"{action} changes something; it runs when its chip is chosen")


def _asked_before(connection: Connection, decision_id: str) -> str | None:
    # Not what an edit made of it: executing the first one leads there.
    query = (
        select(ledger_action.c.action_id)
        .where(ledger_action.c.decision_id == decision_id, ledger_action.c.execution_class == "C")
        .order_by(ledger_action.c.proposed_at, text("rowid"))
        .limit(1)
    )
    return connection.execute(query).scalar()


def _note_click(
    connection: Connection, values: dict[str, Any], requester: Principal, database: Database
) -> None:
    connection.execute(
        insert(ledger_approval).values(
            action_id=values["action_id"],
            approver=requester.user,
            decision="approve",
            digest_seen=values["digest"],
            method="chip",
            decided_at=select(database.now()).scalar_subquery(),
        )
    )
