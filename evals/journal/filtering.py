"""Are the times, people, statuses and technologies that a question names read exactly?"""

import asyncio
from collections.abc import Sequence
from datetime import UTC, datetime
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, NamedTuple

import yaml
from sqlalchemy import Connection

from evals.measures import Measure, share
from state.journal import Decision, DecisionFilters, DecisionStatus
from state.noun import Noun
from state.reader import whole
from tools.journal.keeping.store import JournalStore
from tools.journal.searching.grounding import grounded
from tools.journal.searching.question import read_question
from tools.storage.database import Database

QUESTIONS = Path(__file__).with_name("questions.yaml")
MEASURES = ("filters_exact", "technologies_exact")
_ASKED = datetime(2026, 8, 12, 15, 30, tzinfo=UTC)
_TENANT = "default"
_KINDS = ("questions", "technologies")


class Asked(Noun):
    """A question, and what it is to be narrowed to."""

    q: str
    since: str | None = None
    until: str | None = None
    people: tuple[str, ...] = ()
    status: DecisionStatus | None = None
    technologies: tuple[str, ...] = ()

    def is_read(self, connection: Connection) -> bool:
        """Tell whether all of it is read, and nothing else; times by their day."""
        found = grounded(connection, read_question(self.q, _ASKED), whole(_TENANT)).filters
        wanted = (self.since, self.until, self.people, self.status, frozenset(self.technologies))
        return _told(found) == wanted


class Read(NamedTuple):
    """A question, whether it is one on technologies, and whether it was read exactly."""

    asked: Asked
    is_on_technologies: bool
    is_exact: bool


def own_questions() -> list[Read]:
    """Read the questions that ship, asked of the records that ship with them."""
    return asyncio.run(_read(yaml.load(QUESTIONS.read_text("utf-8"), yaml.CSafeLoader)))


def figures(read: Sequence[Read]) -> tuple[Measure, ...]:
    """Count the questions that are read exactly: all of them, those on technologies."""
    some = [one for one in read if one.is_on_technologies]
    return tuple(
        share(name, sum(one.is_exact for one in asked), len(asked))
        for name, asked in zip(MEASURES, (read, some), strict=True)
    )


async def _read(given: dict[str, Any]) -> list[Read]:  # YAML
    with TemporaryDirectory(prefix="prefrontal-evals-") as folder:
        database = Database(f"sqlite:///{Path(folder) / 'journal.sqlite'}")
        records = [_record(number, **row) for number, row in enumerate(given["records"])]
        await JournalStore(database).put(records)

        def work(connection: Connection) -> list[Read]:
            rows = [(row, key == "technologies") for key in _KINDS for row in given[key]]
            asked = [(Asked.model_validate(row), is_on) for row, is_on in rows]
            return [Read(one, is_on, one.is_read(connection)) for one, is_on in asked]

        read = await database.read(work)
        await database.close()
    return read


def _record(number: int, *, title: str, by: str, text: str) -> Decision:
    return Decision(
        id=f"rec-{number}",
        session_id="evals",
        title=title,
        decision=title,
        rationale=text,
        stakeholders=(by,),
        confidence=1.0,
    )


def _told(found: DecisionFilters) -> tuple[object, ...]:
    days = (f"{one:%Y-%m-%d}" if one else None for one in (found.since, found.until))
    return (*days, found.people, found.status, frozenset(found.technologies))
