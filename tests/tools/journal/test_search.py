"""Decisions are found by words, meaning, times and people, in one tenant only."""

from collections.abc import AsyncIterator
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from sqlalchemy import Connection, select

from state.errors import BadInput, NotFound
from state.journal import Decision, DecisionFilters, DecisionStatus
from state.reader import Reader, whole
from tests.tools.journal.topics import Topics
from tools.journal.search import retrieval as legs
from tools.journal.search import retrieval as rarest
from tools.journal.search.question import read_question
from tools.journal.search.search import JournalSearch, ground_question
from tools.journal.store.store import JournalStore, Stored
from tools.storage.database import Database
from tools.storage.tables.journal import journal_entry

# Decisions are found by words and meaning, in one tenant only, whatever is asked.

NOW = datetime(2026, 8, 12, tzinfo=UTC)
HOSTILE = ['"', "'", "*", "NEAR(", "a AND", "title:", "@", "(", "-a", "^", "\x00", "🙂", "%", "?"]


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


async def test_a_decision_comes_back_as_it_was_and_only_once(database: Database):
    store = JournalStore(database)
    assert await store.put(KEPT) == Stored(added=3)
    assert await store.put(KEPT) == Stored(same=3)
    assert await store.put([decision("ferry", "use two ferries")]) == Stored(changed=1)
    assert (await store.get("ferry", whole("default"))).decision == "use two ferries"
    with pytest.raises(NotFound):
        await store.get("ferry", whole("other"))


async def test_words_find_without_an_encoder_and_nothing_is_an_answer(database: Database):
    search = searching(database)
    await search.store.put(KEPT)
    assert await ids(search, "why did we decide on the ferry?") == ["ferry"]
    assert await ids(search, "who hired the diver?") == []
    assert await ids(search, "why?") == []
    for whose in ("did Ann Lee decide?", "what has ann decided on the ferry", "Ann's decisions"):
        assert await ids(search, whose) == ["ferry"]
    assert await ids(search, "what did Bo decide?") == []
    assert await ids(search, "why aren’t we using the ferry? why don't we?") == ["ferry"]


async def test_the_words_of_a_changed_decision_are_its_new_ones(database: Database):
    search = searching(database)
    await search.store.put(KEPT)
    await search.store.put([decision("soup", "serve bread")])
    assert await ids(search, "tomato") == []
    assert await ids(search, "serve bread") == ["soup"]


async def test_meaning_finds_what_no_word_does(database: Database):
    search = searching(database, Topics())
    await search.store.put(KEPT)
    (found, *_others) = await search.search("what about the crossing?", whole("default"), now=NOW)
    assert (found.decision.id, found.lexical) == ("bridge", 0.0)
    assert found.similarity > 0.9


async def test_a_word_that_means_something_else_is_no_answer(database: Database):
    search = searching(database, Topics())
    await search.store.put(KEPT)
    assert await ids(search, "tomato boat") == ["ferry"]


async def test_the_nearly_near_stays_beside_what_is_asked_for_and_alone_is_no_answer(
    database: Database,
):
    search = JournalSearch(JournalStore(database, Topics()), floor=0.8)
    await search.store.put([decision("both", "use the ferry, then the bridge"), KEPT[2]])
    assert await ids(search, "the boat") == []
    await search.store.put([KEPT[0]])
    assert await ids(search, "the boat") == ["ferry", "both"]


async def test_a_broken_encoder_leaves_the_words(database: Database):
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
async def test_filters_in_the_question_narrow_it(database: Database, question, expected):
    search = searching(database, Topics())
    await search.store.put(KEPT)
    assert await ids(search, question) == expected


@pytest.mark.parametrize("first_look", [10, 400])
async def test_filters_apply_before_the_limit(
    database: Database, first_look: int, monkeypatch: pytest.MonkeyPatch
):
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


async def test_another_tenant_finds_nothing_whatever_it_asks(database: Database):
    search = searching(database, Topics())
    await search.store.put([*KEPT, decision("theirs", "use the ferry", tenant_id="other")])
    about = "decisions about a Ferry"  # a name in no record of theirs
    for question in ("ferry", "boat", "@ann", "superseded decisions", about, *HOSTILE):
        assert set(await ids(search, question, "other")) <= {"theirs"}
        assert await ids(search, question, "third") == []


@pytest.mark.parametrize("question", HOSTILE)
async def test_no_text_is_syntax(database: Database, question: str):
    search = searching(database)
    await search.store.put(KEPT)
    assert "ferry" in await ids(search, f"{question} cheap ferry {question}")
    await ids(search, f"decisions about {question}Ferry{question}")
    named = DecisionFilters(technologies=(question,))
    found = await search.search("ferry", whole("default"), now=NOW, filters=named)
    assert [one.decision.id for one in found] == []


async def test_a_hit_says_where_its_words_stand(database: Database):
    search = searching(database)
    await search.store.put(KEPT)
    (found,) = await search.search("cheap ferry", whole("default"), now=NOW)
    assert "‹ferry›" in found.snippet


async def test_an_index_that_lost_a_row_is_noticed_and_mended(database: Database):
    store = JournalStore(database)
    await store.put(KEPT)
    lose = "DELETE FROM journal_text WHERE rowid = 1"
    await database.write(lambda connection: connection.exec_driver_sql(lose))
    assert not (await store.drift()).text_is_whole
    assert (await store.reindex()).text_is_whole


async def test_what_came_while_the_encoder_was_out_of_order_is_embedded_when_it_answers(
    database: Database,
):
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
):
    store = JournalStore(database, Topics())
    search = JournalSearch(store, 0.5)
    await store.put([made("one", "take the ferry"), made("two", "build the bridge")])
    assert await ids(search, "boat") == ["one"]
    await store.put([made("one", "cook a soup"), made("three", "hire a ferry")])
    assert await ids(search, "boat") == ["three"]
    assert await ids(search, "meal") == ["one"]
    assert await ids(search, "crossing") == ["two"]


def made(name: str, decision: str) -> Decision:
    return Decision(id=name, session_id="s", title=decision, decision=decision, confidence=1.0)


# A search is narrowed by what another decision tells, and looks at no more rows than it must.


async def test_a_time_may_be_told_by_another_decision(database: Database):
    search = JournalSearch(JournalStore(database), 0.4)
    days = {"use Redis": 1, "the great migration": 5, "use Redis cluster": 9}
    made = [
        Decision(
            id=title,
            session_id="s",
            title=title,
            decision=title,
            confidence=1.0,
            timestamp=datetime(2026, 3, day, tzinfo=UTC),
        )
        for title, day in days.items()
    ]
    await search.store.put(made)

    async def found(question: str) -> set[str]:
        hits = await search.search(question, whole("default"), now=NOW)
        return {one.decision.title for one in hits}

    assert await found("why Redis before the migration?") == {"use Redis"}
    assert await found("why Redis after our migration?") == {"use Redis cluster"}
    assert await found("why Redis before the flood?") == set()  # nobody knows when that was
    assert await search.search("why Redis before the migration?", whole("other"), now=NOW) == []


# Looking up by words ranks little, and rows that are named are found by their number.


async def test_the_commonest_words_of_a_question_are_left_out_of_the_ranking(
    database: Database, monkeypatch: pytest.MonkeyPatch
):
    store = JournalStore(database)
    await store.put([_made(f"d{n}", f"pier number {n} gets planks") for n in range(20)])
    monkeypatch.setattr(rarest, "MOST_RANKED", 5)
    kept = await database.read(
        lambda one: rarest.rarest_terms(one, ("pier", "planks", "number", "7", "3"))
    )
    assert kept == ("7", "3")


async def test_few_rows_of_many_are_not_looked_for_along_the_tenants_index(database: Database):
    def plan(connection: Connection) -> str:
        where = legs.scope_condition(whole("default"), DecisionFilters(since=NOW))
        query = select(journal_entry.c.entry_id).where(journal_entry.c.entry_id.in_([1, 2]), where)
        written = query.compile(
            connection.engine, compile_kwargs={"literal_binds": True, "render_postcompile": True}
        )
        rows = connection.exec_driver_sql(f"EXPLAIN QUERY PLAN {written}").all()
        return " ".join(str(row[-1]) for row in rows)

    assert "INTEGER PRIMARY KEY" in await database.read(plan)


def _made(name: str, decision: str) -> Decision:
    return Decision(id=name, session_id="s", title=decision, decision=decision, confidence=1.0)


# Times, people and statuses in a question narrow the search; everything else is asked.

WEDNESDAY = datetime(2026, 8, 12, 15, 30, tzinfo=UTC)  # a Wednesday


def day(written: str) -> datetime:
    return datetime.fromisoformat(written).replace(tzinfo=UTC)


@pytest.mark.parametrize(
    ("said", "since", "until"),
    [
        ("databases in Q2 2024", "2024-04-01", "2024-07-01"),
        ("decided in March 2024", "2024-03-01", "2024-04-01"),
        ("what did we decide during 2023?", "2023-01-01", "2024-01-01"),
        ("since 2023", "2023-01-01", None),
        ("after 2023", "2024-01-01", None),
        ("before June 2022", None, "2022-06-01"),
        ("on 2024-02-29", "2024-02-29", "2024-03-01"),
        ("last spring", "2026-03-01", "2026-06-01"),
        ("last autumn", "2025-09-01", "2025-12-01"),
        ("in spring 2021", "2021-03-01", "2021-06-01"),
        ("last week", "2026-08-03", "2026-08-10"),
        ("this month", "2026-08-01", "2026-09-01"),
        ("last quarter", "2026-04-01", "2026-07-01"),
        ("yesterday", "2026-08-11", "2026-08-12"),
        ("decisions since Monday", "2026-08-10", None),
        ("until 31 March", None, "2026-04-01"),
        ("what did we choose on Friday?", "2026-08-07", "2026-08-08"),
        ("from Monday to Tuesday", "2026-08-10", "2026-08-12"),
        ("three days ago", "2026-08-09", "2026-08-10"),
        ("in May", "2026-05-01", "2026-06-01"),
        ("before last Christmas", None, "2025-12-25"),
    ],
)
def test_a_time_is_a_span(said: str, since: str | None, until: str | None):
    filters = read_question(said, WEDNESDAY).filters
    assert filters.since == (day(since) if since else None)
    assert filters.until == (day(until) if until else None)


def test_a_winter_goes_on_in_january():
    january = datetime(2026, 1, 15, tzinfo=UTC)
    begins = [read_question(f"{which} winter", january).filters.since for which in ("this", "last")]
    assert begins == [day("2025-12-01"), day("2024-12-01")]
    assert read_question("last winter", WEDNESDAY).filters.since == day("2025-12-01")


@pytest.mark.parametrize(
    "said", ["ES2020 modules", "port 2024", "in 2024-02-31", "on 9999-12-31", "section Q2"]
)
def test_what_only_looks_like_a_time_is_none(said: str):
    read = read_question(said, WEDNESDAY)
    assert (read.filters, read.text) == (DecisionFilters(), said)


def test_the_last_days_go_back_from_now():
    read = read_question("caching in the last 30 days", WEDNESDAY)
    assert read.filters.since == WEDNESDAY - timedelta(days=30)
    assert read.text == "caching"


def test_people_have_an_at_sign():
    read = read_question("why REST? @alice @bob.", WEDNESDAY)
    assert (read.filters.people, read.text) == (("alice", "bob"), "why REST?")
    assert read_question("mail bo@example.org", WEDNESDAY).filters.people == ()


@pytest.mark.parametrize(
    ("said", "status"),
    [
        ("superseded decisions about hosting", DecisionStatus.SUPERSEDED),
        ("current decisions", DecisionStatus.ACTIVE),
        ("hosting status:rejected", DecisionStatus.REJECTED),
        ("which record superseded Heroku", None),
        ("status:odd", None),
    ],
)
def test_a_status_is_one_only_beside_what_it_is_of(said: str, status: DecisionStatus | None):
    assert read_question(said, WEDNESDAY).filters.status is status


def test_what_the_caller_gives_stands_before_the_words():
    given_filters = DecisionFilters(people=("carol",))
    assert read_question("@alice", WEDNESDAY, given_filters).filters.people == ("carol",)


def test_times_that_contradict_each_other_are_refused():
    since = DecisionFilters(since=datetime(2022, 1, 1, tzinfo=UTC))
    with pytest.raises(BadInput, match=r"2022-01-01.*2020-01-01"):
        read_question("use b before 2020", WEDNESDAY, since)


@given(st.text(max_size=200))
def test_any_text_can_be_asked(said: str):
    read_question(said, WEDNESDAY)


# What decisions are asked for by narrows the search where the records write it as a name.


def made_with(name: str, text: str, **more: str) -> Decision:
    given = {"id": name, "session_id": "s", "title": text, "decision": text, "confidence": 1.0}
    return Decision.model_validate(given | more)


TOOLS = (
    made_with(
        "pg", "Use PostgreSQL for bookings", context="It replaced a mess. We like PostgreSQL."
    ),
    made_with("both", "keep Postgres and add Redis", rationale="caching is for the berths"),
    made_with("go", "write the gateway in Go", rationale="Go is what the team knows"),
    made_with("lazy", "go on with the lazy caching", rationale="we go with what is there"),
    made_with("wind", "use tailwind for the styles"),
    made_with("pages", "write the pages in JavaScript"),
    made_with("build", "build the JavaScript with Java on Red Hat"),
    made_with("theirs", "use Kafka, as Kafka scales", tenant_id="other"),
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
):
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
):
    database = Database(f"sqlite:///{data_dir / 'prefrontal.sqlite'}")
    await JournalStore(database).put(TOOLS)
    asked = read_question(question, datetime(2026, 8, 12, tzinfo=UTC))
    found = await database.read(
        lambda connection: ground_question(connection, asked, whole(tenant_id))
    )
    await database.close()
    assert found.filters.technologies == names
