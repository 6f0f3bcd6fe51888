"""Decisions that wait for their moment: a break, an opportunity, or the end of their life."""

from dataclasses import dataclass

from sqlalchemy import ColumnElement, Connection, bindparam, delete, select, update
from sqlalchemy.dialects.sqlite import insert

from state.judgement import Timing
from state.record import DecisionRecord
from tools.storage.database import Database
from tools.storage.tables import decision, hold

_OF_DECISION = hold.c.decision_id == bindparam("wanted")
_RELEASED_BY = select(hold.c.released_by).where(_OF_DECISION)
_DROP = delete(hold).where(_OF_DECISION)


@dataclass(frozen=True)
class SqlHolds:
    """Holds in our tables."""

    database: Database

    async def release_due(self, now: float) -> int:
        """Release the holds whose life is over at `now`; they wait to be judged again."""
        return await self.database.write(
            lambda connection: _release(connection, hold.c.due_at <= now, now=now, by="expiry")
        )

    async def next_due(self) -> float | None:
        """Tell when the next hold ends by itself, None when nothing is held."""
        query = (
            select(hold.c.due_at)
            .where(hold.c.released_at.is_(None))
            .order_by(hold.c.due_at)
            .limit(1)
        )
        return await self.database.read(lambda connection: connection.execute(query).scalar())


def released_by(connection: Connection, decision_id: str) -> str | None:
    """Tell what ended a hold: a signal's name or `expiry`; None when it was never held."""
    return connection.execute(_RELEASED_BY, {"wanted": decision_id}).scalar()


def put_hold(connection: Connection, record: DecisionRecord, timing: Timing) -> None:
    """Start a hold, once: one that exists keeps its first end."""
    if timing.due_at is None:
        raise ValueError(f"decision {record.decision_id} is held without an end")
    statement = insert(hold).values(
        decision_id=record.decision_id,
        tenant_id=record.tenant_id,
        session_id=record.session_id,
        timing=timing.outcome,
        release_on=list(timing.release_on),
        due_at=timing.due_at.timestamp(),
        held_at=record.recorded_at.timestamp(),
    )
    connection.execute(statement.on_conflict_do_nothing())


def drop_hold(connection: Connection, decision_id: str) -> None:
    """Forget a hold whose decision is recorded."""
    connection.execute(_DROP, {"wanted": decision_id})


def release_on(connection: Connection, signal: DecisionRecord, name: str) -> int:
    """Release what the session of a signal holds for it; `prompt` releases everything."""
    query = select(hold.c.decision_id, hold.c.release_on).where(
        hold.c.tenant_id == signal.tenant_id,
        hold.c.session_id == signal.session_id,
        hold.c.released_at.is_(None),
    )
    waiting = [identifier for identifier, signals in connection.execute(query) if name in signals]
    wanted = hold.c.decision_id.in_(waiting)
    return _release(connection, wanted, now=signal.recorded_at.timestamp(), by=name)


def _release(connection: Connection, wanted: ColumnElement[bool], *, now: float, by: str) -> int:
    released = connection.scalars(
        update(hold)
        .where(wanted, hold.c.released_at.is_(None))
        .values(released_at=now, released_by=by)
        .returning(hold.c.decision_id)
    ).all()
    connection.execute(
        update(decision)
        .where(decision.c.decision_id.in_(released), decision.c.standing == "held")
        .values(standing="released")
    )
    return len(released)
