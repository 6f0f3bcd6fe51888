"""Decisions that wait for their moment: a break, an opportunity, or the end of their life."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

from sqlalchemy import ColumnElement, Connection, Row, Select, bindparam, delete, select, update
from sqlalchemy.dialects.sqlite import insert
from sqlalchemy.orm import aliased

from state.event import Event
from state.held import Held
from state.initiative import Initiative
from state.judgement import Timing
from state.record import DecisionRecord
from tools.storage.database import Database
from tools.storage.tables.decisions import decision, hold
from tools.storage.tables.initiatives import initiative
from tools.timing.worth import EXPIRY, FLUSH, PROMPT, QUIET_ENDED, Wait, first_of

_OF_DECISION = hold.c.decision_id == bindparam("wanted")
_HOLD = select(hold.c.released_by, hold.c.held_at).where(_OF_DECISION)
_DROP = delete(hold).where(_OF_DECISION)
_WAITS = hold.c.released_at.is_(None)
_NEXT = select(hold.c.due_at).where(_WAITS).order_by(hold.c.due_at).limit(1)
_NEW = insert(hold)
_NEW_OR_AGAIN = _NEW.on_conflict_do_update(
    index_elements=["decision_id"],
    # It waits again; when it began to wait stays, so that no wait is longer than its life.
    set_={
        name: _NEW.excluded[name]
        for name in (
            "timing", "release_on", "due_at", "released_at", "released_by", "group_key",
            "identity", "relevance", "urgency", "life_seconds",
        )
    },
)  # fmt: skip


UNDER_WAY_SECONDS = 60.0
"""A release that has come to nothing for so long keeps the others of its session no more."""


@dataclass(frozen=True)
class SqlHolds:
    """Holds in our tables."""

    database: Database

    async def release_due(self, now: float) -> int:
        """Release what is due at `now`, in each session one that takes the others with it.

        After an hour that nobody was here a session hears one utterance, not one a hold.
        """
        # Looked at without the writer: a tick finds nothing nearly always.
        due = await self.next_due()
        if due is None or due > now:
            return 0
        return await self.database.write(lambda connection: release_due(connection, now))

    async def next_due(self) -> float | None:
        """Tell when the next hold ends by itself, None when nothing is held."""
        return await self.database.read(next_hold)

    async def beside(
        self, event: Event, *, group: str, released_by: str | None, now: float
    ) -> tuple[Held, ...]:
        """List what waits in the event's session and is told together with it.

        Args:
            released_by: what ended its hold; None: it was not held, and only a batch goes with it;
                `prompt` asks for everything, `expiry` for what is due at `now` too.
        """
        wanted = hold.c.group_key == group
        if released_by is None:
            wanted = wanted & (hold.c.timing == "batched")
        elif released_by == PROMPT:
            wanted = hold.c.decision_id.is_not(None)
        elif released_by == EXPIRY:
            wanted = wanted | (hold.c.due_at <= now)
        query = _held().where(
            *_in_session(event.tenant_id, event.session_id),
            wanted,
            hold.c.decision_id != event.decision_id,
        )
        return await self._read(query)

    async def waiting(
        self, tenant_id: str, session_id: str, *, limit: int = 100
    ) -> tuple[Held, ...]:
        """List what a session holds, the next to end first."""
        query = _held().where(*_in_session(tenant_id, session_id)).order_by(hold.c.due_at)
        return await self._read(query.limit(limit))

    async def _read(self, query: Select[Any]) -> tuple[Held, ...]:
        return await self.database.read(
            lambda connection: tuple(map(_read, connection.execute(query)))
        )


def next_hold(connection: Connection) -> float | None:
    """Tell when the next hold ends by itself; None: nothing is held."""
    return connection.execute(_NEXT).scalar()


def hold_of(connection: Connection, decision_id: str) -> tuple[str | None, float | None]:
    """Tell what ended a hold, a signal's name or `expiry`, and when it began to wait."""
    row = connection.execute(_HOLD, {"wanted": decision_id}).first()
    return (row.released_by, row.held_at) if row else (None, None)


def put_hold(connection: Connection, record: DecisionRecord, timing: Timing) -> None:
    """Let a decision wait, again if it has to; a batch waits for its newest member."""
    if timing.due_at is None:
        raise ValueError(f"decision {record.decision_id} is held without an end")
    values = {
        "decision_id": record.decision_id,
        "tenant_id": record.tenant_id,
        "session_id": record.session_id,
        "timing": timing.outcome,
        "release_on": list(timing.release_on),
        "due_at": timing.due_at.timestamp(),
        "held_at": record.recorded_at.timestamp(),
        "released_at": None,
        "released_by": None,
        "group_key": timing.group,
        "identity": timing.identity,
        "relevance": record.relevance or 0.0,
        "urgency": timing.urgency,
        "life_seconds": timing.life_seconds or 0.0,
    }
    connection.execute(_NEW_OR_AGAIN, values)
    if timing.outcome == "batched":
        connection.execute(
            update(hold)
            .where(
                *_in_session(record.tenant_id, record.session_id),
                hold.c.group_key == timing.group,
                hold.c.timing == "batched",
            )
            .values(due_at=values["due_at"])
        )


def drop_hold(connection: Connection, decision_id: str) -> None:
    """Forget a hold whose decision is recorded."""
    connection.execute(_DROP, {"wanted": decision_id})


def release_on(connection: Connection, tenant_id: str, session_id: str, by: str, now: float) -> int:
    """Release the best of what a session holds for a break; the rest stays for the next one."""
    query = select(hold).where(*_in_session(tenant_id, session_id))
    rows = connection.execute(query).all()
    return _release(
        connection, [row for row in rows if by in row.release_on], now=now, by=lambda _row: by
    )


def release_due(connection: Connection, now: float) -> int:
    """Release the best of what is due in each session in which no release is under way."""
    other = aliased(hold)
    under_way = (
        select(other.c.decision_id)
        .where(
            other.c.tenant_id == hold.c.tenant_id,
            other.c.session_id == hold.c.session_id,
            other.c.released_at > now - UNDER_WAY_SECONDS,
        )
        .exists()
    )
    rows = connection.execute(select(hold).where(_WAITS, hold.c.due_at <= now, ~under_way)).all()
    sessions: dict[tuple[str, str], list[Row[Any]]] = {}
    for row in rows:
        sessions.setdefault((row.tenant_id, row.session_id), []).append(row)
    return sum(
        _release(connection, due, now=now, by=_ended_by, at_the_end=True)
        for due in sessions.values()
    )


def _ended_by(row: Row[Any]) -> str:
    if QUIET_ENDED in row.release_on:
        return QUIET_ENDED
    return FLUSH if row.timing == "batched" else EXPIRY


def _release(
    connection: Connection,
    rows: Iterable[Row[Any]],
    *,
    now: float,
    by: Callable[[Row[Any]], str],
    at_the_end: bool = False,
) -> int:
    known = {row.decision_id: row for row in rows}
    if not known:
        return 0
    first = first_of(map(_waiting, known.values()), now, at_the_end=at_the_end)
    connection.execute(
        update(hold)
        .where(hold.c.decision_id == first.decision_id, _WAITS)
        .values(released_at=now, released_by=by(known[first.decision_id]))
    )
    connection.execute(
        update(decision)
        .where(decision.c.decision_id == first.decision_id, decision.c.standing == "held")
        .values(standing="released")
    )
    return 1


def _in_session(tenant_id: str, session_id: str) -> tuple[ColumnElement[bool], ...]:
    return (hold.c.tenant_id == tenant_id, hold.c.session_id == session_id, _WAITS)


def _held() -> Select[Any]:
    return (
        select(hold, decision.c.event, initiative.c.body.label("initiative"))
        .join(decision, decision.c.decision_id == hold.c.decision_id)
        .outerjoin(initiative, initiative.c.decision_id == hold.c.decision_id)
    )


def _waiting(row: Row[Any]) -> Wait:
    # What the quiet keeps is kept on purpose: it does not fade, and the best still comes first.
    life = 0.0 if QUIET_ENDED in row.release_on else row.life_seconds
    return Wait(row.decision_id, row.relevance, row.urgency, row.held_at, life)


def _read(row: Row[Any]) -> Held:
    return Held(
        decision_id=row.decision_id,
        event=Event.model_validate(row.event),
        timing=row.timing,
        group=row.group_key,
        release_on=tuple(row.release_on),
        urgency=row.urgency,
        initiative=Initiative.model_validate(row.initiative) if row.initiative else None,
        held_at=datetime.fromtimestamp(row.held_at, UTC),
        due_at=datetime.fromtimestamp(row.due_at, UTC),
    )
