"""What decisions are asked for by narrows the search where the records write it as a name."""

from datetime import UTC, datetime
from pathlib import Path

import pytest

from state.journal import Decision
from state.reader import whole
from tools.journal.search.query import read_question
from tools.journal.search.search import JournalSearch, ground_question
from tools.journal.store.store import JournalStore
from tools.storage.database import Database


def made(name: str, text: str, **more: str) -> Decision:
    given = {"id": name, "session_id": "s", "title": text, "decision": text, "confidence": 1.0}
    return Decision.model_validate(given | more)


TOOLS = (
    made("pg", "Use PostgreSQL for bookings", context="It replaced a mess. We like PostgreSQL."),
    made("both", "keep Postgres and add Redis", rationale="caching is for the berths"),
    made("go", "write the gateway in Go", rationale="Go is what the team knows"),
    made("lazy", "go on with the lazy caching", rationale="we go with what is there"),
    made("wind", "use tailwind for the styles"),
    made("pages", "write the pages in JavaScript"),
    made("build", "build the JavaScript with Java on Red Hat"),
    made("theirs", "use Kafka, as Kafka scales", tenant_id="other"),
)


@pytest.mark.parametrize(
    ("question", "expected"),
    [
        ("decisions about postgres", {"pg", "both"}),
        ("what did we decide about Postgres and Redis?", {"both"}),
        ("Redis decisions", {"both"}),
        ("decisions about Go", {"go"}),  # no word, whatever "go" is elsewhere
        ("decisions about tailwind", {"wind"}),
        ("tech:postgresql bookings", {"pg"}),
        ("decisions about caching", {"both", "lazy"}),  # a word: nothing is left out
        ("decisions not about Go but berths and caching", {"both"}),
    ],
)
async def test_a_question_about_a_named_thing_finds_what_names_it(
    data_dir: Path, question: str, expected: set[str]
) -> None:
    database = Database(f"sqlite:///{data_dir / 'prefrontal.sqlite'}")
    search = JournalSearch(JournalStore(database), floor=0.4)
    await search.store.put(TOOLS)
    found = await search.search(question, whole("default"), now=datetime(2026, 8, 12, tzinfo=UTC))
    await database.close()
    assert {one.decision.id for one in found} == expected


@pytest.mark.parametrize(
    ("tenant_id", "question", "names"),
    [
        ("other", "decisions about Kafka", ("Kafka",)),
        ("default", "decisions about Kafka", ()),  # only another tenant has it on record
        ("default", "decisions about JavaScript using Java", ("JavaScript", "Java")),
        ("default", "decisions about Red Hat using Hat and Java", ("Red Hat", "Java")),
    ],
)
async def test_what_a_tenant_s_own_records_name_is_filtered_by(
    data_dir: Path, tenant_id: str, question: str, names: tuple[str, ...]
) -> None:
    database = Database(f"sqlite:///{data_dir / 'prefrontal.sqlite'}")
    await JournalStore(database).put(TOOLS)
    asked = read_question(question, datetime(2026, 8, 12, tzinfo=UTC))
    found = await database.read(
        lambda connection: ground_question(connection, asked, whole(tenant_id))
    )
    await database.close()
    assert found.filters.technologies == names
