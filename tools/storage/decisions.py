"""The store of decisions: claimed by a thread, held, waiting, recorded once, or given up."""

from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any

from sqlalchemy import (
    ColumnElement,
    Connection,
    Float,
    RowMapping,
    Select,
    and_,
    bindparam,
    or_,
    select,
    text,
)

from state.arrival import Standing
from state.delivered import Delivered
from state.errors import NotFound
from state.event import Event
from state.held import Beside
from state.judgement import Timing
from state.record import DecisionRecord
from state.session import Session
from tools.storage.database import Database
from tools.storage.decision_rows import is_answered, read_row, take_event
from tools.storage.holds import drop_hold, hold_of, put_hold, record_duplicates, replace_older
from tools.storage.record_hooks import (
    AfterCommit,
    RecordHook,
    RecordRedactor,
    apply_record_effects,
    move_redacted,
    run_after_commit,
)
from tools.storage.reminders import initiative_of
from tools.storage.sessions import read_session
from tools.storage.tables.decisions import decision

# Built once: to build a statement takes longer than to run it.
_EVENTS = select(decision.c.event, decision.c.thread_id).order_by(
    decision.c.accepted_at, text("decision.rowid")
)
_ANSWERED = select(decision.c.decision_id).where(
    decision.c.decision_id == bindparam("wanted"), is_answered()
)


@cache
def _unfinished(now: ColumnElement[float]) -> Select[Any]:
    is_old = decision.c.accepted_at <= now - bindparam("older", type_=Float)
    return _EVENTS.where(
        or_(
            decision.c.standing == "released",
            and_(decision.c.standing == "accepted", is_old),
        )
    )


def open_decision(
    connection: Connection, database: Database, event: Event, thread_id: str
) -> Delivered:
    """Take the decision of an event for a thread; somebody else's is told as a duplicate.

    Raises:
        Conflict: see take_event.
    """
    event, is_new = take_event(connection, event, database, thread_id=thread_id)
    if is_new:
        known = read_session(connection, event.tenant_id, event.session_id, speaker=event.speaker)
        return Delivered(event.decision_id, "accepted", event, None, known, None)
    return _delivered(connection, read_row(connection, event.decision_id), thread_id)


def find_delivered(connection: Connection, event: Event, thread_id: str) -> Delivered | None:
    """Read what is known of an event that was accepted; None: it was not, or as another one."""
    try:
        row = read_row(connection, event.decision_id)
    except NotFound:
        return None
    found = _delivered(connection, row, thread_id)
    return found if event.is_redelivery_of(found.event) else None


def _delivered(connection: Connection, row: RowMapping, thread_id: str) -> Delivered:
    taken_in = Event.model_validate(row["event"])
    standing: Standing = row["standing"]
    if row["thread_id"] != thread_id or standing in ("recorded", "held"):
        standing = "duplicate"
    ended_by, held_at = hold_of(connection, row["decision_id"])
    return Delivered(
        decision_id=row["decision_id"],
        standing=standing,
        event=taken_in,
        record=DecisionRecord.model_validate(row["record"]) if row["record"] else None,
        session=read_session(
            connection, taken_in.tenant_id, taken_in.session_id, speaker=taken_in.speaker
        ),
        released_by=ended_by,
        held_at=held_at,
        initiative=initiative_of(connection, taken_in),
    )


@dataclass(frozen=True)
class SqlDecisions:
    """Decisions in our tables; every method is one transaction."""

    database: Database
    covering: RecordRedactor | None = None
    """Without it secrets are kept as they are; for stores of packs that have none."""
    notes: tuple[RecordHook, ...] = ()
    """Given every decision that is settled, uncovered, in this order."""
    prepare: Callable[[DecisionRecord], Awaitable[None]] | None = None
    """Awaited before the transaction that settles a decision, for what takes longer than it may."""

    async def accept(self, events: tuple[Event, ...]) -> tuple[tuple[Event, bool], ...]:
        """Put events on disk before anybody is told they were accepted, all or none.

        Each is returned as it is kept, and whether it is new. See take_event; raises Conflict.
        """
        return await self.database.write(
            lambda connection: tuple(
                take_event(connection, event, self.database) for event in events
            ),
            durable=True,
        )

    async def open(self, event: Event, thread_id: str) -> Delivered:
        """Claim the decision of `event` for a thread, or find out who has it.

        The first thread to come owns the decision; a run of that same thread goes on with it
        until it is recorded. Anybody else is told what there is so far. What was accepted before
        is only read.
        """
        found = await self.database.read(
            lambda connection: find_delivered(connection, event, thread_id)
        )
        if found is not None:
            return found
        return await self.database.write(
            lambda connection: open_decision(connection, self.database, event, thread_id)
        )

    async def wait(
        self, record: DecisionRecord, stages: Mapping[str, Any], *, thread_id: str
    ) -> bool:
        """Record that the decision waits for a person; it is recorded again when it ends."""
        await self._prepare(record, stages)
        return run_after_commit(
            await self.database.write(
                lambda connection: self._settle(connection, record, stages, "waiting", thread_id),
                durable=True,
            )
        )

    async def hold(
        self,
        record: DecisionRecord,
        stages: Mapping[str, Any],
        timing: Timing,
        *,
        thread_id: str,
        twins: Sequence[str] = (),
    ) -> bool:
        """Record that the decision waits for its moment; `twins` as in finish."""

        def work(connection: Connection) -> AfterCommit:
            after = self._settle(connection, record, stages, "held", thread_id)
            if after is not None:
                record_duplicates(connection, record, twins)
                put_hold(connection, record, timing)
                replace_older(connection, record, timing)
            return after

        await self._prepare(record, stages)
        return run_after_commit(await self.database.write(work))

    async def finish(
        self,
        record: DecisionRecord,
        stages: Mapping[str, Any],
        remember: Callable[[Session], Session],
        *,
        thread_id: str,
        speaker: str | None = None,
        signal: str | None = None,
        beside: Sequence[Beside] = (),
        twins: Sequence[str] = (),
    ) -> bool:
        """Write the one record of a decision and what the session remembers of it.

        `remember` is given the session as it is now, which may be hours after the snapshot that
        the decision was made on, with the profile of `speaker`; `signal` releases what the session
        holds for it, and `beside` is recorded with the decision that tells it, and so are `twins`:
        the decisions of identical events that waited for their turn.
        False: nothing was changed, because the record is there, the decision is another thread's,
        or its question to a person is still open.
        """

        def work(connection: Connection) -> AfterCommit:
            after = self._settle(connection, record, stages, "recorded", thread_id)
            if after is not None:
                apply_record_effects(
                    connection,
                    self.database,
                    record,
                    remember,
                    speaker=speaker,
                    signal=signal,
                    beside=beside,
                    twins=twins,
                )
            return after

        await self._prepare(record, stages)
        return run_after_commit(await self.database.write(work))

    async def session(
        self, tenant_id: str, session_id: str, *, speaker: str | None = None
    ) -> Session:
        """Read a session as it is now. See read_session."""
        return await self.database.read(
            lambda connection: read_session(connection, tenant_id, session_id, speaker=speaker)
        )

    async def find(self, decision_id: str) -> tuple[Event, str, Standing]:
        """Read an accepted event, the thread that decides it, and where that stands.

        Raises:
            NotFound: there is none.
        """

        def work(connection: Connection) -> tuple[Event, str, Standing]:
            row = read_row(connection, decision_id)
            return Event.model_validate(row["event"]), row["thread_id"], row["standing"]

        return await self.database.read(work)

    async def unfinished(self, *, older_seconds: float = 0.0) -> tuple[tuple[Event, str], ...]:
        """List events that were accepted or released and not decided, oldest first, with thread.

        Args:
            older_seconds: leave out what was accepted just now; somebody is at it.
        """
        return await self._events(_unfinished(self.database.now()), {"older": older_seconds})

    async def answered(self) -> tuple[tuple[Event, str], ...]:
        """List decisions that wait for a person though nothing of theirs is pending any more."""
        return await self._events(_EVENTS.where(is_answered()))

    async def is_answered(self, decision_id: str) -> bool:
        """Tell whether a decision waits for a person though nothing of its is pending any more."""
        wanted = {"wanted": decision_id}
        return await self.database.read(
            lambda connection: connection.execute(_ANSWERED, wanted).first() is not None
        )

    async def _prepare(self, record: DecisionRecord, stages: Mapping[str, Any]) -> None:
        if self.prepare is not None and "salience" in stages:  # a signal is not judged
            await self.prepare(record)

    def _settle(
        self,
        connection: Connection,
        record: DecisionRecord,
        stages: Mapping[str, Any],
        standing: Standing,
        thread_id: str,
    ) -> AfterCommit:
        return move_redacted(
            connection,
            record,
            stages,
            standing,
            thread_id=thread_id,
            covering=self.covering,
            notes=self.notes,
        )

    async def _events(
        self, query: Select[Any], wanted: Mapping[str, Any] | None = None
    ) -> tuple[tuple[Event, str], ...]:
        return await self.database.read(
            lambda connection: tuple(
                (Event.model_validate(event), thread)
                for event, thread in connection.execute(query, wanted)
            )
        )


Closing = Callable[[Connection], DecisionRecord | None]
"""Closes what a decision has left open and gives its last record; None: it has to stay as it is."""


class _UnchangedError(Exception):
    """The record was not written: what was closed for it is open again."""


async def record_dead_letter(
    decisions: SqlDecisions,
    closing: Closing,
    stages: Mapping[str, Any],
    *,
    thread_id: str,
    speaker: str | None = None,
    alone: bool = False,
) -> DecisionRecord | None:
    """Close and record in one transaction, so that nothing is proposed in between.

    Args:
        alone: write nothing beside the record. What breaks the decision may be the session, or
            something that is noted with every record.

    Returns:
        The record; None: nothing was changed, as `closing` or SqlDecisions.finish says.
    """

    def work(connection: Connection) -> tuple[DecisionRecord, AfterCommit] | None:
        record = closing(connection)
        if record is None:
            return None
        after = move_redacted(
            connection,
            record,
            stages,
            "recorded",
            thread_id=thread_id,
            covering=decisions.covering,
            notes=() if alone else decisions.notes,
        )
        if after is None:
            raise _UnchangedError
        if alone:
            drop_hold(connection, record.decision_id)
        else:
            apply_record_effects(
                connection, decisions.database, record, _unchanged, speaker=speaker
            )
        return record, after

    try:
        record, after = await decisions.database.write(work, durable=True) or (None, None)
    except _UnchangedError:
        return None
    return record if run_after_commit(after) else None


def _unchanged(session: Session) -> Session:
    return session
