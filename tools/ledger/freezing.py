"""Freeze the ledger: nothing that changes anything is started until a person says so."""

from dataclasses import dataclass
from datetime import UTC, datetime

from sqlalchemy import Connection, insert, select, update

from state.errors import Busy, Conflict
from state.freeze import Freeze
from tools.storage.database import Database
from tools.storage.tables.ledger import ledger_freeze as table

_OPEN = select(table).where(table.c.lifted_at.is_(None)).order_by(table.c.freeze_id)


@dataclass(frozen=True)
class Freezing:
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
            lifted = freezes(connection)
            if not lifted:
                raise Conflict("the ledger is not frozen; nothing was changed", "open")
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
            raise Busy(f"{frozen}; the question stays open until it is thawed")

    async def open(self) -> tuple[Freeze, ...]:
        """List what the ledger is frozen for; nothing: it is not."""
        return await self.database.read(freezes)


def freezes(connection: Connection) -> tuple[Freeze, ...]:
    """Read what the ledger is frozen for, oldest first."""
    return tuple(
        Freeze(reason=row.reason, since=datetime.fromtimestamp(row.since, UTC))
        for row in connection.execute(_OPEN)
    )


def put_freeze(connection: Connection, database: Database, reason: str) -> Freeze:
    """Freeze inside a transaction."""
    if not any(each.reason == reason for each in freezes(connection)):
        connection.execute(insert(table).values(reason=reason, since=database.now()))
    return next(each for each in freezes(connection) if each.reason == reason)


def was_lifted(connection: Connection, reason: str) -> bool:
    """Tell whether a person has looked at exactly this reason and let executions go on."""
    query = select(table.c.freeze_id).where(
        table.c.reason == reason, table.c.lifted_at.is_not(None)
    )
    return connection.execute(query).first() is not None


def why_frozen(connection: Connection) -> str | None:
    """Say why nothing may start; None: it may."""
    row = connection.execute(_OPEN).first()
    return None if row is None else f"the ledger is frozen: {row.reason}"
