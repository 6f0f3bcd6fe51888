"""What waits for a person's approval in a conversation."""

from dataclasses import dataclass
from typing import Any

from sqlalchemy import Connection, ScalarSelect, Select, select, text
from sqlalchemy import func as sql

from state.approval import LedgerAction
from state.event import Event
from tools.ledger.rows import to_action, yes_votes
from tools.storage.database import Database
from tools.storage.tables.decisions import decision
from tools.storage.tables.ledger import ledger_action as table
from tools.storage.tables.ledger import ledger_entry

_MOST_LOOKED_AT = 50
JUST_SECONDS = 300.0
"""So long a late no is told what became of its question."""
TAKEN_BACK = "taken back by who asked"
"""The reason of what its own asker rejects."""


@dataclass(frozen=True)
class Waiting:
    """Finds the question that a plain yes or no is probably meant for; it decides nothing."""

    database: Database

    async def newest(
        self, event: Event, named: str = "", *, own: bool = False
    ) -> LedgerAction | None:
        """Find what was asked last in an event's session and concerns its speaker.

        That is who asked for it, and whoever holds a role that may approve it.

        Args:
            named: how its id begins.
            own: only what the speaker asked for.
        """
        roles = set(event.roles)

        def work(connection: Connection) -> LedgerAction | None:
            query = _of_session(event).where(
                table.c.state.in_(("pending", "proposed")),
                table.c.action_id.startswith(named, autoescape=True),
            )
            if own:
                query = query.where(table.c.requester == event.user)
            query = query.limit(_MOST_LOOKED_AT)
            for row in connection.execute(query).mappings():
                if row["requester"] == event.user or set(row["approver_roles"]) & roles:
                    return to_action(row, yes_votes(connection, row["action_id"]))
            return None

        return None if event.user is None else await self.database.read(work)

    async def has_asked_since(self, event: Event, decision_id: str) -> bool:
        """Tell whether the speaker asked for a yes in this session after a decision.

        Whatever became of it: a session learns of that only when its decision ends.
        """
        query = _of_session(event).where(
            table.c.requester == event.user,
            decision.c.accepted_at > _accepted_at(decision_id),
        )
        return await self.database.read(
            lambda connection: connection.execute(query.limit(1)).first() is not None
        )

    async def taken_back(self, event: Event, decision_id: str) -> LedgerAction | None:
        """Find what its asker took back since a message was accepted: a run may be broken off."""
        query = (
            _of_session(event)
            .join(ledger_entry, ledger_entry.c.action_id == table.c.action_id)
            .where(
                table.c.requester == event.user,
                table.c.reason == TAKEN_BACK,
                ledger_entry.c.event == "rejected",
                ledger_entry.c.at >= _accepted_at(decision_id),
            )
            .limit(1)
        )

        def work(connection: Connection) -> LedgerAction | None:
            row = connection.execute(query).mappings().first()
            return None if row is None else to_action(row, ())

        return await self.database.read(work)

    async def just_settled(self, event: Event) -> LedgerAction | None:
        """Find what its speaker asked for last in an event's session, if it has just been settled.

        None: it waits still, or what became of it is older than JUST_SECONDS.
        """
        query = _of_session(event).where(table.c.requester == event.user).limit(1)
        is_new = select(sql.max(ledger_entry.c.at) > self.database.now() - JUST_SECONDS)

        def work(connection: Connection) -> LedgerAction | None:
            row = connection.execute(query).mappings().first()
            if row is None or row["state"] in ("pending", "proposed"):
                return None
            of_it = is_new.where(ledger_entry.c.action_id == row["action_id"])
            return to_action(row, ()) if connection.execute(of_it).scalar() else None

        return None if event.user is None else await self.database.read(work)

    async def moved(self, event: Event) -> LedgerAction | None:
        """Find where the speaker's newest question of a session waits, asked again in another."""
        query = _of_session(event).where(table.c.requester == event.user).limit(1)

        def work(connection: Connection) -> LedgerAction | None:
            row = connection.execute(query).mappings().first()
            if row is None or row["state"] != "stale":
                return None
            again = select(table).where(
                table.c.tenant_id == event.tenant_id,
                table.c.requester == event.user,
                table.c.action == row["action"],
                table.c.state.in_(("pending", "proposed")),
                table.c.proposed_at >= row["proposed_at"],
            )
            for other in connection.execute(again).mappings():
                if other["arguments"] == row["arguments"]:
                    return to_action(other, yes_votes(connection, other["action_id"]))
            return None

        return None if event.user is None else await self.database.read(work)


def _of_session(event: Event) -> Select[Any]:
    """Select what needs a yes and was asked for in an event's session, the newest first."""
    return (
        select(table)
        .join(decision, decision.c.decision_id == table.c.decision_id)
        .where(
            table.c.tenant_id == event.tenant_id,
            table.c.execution_class == "C",
            decision.c.session_id == event.session_id,
        )
        .order_by(table.c.proposed_at.desc(), text("ledger_action.rowid DESC"))
    )


def _accepted_at(decision_id: str) -> ScalarSelect[Any]:
    known = decision.alias()
    return select(known.c.accepted_at).where(known.c.decision_id == decision_id).scalar_subquery()
