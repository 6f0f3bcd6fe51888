"""What waits for a person's approval in a conversation."""

from dataclasses import dataclass

from sqlalchemy import Connection, select, text, true

from state.approval import LedgerAction
from state.event import Event
from tools.ledger.rows import to_action, yes_votes
from tools.storage.database import Database
from tools.storage.tables.decisions import decision
from tools.storage.tables.ledger import ledger_action as table

_MOST_LOOKED_AT = 50


@dataclass(frozen=True)
class Waiting:
    """Finds the question that a plain yes or no is probably meant for; it decides nothing."""

    database: Database

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
