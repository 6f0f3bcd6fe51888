"""Time limits of approvals: ask queued actions within the hourly budget, warn and expire.

All times are compared with the database's clock.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import get_args

from sqlalchemy import ColumnElement, Connection, func, select, text, update

from state.approval import LedgerAction
from state.errors import NotFound, RefusedBeforehand
from state.execution import Budget, ExecutionTuning
from state.principal import Principal
from state.proposal import NOT_OWN, UNTRUSTED, budget_of
from tools.catalog import Catalogue
from tools.gate.approvals.approval_rules import Refusals
from tools.gate.ledger.rows import read_action, record_entry
from tools.platform.clock import HOUR_SECONDS
from tools.platform.texts import t
from tools.storage import Database
from tools.storage.tables.ledger import ledger_action as table

EXPIRING = "expiring"
"""Told, and no entry of the chain: nothing has changed yet."""
MOST_AT_ONCE = 500
"""Rows of one turn; the next second takes the rest."""

Work = Callable[[Connection], tuple[LedgerAction, ...]]


@dataclass(frozen=True)
class ApprovalScheduler:
    """Moves what waits, by the database's clock alone."""

    database: Database
    catalogue: Catalogue
    refusals: Refusals
    tuning: ExecutionTuning

    async def expire_due(self) -> tuple[LedgerAction, ...]:
        """Close the questions nobody answered in time."""
        due = (table.c.state == "pending") & (table.c.expires_at <= self.database.now())

        def work(connection: Connection) -> tuple[LedgerAction, ...]:
            return tuple(
                expire(connection, self.database, action_id)
                for action_id in _oldest(connection, due, MOST_AT_ONCE)
            )

        return await self._when_any(due, work)

    async def warn_due(self) -> tuple[LedgerAction, ...]:
        """Mark the questions whose time is running out, each once, and tell which."""
        share = self.tuning.warn_share
        left = table.c.expires_at - self.database.now()
        life = table.c.expires_at - table.c.asked_at
        due = (
            (table.c.state == "pending")
            # Follows from the last line, and lets the index find them among many that wait.
            & (table.c.expires_at <= self.database.now() + share * self._longest_life())
            & table.c.warned_at.is_(None)
            & (left > 0)
            & (left <= share * life)
        )

        def work(connection: Connection) -> tuple[LedgerAction, ...]:
            found = _oldest(connection, due, MOST_AT_ONCE)
            connection.execute(
                update(table)
                .where(table.c.action_id.in_(found))
                .values(warned_at=self.database.now())
            )
            for action_id in found:
                self.database.on_entry(connection, action_id, EXPIRING)
            return tuple(read_action(connection, action_id) for action_id in found)

        return await self._when_any(due, work)

    def _longest_life(self) -> float:
        every = (*self.catalogue.actions.values(), *self.catalogue.declared.every)
        minutes = map(self.tuning.approval_minutes, every)
        return 60.0 * max(minutes, default=0.0)

    async def ask_next(self) -> tuple[LedgerAction, ...]:
        """Ask what was queued, oldest first, as far as its asker may cause questions again.

        What has been refused beforehand in the meantime is closed instead of asked.
        """
        queued = table.c.state == "proposed"
        askers = select(table.c.tenant_id, table.c.requester).where(queued).distinct()

        def work(connection: Connection) -> tuple[LedgerAction, ...]:
            return tuple(
                moved
                for tenant_id, user in connection.execute(askers).all()
                for budget in get_args(Budget)
                for moved in self._ask_for(
                    connection, Principal(user=user, tenant_id=tenant_id), budget
                )
            )

        return await self._when_any(queued, work)

    def _ask_for(
        self, connection: Connection, asker: Principal, budget: Budget
    ) -> list[LedgerAction]:
        most = self.tuning.asks_of(budget)
        room = most - count_recent_asks(connection, self.database, asker, budget)
        moved: list[LedgerAction] = []
        if room > 0:
            for action_id in _oldest(connection, _queued_by(asker, budget), room):
                standing = read_action(connection, action_id)
                if self._ask(connection, standing, asker):
                    moved.append(read_action(connection, action_id))
        return moved

    def _ask(self, connection: Connection, standing: LedgerAction, asker: Principal) -> bool:
        try:
            action = self.catalogue.of_tenant(standing.tenant_id).action(standing.action)
        except NotFound:  # its pack is not loaded: nobody could be shown what it is
            return False
        try:
            self.refusals.demand_none(connection, asker, action.name, standing.arguments)
        except RefusedBeforehand as refusal:
            self._move(connection, standing, "rejected", reason=str(refusal))
            return True
        now = self.database.now()
        self._move(
            connection,
            standing,
            "pending",
            asked_at=now,
            expires_at=now + self.tuning.approval_minutes(action) * 60,
        )
        return True

    def _move(
        self, connection: Connection, standing: LedgerAction, state: str, **values: object
    ) -> None:
        connection.execute(
            update(table)
            .where(table.c.action_id == standing.action_id, table.c.state == "proposed")
            .values(state=state, **values)
        )
        record_entry(
            connection,
            self.database,
            tenant_id=standing.tenant_id,
            action_id=standing.action_id,
            actor="clock",
            event=state,
            body={"reason": values.get("reason")},
        )

    async def _when_any(
        self, due: ColumnElement[bool], work: Work
    ) -> tuple[LedgerAction, ...]:  # a second in which nothing is due costs no write
        query = select(table.c.action_id).where(due).limit(1)
        if await self.database.read(lambda connection: connection.scalar(query)) is None:
            return ()
        return await self.database.write(work)


def is_within_ask_budget(
    connection: Connection,
    database: Database,
    asker: Principal,
    rules: ExecutionTuning,
    origin: str,
) -> bool:
    """Tell whether one more question may be caused in a person's name; those queued come first.

    Own requests, what models or foreign texts propose, and agents' calls have a budget and a
    queue each.
    """
    budget = budget_of(origin)
    waiting = select(table.c.action_id).where(_queued_by(asker, budget)).limit(1)
    if connection.scalar(waiting) is not None:
        return False
    return count_recent_asks(connection, database, asker, budget) < rules.asks_of(budget)


def count_recent_asks(
    connection: Connection, database: Database, asker: Principal, budget: Budget
) -> int:
    """Count the questions of one budget caused in a name within the hour."""
    query = (
        select(func.count())
        .select_from(table)
        .where(
            table.c.tenant_id == asker.tenant_id,
            table.c.requester == asker.user,
            table.c.asked_at > database.now() - HOUR_SECONDS,
            table.c.state != "superseded",  # its edit is the same question
            _is_of(budget),
        )
    )
    return connection.execute(query).scalar_one()


def is_expired(connection: Connection, database: Database, action_id: str) -> bool:
    """Tell whether the time of a question has run out, closed or not."""
    query = select(table.c.expires_at <= database.now()).where(table.c.action_id == action_id)
    return bool(connection.execute(query).scalar())


def expire(connection: Connection, database: Database, action_id: str) -> LedgerAction:
    """Close a question that nobody answered in time."""
    connection.execute(
        update(table)
        .where(table.c.action_id == action_id, table.c.state == "pending")
        .values(state="expired", reason=t("gate.expired"))
    )
    expired = read_action(connection, action_id)
    record_entry(
        connection,
        database,
        tenant_id=expired.tenant_id,
        action_id=action_id,
        actor="clock",
        event="expired",
    )
    return expired


def _queued_by(asker: Principal, budget: Budget) -> ColumnElement[bool]:
    return (
        (table.c.tenant_id == asker.tenant_id)
        & (table.c.requester == asker.user)
        & (table.c.state == "proposed")
        & _is_of(budget)
    )


def _is_of(budget: Budget) -> ColumnElement[bool]:
    match budget:
        case "own":
            return table.c.origin.not_in(NOT_OWN)
        case "untrusted":
            return table.c.origin.in_(UNTRUSTED)
        case "agent":
            return table.c.origin == "agent"


def _oldest(connection: Connection, due: ColumnElement[bool], most: int) -> list[str]:
    query = select(table.c.action_id).where(due)
    ordered = query.order_by(table.c.proposed_at, text("rowid")).limit(most)
    return list(connection.scalars(ordered))
