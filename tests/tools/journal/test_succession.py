"""One decision replaces another, and records form chains."""

import asyncio
import signal
import subprocess
import sys
from collections.abc import AsyncIterator
from datetime import UTC, datetime
from itertools import combinations, pairwise
from pathlib import Path

import pytest
from sqlalchemy import update

from state.errors import BadInput, Conflict, Forbidden, NotFound
from state.journal import Decision, DecisionStatus, JournalMessage, Span
from state.principal import Principal
from state.reader import whole
from tests.stages import NOW
from tests.tools.journal.importing import Hashed
from tools.journal.detection.detector import Detector
from tools.journal.journal import Journal
from tools.journal.records.reader import read_record
from tools.journal.records.references import resolve_references
from tools.journal.search.search import JournalSearch
from tools.journal.store.entry_rows import (
    messages_by_place,
    read_cited_messages,
    store_cited_messages,
)
from tools.journal.store.retention import ARCHIVE, archive_old_entries, empty_archived
from tools.journal.store.store import JournalStore
from tools.journal.supersession.chain import MOST_TOLD, chain_of
from tools.journal.supersession.rules import judge_replacement
from tools.platform.clock import DAY_SECONDS
from tools.storage.database import Database
from tools.storage.retention import prune_links
from tools.storage.tables.journal import journal_link

# One decision replaces another: by a person's word or by rules, and never in a circle.

ANN = Principal(user="ann", tenant_id="default")
ROBOT = Principal(user="bot", tenant_id="default", kind="service")
STRANGER = Principal(user="eve", tenant_id="other")


class _Standing:
    def now(self) -> datetime:
        return NOW


@pytest.fixture
async def journal(data_dir: Path) -> AsyncIterator[Journal]:
    database = Database(f"sqlite:///{data_dir / 'prefrontal.sqlite'}")
    yield Journal(JournalSearch(JournalStore(database), 0.4), Detector(0.7), _Standing())
    await database.close()


async def decide(journal: Journal, *contents: str) -> list[str]:
    said = [
        JournalMessage(message_id=f"{content[:30]}", speaker="ann", content=content)
        for content in contents
    ]
    taken = await journal.take(said, [], "default")
    return [str(one.decision_id) for one in taken.messages]


async def statuses(journal: Journal, *ids: str) -> list[str]:
    return [(await journal.store.get(one, whole("default"))).status.value for one in ids]


async def test_a_person_says_that_one_replaces_another_and_takes_it_back(journal: Journal):
    old, new = await decide(journal, "We decided to sail at dawn.", "We decided to wait for wind.")
    link = await journal.link(new, old, ANN, reason="no wind")
    chain = await journal.chain(old, whole("default"))
    assert (chain.original.id, chain.current.id) == (old, new)
    assert (chain.original.status, chain.original.superseded_by) == ("superseded", new)
    assert (chain.current.supersedes, link.made_by) == (old, "ann")
    await journal.settle(link.link_id, ANN, accept=False)
    assert await statuses(journal, old, new) == ["active", "active"]
    assert (await journal.store.get(new, whole("default"))).supersedes is None
    alone = await journal.chain(old, whole("default"))  # but it still tells that somebody said so
    assert (alone.revisions, [one.standing for one in alone.links]) == ((), ["refused"])


async def test_without_any_of_its_links_a_decision_stands_as_it_did(journal: Journal):
    old, one, two = await decide(
        journal,
        "We decided to sail at dawn.",
        "We decided to row upstream.",
        "We decided to walk home.",
    )
    links = [await journal.link(new, old, ANN, reason="") for new in (one, two)]
    await journal.link(one, old, ANN, reason="", scope="partial")
    assert await statuses(journal, old) == ["superseded"]  # by the other
    await journal.settle(links[1].link_id, ANN, accept=False)
    revisited = await journal.store.get(old, whole("default"))
    assert (revisited.status, revisited.superseded_by) == (DecisionStatus.REVISITED, None)
    await journal.settle(links[0].link_id, ANN, accept=False)
    assert await statuses(journal, old, one, two) == ["active"] * 3


async def test_a_revision_in_part_leaves_the_older_one_revisited(journal: Journal):
    old, new = await decide(
        journal,
        "We decided to use Postgres for all data.",
        "We agreed to keep Postgres and add Redis.",
    )
    [link] = await journal.succession.list(whole("default"))
    assert (link.newer, link.older, link.scope, link.standing) == (new, old, "partial", "accepted")
    chain = await journal.chain(new, whole("default"))
    assert (chain.original.status, chain.current.id) == (DecisionStatus.REVISITED, new)


async def test_what_a_decision_says_of_an_older_choice_supersedes_it(journal: Journal):
    old, other = await decide(
        journal, "We decided to use Redis for the cache.", "We decided to paint the door red."
    )
    (new,) = await decide(journal, "We decided to replace Redis with Valkey.")
    assert await statuses(journal, old, other, new) == ["superseded", "active", "active"]
    [link] = await journal.succession.list(whole("default"))
    assert (link.source, link.made_by, "Redis" in link.reason) == ("rules", None, True)


async def test_reading_it_again_changes_nothing_and_asks_nothing_twice(journal: Journal):
    said = ("We decided to use Redis for the cache.", "We decided to replace Redis with Valkey.")
    old, _new = await decide(journal, *said)
    [link] = await journal.succession.list(whole("default"))
    await journal.settle(link.link_id, ANN, accept=False)
    await decide(journal, *said)
    assert [one.standing for one in await journal.succession.list(whole("default"))] == ["refused"]
    assert await statuses(journal, old) == ["active"]
    await journal.settle(link.link_id, ANN, accept=True)
    before = await journal.store.all(whole("default"))
    await decide(journal, *said)
    assert await journal.store.all(whole("default")) == before


async def test_a_chain_goes_one_way(journal: Journal):
    one, two, three = await decide(
        journal,
        "We decided to sail at dawn.",
        "We decided to row upstream.",
        "We decided to walk home.",
    )
    await journal.link(two, one, ANN, reason="")
    await journal.link(three, two, ANN, reason="")
    with pytest.raises(Conflict):
        await journal.link(one, three, ANN, reason="")
    assert [x.id for x in (await journal.chain(one, whole("default"))).revisions] == [two, three]


@pytest.mark.parametrize("status", [DecisionStatus.PROPOSED, DecisionStatus.UNKNOWN])
async def test_what_is_not_in_force_replaces_nothing(journal: Journal, status: DecisionStatus):
    old, new = await decide(journal, "We decided to sail at dawn.", "We decided to walk home.")
    proposed = (await journal.store.get(new, whole("default"))).model_copy(
        update={"status": status}
    )
    await journal.store.put([proposed])
    with pytest.raises(Conflict):
        await journal.link(new, old, ANN, reason="")
    assert await statuses(journal, old) == ["active"]


async def test_only_a_person_of_the_tenant_may_say_it(journal: Journal):
    old, new = await decide(journal, "We decided to sail at dawn.", "We decided to walk home.")
    for who, error in ((ROBOT, Forbidden), (STRANGER, NotFound)):
        with pytest.raises(error):
            await journal.link(new, old, who, reason="")
    with pytest.raises(BadInput):
        await journal.link(new, new, ANN, reason="")
    link = await journal.link(new, old, ANN, reason="")
    for who, error in ((ROBOT, Forbidden), (STRANGER, NotFound)):
        with pytest.raises(error):
            await journal.settle(link.link_id, who, accept=False)


async def test_one_may_replace_several_and_be_replaced_by_several(journal: Journal):
    one, two, three = await decide(
        journal,
        "We decided to sail at dawn.",
        "We decided to row upstream.",
        "We decided to walk home.",
    )
    await journal.link(three, one, ANN, reason="")
    await journal.link(three, two, ANN, reason="")
    chain = await journal.chain(two, whole("default"))
    assert {chain.original.id, *(each.id for each in chain.revisions)} == {one, two, three}
    assert chain.current.id == three
    assert await statuses(journal, one, two) == ["superseded", "superseded"]


async def test_a_link_that_a_kill_cut_off_is_made_at_the_next_start(data_dir: Path):
    command = [sys.executable, "-m", "tests.tools.journal.importing", str(data_dir), "--die"]
    assert (await asyncio.to_thread(subprocess.run, command)).returncode == -signal.SIGKILL
    database = Database(f"sqlite:///{data_dir / 'prefrontal.sqlite'}")
    journal = Journal(
        JournalSearch(JournalStore(database, Hashed()), 0.4), Detector(0.7), _Standing()
    )
    assert await journal.succession.list(whole("default")) == []
    await journal.catch_up()
    [link] = await journal.succession.list(whole("default"))
    assert (link.standing, link.source) == ("accepted", "rules")
    assert await journal.store.not_compared() == []
    await database.close()


async def test_links_that_hold_are_listed_page_by_page(journal: Journal):
    ids = await decide(journal, *(f"We decided to paint gate {n}." for n in ("one", "two", "six")))
    for newer, older in pairwise(reversed(ids)):
        await journal.link(newer, older, ANN, reason="")
    start = datetime.fromtimestamp(0, UTC)
    first = await journal.succession.holding(start, limit=1)
    second = await journal.succession.holding(start, after=first[0][1].link_id, limit=1)
    assert [link.newer for _tenant, link in (*first, *second)] == [ids[2], ids[1]]
    assert await journal.succession.holding(start, after=second[0][1].link_id) == []


async def test_links_that_never_held_go_once_an_end_is_over(journal: Journal):
    old, new = await decide(journal, "We decided to sail at dawn.", "We decided to wait for wind.")
    await journal.settle((await journal.link(new, old, ANN, reason="")).link_id, ANN, accept=False)
    database = journal.store.database
    await _aged(database)
    assert await prune_links(database, 30) == 0
    [third] = await decide(journal, "We decided to row.")
    await journal.link(third, old, ANN, reason="")
    assert await prune_links(database, 30, is_trial=True) == 1
    assert await prune_links(database, 30) == 1
    assert [one.newer for one in await journal.succession.list(whole("default"))] == [third]


async def _aged(database: Database) -> None:
    aged = update(journal_link).values(made_at=journal_link.c.made_at - 31 * 86_400)
    await database.write(lambda connection: connection.execute(aged).rowcount)


# Records that name each other are linked, and a chain is the same from any of its members.

ALL = whole("default")


@pytest.fixture
async def store(data_dir: Path) -> AsyncIterator[JournalStore]:
    database = Database(f"sqlite:///{data_dir / 'prefrontal.sqlite'}")
    yield JournalStore(database)
    await database.close()


def record(path: str, status: str, day: str = "2024-01-01", title: str = "") -> Decision:
    name = title or path.removesuffix(".md").rpartition("/")[2]
    return read_record(f"# {name}\n\nDate: {day}\n\n## Status\n\n{status}\n", path)


def made(
    name: str, year: int, *, superseded_by: str | None = None, supersedes: str | None = None
) -> Decision:
    return Decision(
        id=name,
        session_id="s",
        title=name,
        decision=name,
        confidence=1.0,
        timestamp=datetime(year, 1, 1, tzinfo=UTC),
        superseded_by=superseded_by,
        supersedes=supersedes,
    )


@pytest.mark.parametrize(
    "reference",
    [
        "Superseded by [2. Bridges](0002-bridges.md)",
        "Superceded by [ADR 2](https://example.org/adr/0002-bridges.md)",
        "Superseded by ADR-0002",
        "Superseded by 2. Build bridges",
        "Superseded by: Build bridges",
    ],
)
def test_a_record_is_named_by_file_number_or_title(reference: str):
    old = record("adr/0001-ferries.md", reference)
    new = record("adr/0002-bridges.md", "Accepted", title="2. Build bridges")
    before, after = resolve_references([old, new])
    assert (before.superseded_by, after.supersedes) == (new.id, old.id)


def test_of_two_files_the_one_that_is_named_first_is_meant():
    named = "Superseded by [3](0003-c.md) and [2](0002-b.md)"
    old, *news = [
        record(f"000{n}-{'abc'[n - 1]}.md", named if n == 1 else "Accepted") for n in (1, 2, 3)
    ]
    assert resolve_references([old, *news])[0].superseded_by == news[1].id


def test_a_reference_that_leads_nowhere_stays_as_it_was_written():
    (only,) = resolve_references([record("0001-ferries.md", "Superseded by ADR-0009")])
    assert only.superseded_by == "ADR-0009"


def test_numbers_count_within_a_folder():
    old = record("a/0001-ferries.md", "Superseded by ADR-0002")
    before, _other = resolve_references([old, record("b/0002-soup.md", "Accepted")])
    assert before.superseded_by == "ADR-0002"


def test_reading_any_of_them_again_changes_no_link():
    read = [
        record("0001-b.md", "Accepted"),
        record("0002-c.md", "Superseded by 4"),
        record("0003-d.md", "Superseded by 4"),
        record("0004-n.md", "Supersedes 1"),
        record("0005-z.md", "Supersedes 9"),
    ]
    kept = resolve_references(read)
    assert kept[3].supersedes == kept[0].id
    for size in range(1, len(read) + 1):
        for some in combinations(read, size):
            ids = {one.id for one in some}
            assert resolve_references(some, kept) == [one for one in kept if one.id in ids]


def test_a_link_that_is_kept_stands_before_one_that_others_come_to_claim():
    first, later = (record(name, "Superseded by 3") for name in ("0002-a.md", "0001-b.md"))
    new = record("0003-n.md", "Accepted")
    kept = resolve_references([first, new])
    (joined,) = resolve_references([later], kept)
    (again,) = resolve_references([new], [*kept, joined])
    assert again.supersedes == first.id


def test_what_was_named_before_it_was_read_is_linked_when_it_is():
    (old,) = resolve_references([record("0001-ferries.md", "Superseded by ADR-0002")])
    new, changed = resolve_references([record("0002-bridges.md", "Accepted")], [old])
    assert (changed.superseded_by, new.supersedes) == (new.id, old.id)


@pytest.mark.parametrize(
    ("newer", "older", "stands", "is_named"),
    [
        ("Accepted\n\nSupersedes ADR-1", "Accepted", "superseded", True),
        ("Accepted\n\nReplaces [1](0001-ferries.md)", "In force", "superseded", True),
        ("Superseded by 3\n\nSupersedes 1", "Accepted", "superseded", True),
        ("Accepted\n\nSupersedes 4 and more\n\nSupersedes 1", "Accepted", "superseded", True),
        ("Angenommen\n\nErsetzt [1](0001-ferries.md)", "Angenommen", "superseded", True),
        ("Accepted", "Accepted\n\nReplaced by [2](0002-bridges.md)", "superseded", True),
        ("Accepted\n\nPartially supersedes ADR-1", "Accepted", "revisited", False),
        ("Proposed\n\nSupersedes ADR-1", "Accepted", "active", False),
        ("Declined\n\nSupersedes ADR-1", "Accepted", "active", False),
        ("frobbed\n\nSupersedes ADR-1", "Accepted", "active", False),
        ("Accepted\n\nSupersedes ADR-1", "Rejected", "rejected", True),
    ],
)
def test_a_successor_decides_whatever_the_status_line_says(
    newer: str, older: str, stands: str, *, is_named: bool
):
    old, new = record("a/0001-ferries.md", older), record("a/0002-bridges.md", newer)
    before, after = resolve_references([old, new])
    assert before.status == stands
    assert (before.superseded_by == new.id) is is_named
    assert resolve_references([old], [before, after]) == [
        before
    ]  # read again it stands as it stood
    assert resolve_references([new], [before, after]) == [after]


async def test_a_chain_is_the_same_from_any_member(store: JournalStore):
    await store.put(
        [
            made("first", 2020, superseded_by="second"),
            made("second", 2021, superseded_by="third", supersedes="first"),
            made("third", 2022, supersedes="second"),
            made("apart", 2023),
        ]
    )
    chains = [await chain_of(store, name, ALL) for name in ("first", "second", "third")]
    assert chains[0] == chains[1] == chains[2]
    assert chains[0].original.id == "first"
    assert [one.id for one in chains[0].revisions] == ["second", "third"]
    assert chains[0].current.id == "third"
    alone = await chain_of(store, "apart", ALL)
    assert (alone.original, alone.revisions, alone.current) == (alone.current, (), alone.original)


async def test_one_that_replaces_two_is_reached_from_both(store: JournalStore):
    await store.put(
        [
            made("a", 2020, superseded_by="new"),
            made("b", 2021, superseded_by="new"),
            made("new", 2022, supersedes="a"),
        ]
    )
    assert {one.id for one in (await chain_of(store, "a", ALL)).revisions} == {"b", "new"}


async def test_a_circle_ends(store: JournalStore):
    await store.put([made("a", 2020, superseded_by="b"), made("b", 2021, superseded_by="a")])
    assert (await chain_of(store, "a", ALL)).current.id == "b"


async def test_a_long_chain_ends_where_it_really_ends(store: JournalStore):
    names = [f"d{number:04}" for number in range(MOST_TOLD + 60)]
    ends = [None, *names, None]
    await store.put(
        [
            made(name, 1990, supersedes=ends[at], superseded_by=ends[at + 2])
            for at, name in enumerate(names)
        ]
    )
    chain = await chain_of(store, "d0020", ALL)
    assert (chain.original.id, chain.current.id, chain.left_out) == (names[0], names[-1], 60)
    assert len(chain.revisions) == MOST_TOLD - 1
    assert [one.id for one in chain.revisions[:2]] == ["d0020", names[-MOST_TOLD + 2]]


async def test_another_tenant_has_no_such_chain(store: JournalStore):
    await store.put([made("a", 2020)])
    with pytest.raises(NotFound):
        await chain_of(store, "a", whole("other"))


async def test_of_decisions_of_one_moment_the_first_kept_comes_first(store: JournalStore):
    await store.put([made("z", 2024, superseded_by="m"), made("a", 2024, superseded_by="m")])
    await store.put([made("m", 2024)])
    chain = await chain_of(store, "a", ALL)
    assert [chain.original.id, *(one.id for one in chain.revisions)] == ["z", "a", "m"]


async def test_of_a_chain_the_last_in_force_is_current(store: JournalStore):
    read = [
        record("a/0001-ferries.md", "Accepted", "2021-01-01"),
        record("a/0002-bridges.md", "frobbed\n\nSupersedes ADR-1", "2022-01-01"),
    ]
    old, new = resolve_references(read)
    await store.put([old, new])
    for member in (old, new):
        chain = await chain_of(store, member.id, ALL)
        assert (chain.current.id, [one.id for one in chain.revisions]) == (old.id, [new.id])


# What the words of a decision say of an earlier one's choice; likeness alone replaces nothing.


def titled(title: str) -> Decision:
    return Decision(id=title, session_id="s", title=title, decision=title, confidence=1.0)


@pytest.mark.parametrize(
    ("newer", "older", "scope"),
    [
        ("replace Redis with Valkey", "use Redis for the cache", "full"),
        ("switch from Redis to Valkey", "use Redis for the cache", "full"),
        ("use Fastmail for newsletters", "use Mailgun for newsletters", "full"),
        ("keep Postgres and add Redis for caching", "use Postgres for all data", "partial"),
    ],
)
def test_what_takes_the_place_of_a_choice_or_keeps_it_is_sure(newer: str, older: str, scope: str):
    how = judge_replacement(titled(newer), titled(older), 0.5)
    assert how is not None
    assert (how.is_sure, how.scope) == (True, scope)


@pytest.mark.parametrize(
    ("newer", "older"),
    [
        ("move away from Datadog", "use Datadog for monitoring"),
        ("reconsider the ferry", "take the ferry to the fair"),
        ("use primary.html instead of index.html", "go with index.html"),
        ("drop the fax number", "keep the fax number on the letterhead"),
        ("stop using Jenkins", "use Jenkins to build"),
        ("no longer use the north gate", "use the north gate for deliveries"),
        ("scrap the loyalty cards", "keep the loyalty cards"),
        ("get rid of the kiln", "rent the kiln"),
        ("Remove Bullet gem", "use-bullet-to-catch-queries"),
        ("disable Auth0's sign-up page", "use Auth0 for authentication"),
    ],
)
def test_words_against_a_choice_only_propose(newer: str, older: str):
    how = judge_replacement(titled(newer), titled(older), 0.5)
    assert how is not None
    assert not how.is_sure
    assert "says of the other's choice" in how.reason


@pytest.mark.parametrize(
    ("newer", "older"),
    [
        ("use Redis for sessions", "use Postgres for invoices"),
        ("replace the boiler with a heat pump", "use Redis for the cache"),
        ("use Go for the server", "use Go for the scripts"),
        ("drop the north gate", "paint the south gate green"),
        ("use Django to manage authentication", "use Auth0 to manage logs"),
    ],
)
def test_other_matters_are_left_alone(newer: str, older: str):
    assert judge_replacement(titled(newer), titled(older), 0.5) is None


def test_what_is_only_alike_is_for_a_person_to_say():
    how = judge_replacement(
        titled("Postgres 18 in the cloud"), titled("Postgres 16 in the cloud"), 0.96
    )
    assert how is not None
    assert not how.is_sure


@pytest.mark.parametrize(
    ("newer", "older"),
    [("close issue 70", "close issue 69"), ("merge #85", "merge #84"), ("Wait  here", "wait here")],
)
def test_likeness_proposes_nothing_between_two_issues_or_the_same_words(newer: str, older: str):
    assert judge_replacement(titled(newer), titled(older), 0.99) is None


def test_likeness_proposes_what_names_the_same_issue():
    found = judge_replacement(titled("reopen issue 70 in May"), titled("close issue 70"), 0.99)
    assert found is not None
    assert not found.is_sure


# Old decisions that are not in force lose their words to an archive; chains stay whole.

LONG_AGO = datetime(2020, 1, 1, tzinfo=UTC)


def with_status(name: str, status: DecisionStatus, **fields: object) -> Decision:
    return Decision.model_validate(
        {
            "id": name,
            "session_id": "s",
            "title": f"use {name}",
            "decision": f"use {name} for everything",
            "rationale": f"{name} is cheap",
            "confidence": 1.0,
            "status": status,
            "timestamp": LONG_AGO,
            **fields,
        }
    )


async def test_what_is_over_is_archived_first_and_what_is_in_force_stays(tmp_path: Path):
    database = Database(f"sqlite:///{tmp_path / 'prefrontal.sqlite'}")
    now = [LONG_AGO.timestamp()]
    store = JournalStore(database, seconds=lambda: now[0])
    said = JournalMessage(message_id="m", session_id="s", content="oak, for oak is cheap")
    cites = {
        "rationale": (Span(message_id="m", start=9, end=21), Span(message_id="x", end=1, start=0))
    }
    old = with_status(
        "oak",
        DecisionStatus.SUPERSEDED,
        superseded_by="steel",
        stakeholders=("ann",),
        evidence=cites,
    )
    new = with_status("steel", DecisionStatus.ACTIVE, supersedes="oak")
    await store.put([old, new])
    talk = messages_by_place([said.model_copy(update={"message_id": "other"}), said])
    for _again in range(2):
        await database.write(lambda one: store_cited_messages(one, [old, new], talk))
    assert await database.read(lambda one: read_cited_messages(one, old)) == [said]
    assert await archive_old_entries(store, 730, tmp_path / "archive") == 0
    now[0] += 731 * DAY_SECONDS
    assert await archive_old_entries(store, 0, tmp_path / "archive") == 0
    assert await archive_old_entries(store, 730, tmp_path / "archive", is_trial=True) == 1
    assert not (tmp_path / "archive").exists()
    assert await archive_old_entries(store, 730, tmp_path / "archive") == 1
    assert await archive_old_entries(store, 730, tmp_path / "archive") == 0
    [line] = (tmp_path / "archive" / ARCHIVE).read_text("utf-8").splitlines()
    assert Decision.model_validate_json(line) == old
    kept = await store.get("oak", whole("default"))
    assert (kept.title, kept.rationale, kept.stakeholders) == ("use oak", "", ())
    assert await database.read(lambda one: read_cited_messages(one, old)) == []
    assert await store.get("steel", whole("default")) == new
    chain = await chain_of(store, "oak", whole("default"))
    assert (chain.original.id, chain.current.id) == ("oak", "steel")
    assert (await store.drift()).text_is_whole
    await database.close()


async def test_what_changed_after_it_was_archived_keeps_its_words(tmp_path: Path):
    database = Database(f"sqlite:///{tmp_path / 'prefrontal.sqlite'}")
    store = JournalStore(database)
    archived = with_status("oak", DecisionStatus.SUPERSEDED)
    await store.put([archived.model_copy(update={"rationale": "it is at hand after all"})])
    stays = await database.write(lambda one: empty_archived(one, old=[archived]))
    assert stays == 1
    assert (await store.get("oak", whole("default"))).rationale == "it is at hand after all"
    await database.close()


async def test_a_date_in_the_future_is_noticed_and_mended(tmp_path: Path):
    database = Database(f"sqlite:///{tmp_path / 'prefrontal.sqlite'}")
    store = JournalStore(database, seconds=LONG_AGO.timestamp)
    late = {"timestamp": datetime(9999, 12, 31, tzinfo=UTC)}
    heard = with_status("oak", DecisionStatus.ACTIVE, heard_in="d-1", **late)
    brought = with_status("steel", DecisionStatus.ACTIVE, imported_by="eve", **late)
    await store.put([heard, brought, with_status("today", DecisionStatus.ACTIVE)])
    assert (await store.drift()).dated_ahead == 2
    mended = await store.reindex()
    assert (mended.dated_ahead, mended.dates_mended) == (0, 2)
    dates = {one.id: one.timestamp for one in await store.all(whole("default"))}
    assert dates == {"oak": LONG_AGO, "steel": None, "today": LONG_AGO}
    await database.close()
