"""One decision as a row of the live page: what came, the path it took, what became of it."""

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass

from pydantic import Field

from api.console.trail import Trail, trail_of
from graph.runner import Executive
from state.cursor import cursor_of, read_cursor
from state.noun import Name, Noun
from state.reader import Reader
from state.record import DecisionRecord, DecisionTrace, Outcome

MOST_ROWS = 60
MOST_MISSED = 200
"""Rows sent again after a gap; of more only the newest."""


class Watched(Noun):
    """Which decisions are watched."""

    outcome: Outcome | None = None
    session: Name | None = None

    def shows(self, record: DecisionRecord) -> bool:
        """Tell whether a decision is one of them."""
        return self.outcome in (None, record.outcome) and self.session in (None, record.session_id)


class Listening(Watched):
    """What one page wants of the stream."""

    rows: bool = Field(default=False, description="decisions, and not only that there is one")
    after: str = Field(default="", max_length=100, description="the last row it has")
    of: str = Field(default="", max_length=100, description="the session its page was drawn for")


@dataclass(frozen=True)
class Row:
    """A decision and its path."""

    trace: DecisionTrace
    trail: Trail

    @property
    def who(self) -> str:
        """Who said it, or what it came from."""
        event = self.trace.event
        said = event.get("kind") in ("message", "choice")
        return str((said and event.get("user")) or event.get("source") or "")

    @property
    def cursor(self) -> str:
        """Its place in the list of all decisions."""
        return cursor_of(self.trace.record)


async def newest(executive: Executive, reader: Reader, watched: Watched) -> list[Row]:
    """Read the decisions that are shown when the page opens, newest first."""
    found = await executive.decisions(
        reader, session_id=watched.session, outcome=watched.outcome, limit=MOST_ROWS
    )
    return await rows_of(executive, reader, found)


async def missed(executive: Executive, reader: Reader, watched: Watched, after: str) -> list[Row]:
    """Read what was decided after the row of a cursor, oldest first.

    Raises:
        BadInput: it is no cursor.
    """
    last = read_cursor(after)
    found = await executive.decisions(
        reader, session_id=watched.session, outcome=watched.outcome, limit=MOST_MISSED
    )
    newer = [one for one in found if _place(one) > (last.recorded_at, last.decision_id)]
    return await rows_of(executive, reader, list(reversed(newer)))


async def rows_of(
    executive: Executive, reader: Reader, records: Sequence[DecisionRecord]
) -> list[Row]:
    """Read the paths of decisions."""
    traces = await asyncio.gather(
        *(executive.decision(record.decision_id, reader) for record in records)
    )
    return [Row(trace, trail_of(trace)) for trace in traces]


def _place(record: DecisionRecord) -> tuple[float, str]:
    return record.recorded_at.timestamp(), record.decision_id
