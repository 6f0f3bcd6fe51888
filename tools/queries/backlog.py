"""What waits, as a scraper sees it: decisions under way, questions open, actions unsettled."""

from dataclasses import dataclass

from sqlalchemy import Connection, func, select

from tools.ledger.freezing import freezes
from tools.storage.database import Database
from tools.storage.tables.decisions import decision
from tools.storage.tables.ledger import ledger_action

_STANDINGS = ("accepted", "released", "held", "waiting")
_STATES = ("pending", "proposed", "approved", "started", "unknown")


@dataclass(frozen=True)
class Backlog:
    """One look at the tables of a tenant."""

    decisions: dict[str, int]
    actions: dict[str, int]
    oldest_question_seconds: float
    is_frozen: bool


async def backlog(database: Database, tenant_id: str) -> Backlog:
    """Count what waits; by indexes alone, however much is recorded."""

    def work(connection: Connection) -> Backlog:
        standing = select(decision.c.standing, func.count()).where(
            decision.c.standing.in_(_STANDINGS), decision.c.tenant_id == tenant_id
        )
        state = select(ledger_action.c.state, func.count()).where(
            ledger_action.c.tenant_id == tenant_id, ledger_action.c.state.in_(_STATES)
        )
        oldest = select(database.now() - func.min(ledger_action.c.asked_at)).where(
            ledger_action.c.tenant_id == tenant_id, ledger_action.c.state == "pending"
        )
        by_standing = standing.group_by(decision.c.standing)
        decisions = {str(row[0]): int(row[1]) for row in connection.execute(by_standing)}
        by_state = state.group_by(ledger_action.c.state)
        actions = {str(row[0]): int(row[1]) for row in connection.execute(by_state)}
        return Backlog(
            {name: decisions.get(name, 0) for name in _STANDINGS},
            {name: actions.get(name, 0) for name in _STATES},
            float(connection.execute(oldest).scalar() or 0.0),
            bool(freezes(connection)),
        )

    return await database.read(work)
