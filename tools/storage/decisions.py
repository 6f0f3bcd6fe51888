"""The decisions: accepted before they are made, held, waiting, and recorded exactly once."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from sqlalchemy import Connection, Select, and_, or_, select

from state.arrival import Standing
from state.delivered import Delivered
from state.event import Event
from state.held import Beside
from state.judgement import Timing
from state.record import DecisionRecord
from state.session import Session
from tools.storage.beside import record_beside, record_twins, replace_older
from tools.storage.companions import Covers, Notes
from tools.storage.database import Database
from tools.storage.decision_rows import accept_event, read_row
from tools.storage.holds import drop_hold, hold_of, put_hold
from tools.storage.initiatives import initiative_of
from tools.storage.profiles import save_profile
from tools.storage.releasing import release_after
from tools.storage.sessions import read_session, save_session, with_chips_shown
from tools.storage.standings import is_answered, settle
from tools.storage.tables import decision

Settled = tuple[Callable[[], None], ...] | None
"""What is to be called once the transaction is kept; None: nothing was changed."""


@dataclass(frozen=True)
class SqlDecisions:
    """Decisions in our tables; every method is one transaction."""

    database: Database
    covering: Covers | None = None
    """Without it secrets are kept as they are; for stores of packs that have none."""
    notes: tuple[Notes, ...] = ()
    """Given every decision that is settled, uncovered, in this order."""

    async def accept(self, events: tuple[Event, ...]) -> tuple[bool, ...]:
        """Put events on disk before anybody is told they were accepted; False: known already."""
        return await self.database.write(
            lambda connection: tuple(
                accept_event(connection, event, self.database) for event in events
            ),
            durable=True,
        )

    async def open(self, event: Event, thread_id: str) -> Delivered:
        """Claim the decision of `event` for a thread, or find out who has it.

        The first thread to come owns the decision; a run of that same thread goes on with it
        until it is recorded. Anybody else is told what there is so far.
        """

        def work(connection: Connection) -> Delivered:
            is_new = accept_event(connection, event, self.database, thread_id=thread_id)
            known = read_session(
                connection, event.tenant_id, event.session_id, speaker=event.speaker
            )
            if is_new:
                return Delivered(event.decision_id, "accepted", event, None, known, None)
            row = read_row(connection, event.decision_id)
            standing: Standing = row["standing"]
            if row["thread_id"] != thread_id or standing in ("recorded", "held"):
                standing = "duplicate"
            ended_by, held_at = hold_of(connection, event.decision_id)
            taken_in = Event.model_validate(row["event"])
            return Delivered(
                decision_id=row["decision_id"],
                standing=standing,
                event=taken_in,
                record=DecisionRecord.model_validate(row["record"]) if row["record"] else None,
                session=known,
                released_by=ended_by,
                held_at=held_at,
                initiative=initiative_of(connection, taken_in),
            )

        return await self.database.write(work)

    async def wait(
        self, record: DecisionRecord, stages: Mapping[str, Any], *, thread_id: str
    ) -> bool:
        """Record that the decision waits for a person; it is recorded again when it ends."""
        return _told(
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

        def work(connection: Connection) -> Settled:
            after = self._settle(connection, record, stages, "held", thread_id)
            if after is not None:
                record_twins(connection, record, twins)
                put_hold(connection, record, timing)
                replace_older(connection, record, timing)
            return after

        return _told(await self.database.write(work))

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

        def work(connection: Connection) -> Settled:
            after = self._settle(connection, record, stages, "recorded", thread_id)
            if after is None:
                return None
            ended_by, _held_at = hold_of(connection, record.decision_id)
            drop_hold(connection, record.decision_id)
            record_beside(connection, record, beside)
            record_twins(connection, record, twins)
            known = read_session(connection, record.tenant_id, record.session_id, speaker=speaker)
            remembered = with_chips_shown(
                connection, self.database, remember(known), record.decision_id
            )
            recorded_at = record.recorded_at.timestamp()
            save_session(connection, remembered, recorded_at)
            save_profile(connection, remembered, known, recorded_at)
            release_after(connection, record, remembered, signal=signal, ended_by=ended_by)
            return after

        return _told(await self.database.write(work))

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
        query = (
            select(decision.c.event, decision.c.thread_id)
            .where(
                or_(
                    decision.c.standing == "released",
                    and_(
                        decision.c.standing == "accepted",
                        decision.c.accepted_at <= self.database.now() - older_seconds,
                    ),
                )
            )
            .order_by(decision.c.accepted_at)
        )
        return await self._events(query)

    async def answered(self) -> tuple[tuple[Event, str], ...]:
        """List decisions that wait for a person though nothing of theirs is pending any more."""
        query = (
            select(decision.c.event, decision.c.thread_id)
            .where(is_answered())
            .order_by(decision.c.accepted_at)
        )
        return await self._events(query)

    async def is_answered(self, decision_id: str) -> bool:
        """Tell whether a decision waits for a person though nothing of its is pending any more."""
        query = select(decision.c.decision_id).where(
            decision.c.decision_id == decision_id, is_answered()
        )
        return await self.database.read(
            lambda connection: connection.execute(query).first() is not None
        )

    def _settle(
        self,
        connection: Connection,
        record: DecisionRecord,
        stages: Mapping[str, Any],
        standing: Standing,
        thread_id: str,
    ) -> Settled:
        kept = self.covering.decision(record, stages) if self.covering else (record, stages)
        if not settle(connection, *kept, standing, thread_id):
            return None
        after = [each.note(connection, record, stages, standing) for each in self.notes]
        if self.covering and standing == "recorded":
            self.covering.forget_choice(connection, record.decision_id)
        return tuple(each for each in after if each is not None)

    async def _events(self, query: Select[Any]) -> tuple[tuple[Event, str], ...]:
        return await self.database.read(
            lambda connection: tuple(
                (Event.model_validate(event), thread) for event, thread in connection.execute(query)
            )
        )


def _told(settled: Settled) -> bool:
    for tell in settled or ():
        tell()
    return settled is not None
