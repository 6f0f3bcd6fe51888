"""Decisions noted before the journal: found by their rarer words, never across tenants."""

from collections.abc import AsyncIterator
from datetime import timedelta
from pathlib import Path

import pytest

from state.note import NotedDecision
from state.reader import whole
from tests.noting import note_earlier
from tests.stages import NOW
from tools.journal.decision_recall import LegacyNotes
from tools.storage.database import Database


@pytest.fixture
async def notes(data_dir: Path) -> AsyncIterator[LegacyNotes]:
    database = Database(f"sqlite:///{data_dir / 'prefrontal.sqlite'}")
    yield LegacyNotes(database)
    await database.close()


def note_of(name: str, decision: str, rationale: str = "", *, days_ago: int = 0) -> NotedDecision:
    return NotedDecision(
        note_id=name,
        decision_id=name,
        decision=decision,
        rationale=rationale,
        decision_maker="amir",
        confidence=0.8,
        decided_at=NOW - timedelta(days=days_ago),
    )


async def put(notes: LegacyNotes, *made: NotedDecision, tenant_id: str = "default") -> None:
    for note in made:
        await note_earlier(notes.database, note, tenant_id)


async def about(notes: LegacyNotes, question: str, tenant_id: str = "default") -> list[str]:
    return [note.note_id for note in await notes.about(question, whole(tenant_id))]


async def test_a_note_comes_back_as_it_was(notes: LegacyNotes) -> None:
    kept = note_of("n", "use Postgres", "everybody knows it")
    await put(notes, kept)
    assert await notes.about("why Postgres, which everybody knows?", whole("default")) == [kept]


async def test_the_note_with_the_rarer_words_comes_first(notes: LegacyNotes) -> None:
    await put(
        notes,
        note_of("paint", "paint the hull blue"),
        note_of("crane", "paint the crane yellow"),
        note_of("dredge", "paint and dredge the basin"),
    )
    found = await about(notes, "why did we decide to paint the crane yellow?")
    assert found[0] == "crane"


async def test_a_question_about_something_else_finds_nothing(notes: LegacyNotes) -> None:
    await put(notes, note_of("paint", "paint the hull blue"))
    assert await about(notes, "why did we hire a diver?") == []
    assert await about(notes, "why?") == []


async def test_another_tenant_finds_nothing(notes: LegacyNotes) -> None:
    await put(notes, note_of("n", "use Postgres everywhere"))
    assert await about(notes, "why use Postgres everywhere?", "other") == []


async def test_no_more_than_three_are_told(notes: LegacyNotes) -> None:
    await put(notes, *(note_of(str(number), f"paint hull {number}") for number in range(5)))
    assert len(await about(notes, "why paint the hull?")) == 3


@pytest.mark.parametrize("question", ["'; DROP TABLE noted_decision; --", '"', "%", "NEAR(", "🙂"])
async def test_an_odd_question_is_only_a_question(notes: LegacyNotes, question: str) -> None:
    await put(notes, note_of("n", "use Postgres everywhere"))
    assert await about(notes, question) == []
    assert await about(notes, "use Postgres") == ["n"]


async def test_of_notes_that_fit_alike_the_newest_comes_first(notes: LegacyNotes) -> None:
    names = ["z", "a", "m"]
    await put(notes, *(note_of(one, "dredge the basin") for one in names))
    await put(notes, note_of("old", "dredge the basin", days_ago=9))
    assert await notes.about("why dredge the basin?", whole("default"), limit=9) == [
        note_of(one, "dredge the basin") for one in ("m", "a", "z")
    ] + [note_of("old", "dredge the basin", days_ago=9)]
