"""Settle: a person says, with evidence, what became of an action that nobody could tell."""

from dataclasses import dataclass

from pydantic import TypeAdapter, ValidationError
from sqlalchemy import Connection, update

from state.approval import ActionState, LedgerAction
from state.errors import BadInput, Conflict
from state.noun import CleanText
from state.principal import Principal
from tools.catalogue.catalogue import Catalogue
from tools.ledger.approvers import demand_approver
from tools.ledger.journalling import restate_settled
from tools.ledger.rows import enter, read_action
from tools.ledger.undoing import keep_undoable
from tools.storage.database import Database
from tools.storage.query_rows import note_settled
from tools.storage.tables.ledger import ledger_action

LONGEST_EVIDENCE = 2_000
_TEXT: TypeAdapter[str] = TypeAdapter(CleanText)


@dataclass(frozen=True)
class Settling:
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
                f"action {action_id} is {standing.state}; only an unknown one is settled",
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
        enter(
            connection,
            self.database,
            tenant_id=standing.tenant_id,
            action_id=action_id,
            actor=principal.user,
            event=state,
            body={"settled": True, "evidence": evidence},
        )
        if happened:
            keep_undoable(connection, self.database, self.catalogue, standing)
        settled = read_action(connection, action_id)
        note_settled(connection, settled)
        restate_settled(connection, settled)
        return settled


def _read(evidence: str) -> str:
    told = evidence.strip()
    if not told or len(told) > LONGEST_EVIDENCE:
        raise BadInput(f"evidence takes 1 to {LONGEST_EVIDENCE} characters: what you saw, where")
    try:
        return _TEXT.validate_python(told)
    except ValidationError as error:
        raise BadInput("the evidence holds characters that cannot be kept; retype it") from error
