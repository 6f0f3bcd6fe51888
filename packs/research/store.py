"""The project's SQLite file, the unit of work on it, and handlers as one idempotent transaction."""

import hashlib
import sqlite3
from collections.abc import Iterable, Sequence
from pathlib import Path

from pydantic import JsonValue

from prefrontal.pack import (
    ActionResult,
    Effects,
    HandlerContext,
    KeptResults,
    NotFound,
    PackMemory,
    PackStore,
    Paper,
    run_script,
)
from prefrontal.pack import Work as PackWork
from prefrontal.pack import preview_of as preview_in

from .seed.plant import plant

FILE = "research.sqlite"
_SCHEMA = Path(__file__).with_name("schema.sql")
_SECOND = Path(__file__).with_name("pages.sql")
"""What the second version adds to the first."""


def _create(connection: sqlite3.Connection) -> None:
    run_script(connection, _SCHEMA)
    plant(connection)


STORE = PackStore(
    FILE,
    "the project's",
    _create,
    upgrades={1: lambda connection: run_script(connection, _SECOND)},
)
reading = STORE.reading
writing = STORE.writing


PAPER, NOTE = "P-", "N-"


class Work(PackWork):
    """What every handler of the pack works with, inside the transaction somebody else holds."""

    @property
    def user(self) -> str:
        """Tell who asks."""
        return self.context.user

    @property
    def memory(self) -> PackMemory:
        """Tell what the conversation keeps."""
        return self.context.memory

    def rows(self, query: str, *parameters: object) -> Sequence[sqlite3.Row]:
        """Return what a query finds."""
        return self.connection.execute(query, parameters).fetchall()

    def row(self, query: str, *parameters: object) -> sqlite3.Row | None:
        """Return the first row a query finds."""
        found: sqlite3.Row | None = self.connection.execute(query, parameters).fetchone()
        return found

    def run(self, statement: str, *parameters: object) -> int:
        """Change rows; returns the number of the one that was added."""
        return self.connection.execute(statement, parameters).lastrowid or 0

    def saw(self, target: str, *values: object) -> None:
        """Remember how a thing stood: when it changes, an approval is stale."""
        text = "\x1f".join(map(str, values))
        self.seen[target] = hashlib.sha256(text.encode()).hexdigest()[:16]

    def paper(self, paper_id: str) -> Paper:
        """Find a paper.

        Raises:
            NotFound: there is none of that id.
        """
        query = "SELECT title, body FROM paper WHERE number = ?"
        row = self.row(query, number_of(paper_id, PAPER))
        if row is None:
            raise NotFound("paper", paper_id)
        if ("paper", f"{paper_id}, {row['title']}") not in self.facts:
            self.facts.append(("paper", f"{paper_id}, {row['title']}"))
        return Paper.model_validate_json(row["body"])


def number_of(name: str, prefix: str) -> int:
    """Read the number of an id such as P-12; one that is none is nobody's."""
    digits = name.upper().removeprefix(prefix)
    return int(digits) if digits.isdigit() and len(digits) < 10 else -1


def texts(values: Iterable[str]) -> list[JsonValue]:
    """Give texts as a JSON list."""
    return [*values]


def listed(ids: Iterable[str], kind: str = "paper") -> dict[str, JsonValue]:
    """Say what an answer lists, in its order, so that `the second one` can be found."""
    return {kind: texts(ids)}


_EFFECTS: Effects[Work] = Effects(STORE, Work, KeptResults())
reads = _EFFECTS.reads
changes = _EFFECTS.changes
preview_of = preview_in(STORE, Work)


def was_done(context: HandlerContext) -> ActionResult | None:
    """Tell whether the effect with the context's key has happened, and with what result."""
    return _EFFECTS.was_done(context)
