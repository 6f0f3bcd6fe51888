"""Are the times, people and statuses that a question names read exactly?"""

from datetime import UTC, datetime
from pathlib import Path

import yaml

from evals.intervals import wilson
from evals.measures import Measure
from state.journal import DecisionFilters, DecisionStatus
from state.noun import Noun
from tools.journal.question import read_question

QUESTIONS = Path(__file__).with_name("questions.yaml")
MEASURES = ("filters_exact",)
_ASKED = datetime(2026, 8, 12, 15, 30, tzinfo=UTC)


class Asked(Noun):
    """A question, and what it is to be narrowed to."""

    q: str
    since: str | None = None
    until: str | None = None
    people: tuple[str, ...] = ()
    status: DecisionStatus | None = None

    def is_read(self) -> bool:
        """Tell whether all of it is read, and nothing else; times by their day."""
        found = read_question(self.q, _ASKED).filters
        return _told(found) == (self.since, self.until, self.people, self.status)


def own_questions() -> list[Asked]:
    """Read the questions that ship."""
    rows = yaml.safe_load(QUESTIONS.read_text("utf-8"))["questions"]
    return [Asked.model_validate(row) for row in rows]


def figures(asked: list[Asked]) -> tuple[Measure, ...]:
    """Count the questions that are read exactly."""
    read = sum(one.is_read() for one in asked)
    within = wilson(read, len(asked))
    name = MEASURES[0]
    return (
        Measure(name=name, value=read / len(asked), n=len(asked), low=within.low, high=within.high),
    )


def _told(found: DecisionFilters) -> tuple[object, ...]:
    days = (f"{one:%Y-%m-%d}" if one else None for one in (found.since, found.until))
    return (*days, found.people, found.status)
