"""What waits for a person's approval in a conversation."""

from dataclasses import dataclass
from typing import Protocol

from sqlalchemy import Connection, select, text, true

from state.approval import LedgerAction
from state.event import Event
from state.principal import Principal
from tools.ledger.rows import to_action, yes_votes
from tools.storage.database import Database
from tools.storage.tables.decisions import decision
from tools.storage.tables.ledger import ledger_action as table

_MOST_LOOKED_AT = 50


class TakesBack(Protocol):
    """Lets who asked for something call it off. See tools/ledger/ledger.py."""

    async def take_back(self, asked: LedgerAction, principal: Principal) -> LedgerAction:
        """Reject it, and nothing else."""


@dataclass(frozen=True)
class Waiting:
    """Finds the question that a plain yes or no is probably meant for; a yes decides nothing."""

    database: Database
    ledger: TakesBack

    async def newest(
        self, event: Event, named: str = "", *, after: str | None = None
    ) -> LedgerAction | None:
        """Find what was asked last in an event's session and concerns its speaker.

        That is who asked for it, and whoever holds a role that may approve it.

        Args:
            named: how its id begins.
            after: a decision; only what the speaker asked for in a later event counts.
        """
        known = decision.alias()
        then = select(known.c.accepted_at).where(known.c.decision_id == after).scalar_subquery()
        later = decision.c.accepted_at > then if after is not None else true()

        def work(connection: Connection) -> LedgerAction | None:
            query = (
                select(table)
                .join(decision, decision.c.decision_id == table.c.decision_id)
                .where(
                    table.c.tenant_id == event.tenant_id,
                    table.c.state.in_(("pending", "proposed")),
                    table.c.execution_class == "C",
                    decision.c.session_id == event.session_id,
                    table.c.action_id.startswith(named, autoescape=True),
                    later,
                )
                .order_by(table.c.proposed_at.desc(), text("ledger_action.rowid DESC"))
                .limit(_MOST_LOOKED_AT)
            )
            for row in connection.execute(query).mappings():
                is_approver = after is None and bool(set(row["approver_roles"]) & set(event.roles))
                if row["requester"] == event.user or is_approver:
                    return to_action(row, yes_votes(connection, row["action_id"]))
            return None

        return None if event.user is None else await self.database.read(work)

    async def take_back(self, asked: LedgerAction, event: Event) -> LedgerAction:
        """Reject what the speaker of an event asked for and does not want any more.

        Raises:
            Forbidden: somebody else asked for it.
            Conflict: it is queued, decided or expired; `standing` says how.
        """
        speaker = Principal(
            user=event.user or "", tenant_id=event.tenant_id, roles=event.roles, scopes=("ask",)
        )
        return await self.ledger.take_back(asked, speaker)
