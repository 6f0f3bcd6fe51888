"""Decisions held for a break, an opportunity or their expiry, and what releases them.

Held decisions that were delivered with another one, dropped or replaced get their own
records.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

from sqlalchemy import Connection, Row, Select, bindparam, delete, select, update
from sqlalchemy.dialects.sqlite import insert
from sqlalchemy.orm import aliased

from state.event import Event
from state.held import Beside, Held
from state.initiative import Initiative
from state.judgement import Timing
from state.record import DecisionRecord
from state.release import (
    BREAKS,
    BREATH,
    EXPIRY,
    FLUSH,
    PROMPT,
    QUIET_ENDED,
    ReleaseCandidate,
    next_to_release,
)
from state.session import Session
from tools.platform.texts import t
from tools.storage.database import Database
from tools.storage.decision_rows import move_decision
from tools.storage.tables.decisions import decision, hold, initiative

_OF_DECISION = hold.c.decision_id == bindparam("wanted")
_HOLD = select(hold.c.released_by, hold.c.held_at).where(_OF_DECISION)
_DROP = delete(hold).where(_OF_DECISION)
_WAITS = hold.c.released_at.is_(None)
_IN_SESSION = (
    hold.c.tenant_id == bindparam("tenant"),
    hold.c.session_id == bindparam("session"),
    _WAITS,
)
_OF_SESSION = select(hold).where(*_IN_SESSION)
_HELD = (
    select(hold, decision.c.event, initiative.c.body.label("initiative"))
    .join(decision, decision.c.decision_id == hold.c.decision_id)
    .outerjoin(initiative, initiative.c.decision_id == hold.c.decision_id)
    .where(*_IN_SESSION)
)
_OTHERS = _HELD.where(hold.c.decision_id != bindparam("but"))
_IS_OF_GROUP = hold.c.group_key == bindparam("group")
_OF_GROUP = _OTHERS.where(_IS_OF_GROUP)
_BATCHED = _OTHERS.where(_IS_OF_GROUP | (hold.c.group_key == BREATH), hold.c.timing == "batched")
_BESIDE: dict[str | None, Select[Any]] = {
    None: _BATCHED,
    FLUSH: _BATCHED,
    PROMPT: _OTHERS,
    EXPIRY: _OTHERS.where(_IS_OF_GROUP | (hold.c.due_at <= bindparam("now"))),
}
"""What is told with an utterance, by what ended its hold; after all else what is of its group."""
_DELAY_BATCH = (
    update(hold)
    .where(*_IN_SESSION, _IS_OF_GROUP, hold.c.timing == "batched")
    .values(due_at=bindparam("end"))
)
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
                `prompt` asks for everything, `expiry` for what is due at `now` too, a break for all
                that waits for it.
        """
        wanted = {
            **_session(event.tenant_id, event.session_id),
            "group": group,
            "now": now,
            "but": event.decision_id,
        }
        query = _BESIDE.get(released_by, _OTHERS if released_by in BREAKS else _OF_GROUP)
        found = await self._read(query, wanted)
        if released_by == PROMPT or query is not _OTHERS:
            return found
        return tuple(one for one in found if released_by in one.release_on or one.group == group)

    async def waiting(
        self, tenant_id: str, session_id: str, *, limit: int = 100
    ) -> tuple[Held, ...]:
        """List what a session holds, the next to end first."""
        query = _HELD.order_by(hold.c.due_at).limit(limit)
        return await self._read(query, _session(tenant_id, session_id))

    async def _read(self, query: Select[Any], wanted: Mapping[str, Any]) -> tuple[Held, ...]:
        return await self.database.read(
            lambda connection: tuple(map(_read, connection.execute(query, wanted)))
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
        whose = _session(record.tenant_id, record.session_id)
        delayed = {**whose, "group": timing.group, "end": values["due_at"]}
        connection.execute(_DELAY_BATCH, delayed)


def drop_hold(connection: Connection, decision_id: str) -> None:
    """Forget a hold whose decision is recorded."""
    connection.execute(_DROP, {"wanted": decision_id})


def release_on(connection: Connection, tenant_id: str, session_id: str, by: str, now: float) -> int:
    """Release the best of what a session holds for a break; the rest stays for the next one."""
    rows = connection.execute(_OF_SESSION, _session(tenant_id, session_id)).all()
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
    first = next_to_release(map(_waiting, known.values()), now, at_the_end=at_the_end)
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


def _session(tenant_id: str, session_id: str) -> dict[str, str]:  # parameters of _IN_SESSION
    return {"tenant": tenant_id, "session": session_id}


def _waiting(row: Row[Any]) -> ReleaseCandidate:
    # What the quiet keeps is kept on purpose: it does not fade, and the best still comes first.
    life = 0.0 if QUIET_ENDED in row.release_on else row.life_seconds
    return ReleaseCandidate(row.decision_id, row.relevance, row.urgency, row.held_at, life)


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


_WHOEVER_IS_BUSY = (PROMPT, QUIET_ENDED)
_BY_TIME = (EXPIRY, FLUSH)


def release_after(
    connection: Connection,
    record: DecisionRecord,
    session: Session,
    *,
    signal: str | None,
    ended_by: str | None,
) -> None:
    """Release what a signal calls for, or the next one when what was released stayed silent.

    Args:
        signal: that this decision was about.
        ended_by: what had ended the hold of this decision, if it was held.
    """
    now = record.recorded_at.timestamp()
    if ended_by in _BY_TIME and not record.spoke:
        release_due(connection, now)
    by = signal or (ended_by if not record.spoke and ended_by not in _BY_TIME else None)
    if by is None or (session.busy is not None and by not in _WHOEVER_IS_BUSY):
        return
    release_on(connection, record.tenant_id, record.session_id, by, now)


_WAITING = select(decision.c.event_id, decision.c.thread_id).where(
    decision.c.decision_id == bindparam("wanted"), decision.c.standing == "accepted"
)


def record_delivered_with(
    connection: Connection, told: DecisionRecord, beside: Sequence[Beside]
) -> None:
    """Record what was judged again with a decision; what it did not tell after all waits on."""
    for one in beside:
        if one.ending == "stays" or (one.ending == "told" and not told.spoke):
            continue
        outcome = "merged" if one.ending == "told" else "passed"
        reason = f"told_with:{told.decision_id}" if one.ending == "told" else one.reason
        _record(
            connection,
            one.decision_id,
            {"outcome": outcome, "reason": reason, "counterfactual": one.counterfactual},
            at=told.recorded_at,
            stage=one.model_dump(mode="json"),
        )


def replace_older(connection: Connection, held: DecisionRecord, timing: Timing) -> None:
    """Record what waits and says the same in older figures: only the newest state is told."""
    older = select(hold.c.decision_id).where(
        hold.c.tenant_id == held.tenant_id,
        hold.c.session_id == held.session_id,
        hold.c.group_key == timing.group,
        hold.c.identity == timing.identity,
        hold.c.released_at.is_(None),
        hold.c.decision_id != held.decision_id,
    )
    for decision_id in connection.scalars(older).all():
        ending = {
            "outcome": "merged",
            "reason": f"superseded_by:{held.decision_id}",
            "counterfactual": t("attention.instead.superseded"),
        }
        _record(connection, decision_id, ending, at=held.recorded_at, stage=None)


def record_duplicates(connection: Connection, judged: DecisionRecord, twins: Sequence[str]) -> None:
    """Record the identical events that waited behind one: what became of it is theirs too."""
    for decision_id in twins:
        row = connection.execute(_WAITING, {"wanted": decision_id}).first()
        if row is None:
            continue  # it is decided by itself
        record = judged.model_copy(
            update={
                "event_id": row.event_id,
                "decision_id": decision_id,
                "outcome": "merged",
                "reason": f"folded_into:{judged.decision_id}",
                "counterfactual": "another text, salience or payload, or coming later",
                "spoke": False,
                "output": "silent",
                "text": "",
                "elapsed_ms": 0.0,
                "models": (),  # what a model cost is counted once, with the one it was asked for
                **dict.fromkeys(("action", "arguments", "action_id", "offer_id", "response_id")),
            }
        )
        move_decision(connection, record, {}, "recorded", row.thread_id)


def _record(
    connection: Connection,
    decision_id: str,
    ending: Mapping[str, Any],
    *,
    at: datetime,
    stage: Mapping[str, Any] | None,
) -> None:
    row = connection.execute(
        select(decision.c.record, decision.c.stages, decision.c.thread_id).where(
            decision.c.decision_id == decision_id, decision.c.standing.in_(("held", "released"))
        )
    ).first()
    if row is None:
        return  # it came to its own end meanwhile
    record = DecisionRecord.model_validate(row.record)
    kept = record.model_copy(update={**ending, "spoke": False, "recorded_at": at})
    stages = {**row.stages, **({"beside": stage} if stage else {})}
    # Nothing but a release ends a hold, so that a replayed thread cannot: this is one.
    connection.execute(
        update(decision).where(decision.c.decision_id == decision_id).values(standing="released")
    )
    move_decision(connection, kept, stages, "recorded", row.thread_id)
    drop_hold(connection, decision_id)
