"""Questions of domains that the search was not written from find what they ask for, or it is told
what of them was not understood.
"""

from datetime import UTC, datetime
from pathlib import Path
from zoneinfo import ZoneInfo

import pytest
import yaml

from state.journal import Decision
from state.reader import whole
from tools.journal.search.search import JournalSearch
from tools.journal.store.store import JournalStore
from tools.storage.database import Database

NOW = datetime(2026, 8, 12, 15, 30, tzinfo=UTC)
GIVEN = yaml.safe_load((Path(__file__).parent / "questions.yaml").read_text())


def decisions() -> list[Decision]:
    return [
        Decision.model_validate(
            {
                "id": name,
                "session_id": "s",
                "title": title,
                "decision": title,
                "stakeholders": people,
                "timestamp": at,
                "status": status,
                "confidence": 1.0,
            }
        )
        for name, (title, people, at, status) in GIVEN["decisions"].items()
    ]


LINES = [
    pytest.param(line, id=f"{half}: {line[0]}") for half in ("odd", "even") for line in GIVEN[half]
]


@pytest.mark.parametrize("line", LINES)
async def test_a_question_finds_what_it_asks_for(data_dir: Path, line: list[str]):
    question, expected, *missed = line
    database = Database(f"sqlite:///{data_dir / 'prefrontal.sqlite'}")
    search = JournalSearch(JournalStore(database), 0.4, ZoneInfo("Europe/Athens"))
    await search.store.put(decisions())
    answer = await search.answer(question, whole("default"), now=NOW, limit=50)
    await database.close()

    assert {one.decision.id for one in answer.found} == set(expected.split())
    assert [one.field for one in answer.not_understood] == missed
