"""One decision as a row of the live page: what came, the path it took, what became of it."""

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


async def newest(
    executive: Executive, reader: Reader, watched: Watched, before: str = ""
) -> tuple[list[Row], bool]:
    """Read the newest decisions, or those before a row's cursor; tell whether there are older.

    Raises:
        BadInput: it is no cursor.
    """
    found = await executive.records.newest_whole(
        reader,
        session_id=watched.session,
        outcome=watched.outcome,
        before=read_cursor(before) if before else None,
        limit=MOST_ROWS + 1,
    )
    return list(map(row_of, found[:MOST_ROWS])), len(found) > MOST_ROWS


async def missed(executive: Executive, reader: Reader, watched: Watched, after: str) -> list[Row]:
    """Read what was decided after the row of a cursor, oldest first.

    Raises:
        BadInput: it is no cursor.
    """
    found = await executive.records.newest_whole(
        reader,
        session_id=watched.session,
        outcome=watched.outcome,
        after=read_cursor(after),
        limit=MOST_MISSED,
    )
    return list(map(row_of, reversed(found)))


def row_of(trace: DecisionTrace) -> Row:
    """Draw the path of a decision."""
    return Row(trace, trail_of(trace))
