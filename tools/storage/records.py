"""The records of decisions, read: one whole, or many, newest first."""

from dataclasses import dataclass

from sqlalchemy import Connection, and_, or_, select

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
            return DecisionTrace(
                record=DecisionRecord.model_validate(row["record"]),
                event=row["event"],
                stages=row["stages"] or {},
                thread_id=row["thread_id"],
            )

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
        wanted = [readable_in(decision, reader_of(whose)), decision.c.record.is_not(None)]
        if session_id:
            wanted.append(decision.c.session_id == session_id)
        if outcome:
            wanted.append(decision.c.outcome == outcome)
        if before:
            wanted.append(
                or_(
                    decision.c.recorded_at < before.recorded_at,
                    and_(
                        decision.c.recorded_at == before.recorded_at,
                        decision.c.decision_id < before.decision_id,
                    ),
                )
            )
        query = (
            select(decision.c.record)
            .where(*wanted)
            .order_by(decision.c.recorded_at.desc(), decision.c.decision_id.desc())
            .limit(limit)
        )
        return await self.database.read(
            lambda connection: [
                DecisionRecord.model_validate(body) for body in connection.scalars(query)
            ]
        )
