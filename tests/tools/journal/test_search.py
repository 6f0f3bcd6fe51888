"""Decisions are found by words and meaning, in one tenant only, whatever is asked."""

from collections.abc import AsyncIterator
from datetime import UTC, datetime
from pathlib import Path

import pytest

from state.errors import NotFound
from state.journal import Decision, DecisionFilters, DecisionStatus
from state.reader import Reader, whole
from tests.tools.journal.topics import Topics
from tools.journal.search import retrieval as legs
from tools.journal.search.search import JournalSearch
from tools.journal.store.store import JournalStore, Stored
from tools.storage.database import Database

NOW = datetime(2026, 8, 12, tzinfo=UTC)
HOSTILE = [
    '"',
    "'",
    "*",
    "NEAR(",
    "a AND",
    "title:",
    "@",
    "(",
    "-a",
    "^",
    "\x00",
    "🙂",
    "%",
    "?",
]


@pytest.fixture
async def database(data_dir: Path) -> AsyncIterator[Database]:
    opened = Database(f"sqlite:///{data_dir / 'prefrontal.sqlite'}")
    yield opened
    await opened.close()


def decision(name: str, text: str, *, tenant_id: str = "default", **more: object) -> Decision:
    given = {
        "id": name,
        "session_id": "s",
        "tenant_id": tenant_id,
        "title": text,
        "confidence": 1.0,
    }
    return Decision.model_validate(given | {"decision": text} | more)


KEPT = (
    decision("ferry", "use the ferry", rationale="it is cheap", stakeholders=("Ann Lee",)),
    decision("bridge", "build the bridge", timestamp=datetime(2024, 5, 1, tzinfo=UTC)),
    decision("soup", "serve tomato soup on Fridays", status=DecisionStatus.SUPERSEDED),
)


def searching(database: Database, encoder: Topics | None = None) -> JournalSearch:
    return JournalSearch(JournalStore(database, encoder), floor=0.4)


async def ids(search: JournalSearch, question: str, tenant_id: str = "default") -> list[str]:
    return [one.decision.id for one in await search.search(question, whole(tenant_id), now=NOW)]


async def test_a_decision_comes_back_as_it_was_and_only_once(database: Database) -> None:
    store = JournalStore(database)
    assert await store.put(KEPT) == Stored(added=3)
    assert await store.put(KEPT) == Stored(same=3)
    assert await store.put([decision("ferry", "use two ferries")]) == Stored(changed=1)
    assert (await store.get("ferry", whole("default"))).decision == "use two ferries"
    with pytest.raises(NotFound):
        await store.get("ferry", whole("other"))


async def test_words_find_without_an_encoder_and_nothing_is_an_answer(database: Database) -> None:
    search = searching(database)
    await search.store.put(KEPT)
    assert await ids(search, "why did we decide on the ferry?") == ["ferry"]
    assert await ids(search, "who hired the diver?") == []
    assert await ids(search, "why?") == []
    for whose in ("did Ann Lee decide?", "what has ann decided on the ferry", "Ann's decisions"):
        assert await ids(search, whose) == ["ferry"]
    assert await ids(search, "what did Bo decide?") == []
    assert await ids(search, "why aren’t we using the ferry? why don't we?") == ["ferry"]


async def test_the_words_of_a_changed_decision_are_its_new_ones(database: Database) -> None:
    search = searching(database)
    await search.store.put(KEPT)
    await search.store.put([decision("soup", "serve bread")])
    assert await ids(search, "tomato") == []
    assert await ids(search, "serve bread") == ["soup"]


async def test_meaning_finds_what_no_word_does(database: Database) -> None:
    search = searching(database, Topics())
    await search.store.put(KEPT)
    (found, *_others) = await search.search("what about the crossing?", whole("default"), now=NOW)
    assert (found.decision.id, found.lexical) == ("bridge", 0.0)
    assert found.similarity > 0.9


async def test_a_word_that_means_something_else_is_no_answer(database: Database) -> None:
    search = searching(database, Topics())
    await search.store.put(KEPT)
    assert await ids(search, "tomato boat") == ["ferry"]


async def test_the_nearly_near_stays_beside_what_is_asked_for_and_alone_is_no_answer(
    database: Database,
) -> None:
    search = JournalSearch(JournalStore(database, Topics()), floor=0.8)
    await search.store.put([decision("both", "use the ferry, then the bridge"), KEPT[2]])
    assert await ids(search, "the boat") == []
    await search.store.put([KEPT[0]])
    assert await ids(search, "the boat") == ["ferry", "both"]


async def test_a_broken_encoder_leaves_the_words(database: Database) -> None:
    encoder = Topics()
    search = searching(database, encoder)
    await search.store.put(KEPT[:2])
    encoder.broken = True
    await search.store.put(KEPT[2:])
    assert await ids(search, "the ferry") == ["ferry"]
    encoder.broken = False
    assert (await search.store.drift()).without_vectors == 1
    assert (await search.store.reindex()).without_vectors == 0
    assert await ids(search, "a meal") == ["soup"]


@pytest.mark.parametrize(
    ("question", "expected"),
    [
        ("@ann", ["ferry"]),
        ("@an", []),
        ("in Q2 2024", ["bridge"]),
        ("bridge before 2024", []),
        ("superseded decisions", ["soup"]),
    ],
)
async def test_filters_in_the_question_narrow_it(
    database: Database, question: str, expected: list[str]
) -> None:
    search = searching(database, Topics())
    await search.store.put(KEPT)
    assert await ids(search, question) == expected


@pytest.mark.parametrize("first_look", [10, 400])
async def test_filters_apply_before_the_limit(
    database: Database, first_look: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(legs, "FIRST_LOOK", first_look)
    search = searching(database, Topics())
    closed = [decision(f"c{number}", "use the ferry", session_id="board") for number in range(120)]
    await search.store.put(closed)
    many = [decision(f"f{number}", "use the ferry") for number in range(120)]
    await search.store.put(
        [*many, decision("old", "use the ferry", status=DecisionStatus.REJECTED)]
    )
    found = await search.search(
        "ferry",
        whole("default"),
        now=NOW,
        filters=DecisionFilters(status=DecisionStatus.REJECTED),
        limit=1,
    )
    assert [one.decision.id for one in found] == ["old"]
    assert found[0].lexical
    assert found[0].similarity
    reader = Reader(tenant_id="default", closed=("b?ard",))
    for question in ("ferry", "boat"):
        seen = await search.search(question, reader, now=NOW, limit=50)
        assert [one.decision.session_id for one in seen] == ["s"] * 50


async def test_another_tenant_finds_nothing_whatever_it_asks(database: Database) -> None:
    search = searching(database, Topics())
    await search.store.put([*KEPT, decision("theirs", "use the ferry", tenant_id="other")])
    about = "decisions about a Ferry"  # a name in no record of theirs
    for question in ("ferry", "boat", "@ann", "superseded decisions", about, *HOSTILE):
        assert set(await ids(search, question, "other")) <= {"theirs"}
        assert await ids(search, question, "third") == []


@pytest.mark.parametrize("question", HOSTILE)
async def test_no_text_is_syntax(database: Database, question: str) -> None:
    search = searching(database)
    await search.store.put(KEPT)
    assert "ferry" in await ids(search, f"{question} cheap ferry {question}")
    await ids(search, f"decisions about {question}Ferry{question}")
    named = DecisionFilters(technologies=(question,))
    found = await search.search("ferry", whole("default"), now=NOW, filters=named)
    assert [one.decision.id for one in found] == []


async def test_a_hit_says_where_its_words_stand(database: Database) -> None:
    search = searching(database)
    await search.store.put(KEPT)
    (found,) = await search.search("cheap ferry", whole("default"), now=NOW)
    assert "‹ferry›" in found.snippet


async def test_an_index_that_lost_a_row_is_noticed_and_mended(database: Database) -> None:
    store = JournalStore(database)
    await store.put(KEPT)
    lose = "DELETE FROM journal_text WHERE rowid = 1"
    await database.write(lambda connection: connection.exec_driver_sql(lose))
    assert not (await store.drift()).text_is_whole
    assert (await store.reindex()).text_is_whole


async def test_what_came_while_the_encoder_was_out_of_order_is_embedded_when_it_answers(
    database: Database,
) -> None:
    encoder = Topics()
    store = JournalStore(database, encoder)
    assert await store.catch_up() == 0
    encoder.broken = True
    await store.put([decision("d-1", "Take the ferry")])
    assert await store.catch_up() == 0
    assert (await store.drift()).without_vectors == 1
    encoder.broken = False
    assert await store.catch_up() == 1
    assert (await store.drift()).without_vectors == 0


async def test_what_is_written_after_a_search_is_found_by_meaning_and_the_old_is_not(
    database: Database,
) -> None:
    store = JournalStore(database, Topics())
    search = JournalSearch(store, 0.5)
    ferry = made("one", "take the ferry")
    await store.put([ferry, made("two", "build the bridge")])
    assert await ids(search, "boat") == ["one"]
    await store.put([made("one", "cook a soup"), made("three", "hire a ferry")])
    assert await ids(search, "boat") == ["three"]
    assert await ids(search, "meal") == ["one"]
    assert await ids(search, "crossing") == ["two"]


def made(name: str, decision: str) -> Decision:
    return Decision(id=name, session_id="s", title=decision, decision=decision, confidence=1.0)
