"""The records of decisions, read: one whole, or many, newest first."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from sqlalchemy import ColumnElement, Connection, RowMapping, Select, select, tuple_

from state.cursor import Cursor
from state.errors import NotFound
from state.reader import Reader, reader_of
from state.record import DecisionRecord, DecisionTrace
from tools.storage.database import Database
from tools.storage.decision_rows import read_row
from tools.storage.readable import may_see, readable_in
from tools.storage.tables.decisions import decision


@dataclass(frozen=True)
class SqlRecords:
    """Records in our tables."""

    database: Database

    async def trace(self, decision_id: str, whose: Reader | str | None = None) -> DecisionTrace:
        """Read a decision whole.

        Raises:
            NotFound: there is none, it is another tenant's, closed to the reader, or it has no
                record yet.
        """
        reader = None if whose is None else reader_of(whose)

        def work(connection: Connection) -> DecisionTrace:
            row = read_row(connection, decision_id)
            if row["record"] is None or (reader and not may_see(reader, dict(row))):
                raise NotFound("decision", decision_id)
            return _trace_of(row)

        return await self.database.read(work)

    async def newest(
        self,
        whose: Reader | str,
        *,
        session_id: str | None = None,
        outcome: str | None = None,
        before: Cursor | None = None,
        limit: int = 50,
    ) -> list[DecisionRecord]:
        """List records, newest first; `before`: the place to go on from."""
        query = _newest(whose, (decision.c.record,), session_id, outcome).limit(limit)
        if before:
            query = query.where(_place < (before.recorded_at, before.decision_id))
        return await self.database.read(
            lambda connection: [
                DecisionRecord.model_validate(body) for body in connection.scalars(query)
            ]
        )

    async def newest_whole(
        self,
        whose: Reader | str,
        *,
        session_id: str | None = None,
        outcome: str | None = None,
        before: Cursor | None = None,
        after: Cursor | None = None,
        limit: int = 50,
    ) -> list[DecisionTrace]:
        """List decisions whole, newest first, in one read; those on one side of a place."""
        query = _newest(whose, _WHOLE, session_id, outcome).limit(limit)
        if before:
            query = query.where(_place < (before.recorded_at, before.decision_id))
        if after:
            query = query.where(_place > (after.recorded_at, after.decision_id))
        return await self.database.read(
            lambda connection: list(map(_trace_of, connection.execute(query).mappings()))
        )


_place = tuple_(decision.c.recorded_at, decision.c.decision_id)
"""Where a decision stands in the list of all."""
_WHOLE = (decision.c.record, decision.c.event, decision.c.stages, decision.c.thread_id)


def _newest(
    whose: Reader | str,
    columns: Sequence[ColumnElement[Any]],
    session_id: str | None,
    outcome: str | None,
) -> Select[Any]:
    """Select what has a record and is the reader's to see, newest first."""
    wanted = [readable_in(decision, reader_of(whose)), decision.c.record.is_not(None)]
    if session_id:
        wanted.append(decision.c.session_id == session_id)
    if outcome:
        wanted.append(decision.c.outcome == outcome)
    order = (decision.c.recorded_at.desc(), decision.c.decision_id.desc())
    return select(*columns).where(*wanted).order_by(*order)


def _trace_of(row: RowMapping) -> DecisionTrace:
    return DecisionTrace(
        record=DecisionRecord.model_validate(row["record"]),
        event=row["event"],
        stages=row["stages"] or {},
        thread_id=row["thread_id"],
    )
