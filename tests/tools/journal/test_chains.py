"""Records that name each other are linked, and a chain is the same from any of its members."""

from collections.abc import AsyncIterator
from datetime import UTC, datetime
from itertools import combinations
from pathlib import Path

import pytest

from state.errors import NotFound
from state.journal import Decision
from state.reader import whole
from tools.journal.records.reader import read_record
from tools.journal.records.references import resolve_references
from tools.journal.store.store import JournalStore
from tools.journal.supersession.chain import MOST_TOLD, chain_of
from tools.storage.database import Database

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
def test_a_record_is_named_by_file_number_or_title(reference: str) -> None:
    old = record("adr/0001-ferries.md", reference)
    new = record("adr/0002-bridges.md", "Accepted", title="2. Build bridges")
    before, after = resolve_references([old, new])
    assert (before.superseded_by, after.supersedes) == (new.id, old.id)


def test_of_two_files_the_one_that_is_named_first_is_meant() -> None:
    named = "Superseded by [3](0003-c.md) and [2](0002-b.md)"
    old, *news = [
        record(f"000{n}-{'abc'[n - 1]}.md", named if n == 1 else "Accepted") for n in (1, 2, 3)
    ]
    assert resolve_references([old, *news])[0].superseded_by == news[1].id


def test_a_reference_that_leads_nowhere_stays_as_it_was_written() -> None:
    (only,) = resolve_references([record("0001-ferries.md", "Superseded by ADR-0009")])
    assert only.superseded_by == "ADR-0009"


def test_numbers_count_within_a_folder() -> None:
    old = record("a/0001-ferries.md", "Superseded by ADR-0002")
    before, _other = resolve_references([old, record("b/0002-soup.md", "Accepted")])
    assert before.superseded_by == "ADR-0002"


def test_reading_any_of_them_again_changes_no_link() -> None:
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


def test_a_link_that_is_kept_stands_before_one_that_others_come_to_claim() -> None:
    first, later = (record(name, "Superseded by 3") for name in ("0002-a.md", "0001-b.md"))
    new = record("0003-n.md", "Accepted")
    kept = resolve_references([first, new])
    (joined,) = resolve_references([later], kept)
    (again,) = resolve_references([new], [*kept, joined])
    assert again.supersedes == first.id


def test_what_was_named_before_it_was_read_is_linked_when_it_is() -> None:
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
) -> None:
    old, new = record("a/0001-ferries.md", older), record("a/0002-bridges.md", newer)
    before, after = resolve_references([old, new])
    assert before.status == stands
    assert (before.superseded_by == new.id) is is_named
    assert resolve_references([old], [before, after]) == [
        before
    ]  # read again it stands as it stood
    assert resolve_references([new], [before, after]) == [after]


async def test_a_chain_is_the_same_from_any_member(store: JournalStore) -> None:
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
    assert (alone.original, alone.revisions, alone.current) == (
        alone.current,
        (),
        alone.original,
    )


async def test_one_that_replaces_two_is_reached_from_both(store: JournalStore) -> None:
    await store.put(
        [
            made("a", 2020, superseded_by="new"),
            made("b", 2021, superseded_by="new"),
            made("new", 2022, supersedes="a"),
        ]
    )
    assert {one.id for one in (await chain_of(store, "a", ALL)).revisions} == {
        "b",
        "new",
    }


async def test_a_circle_ends(store: JournalStore) -> None:
    await store.put([made("a", 2020, superseded_by="b"), made("b", 2021, superseded_by="a")])
    assert (await chain_of(store, "a", ALL)).current.id == "b"


async def test_a_long_chain_ends_where_it_really_ends(store: JournalStore) -> None:
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


async def test_another_tenant_has_no_such_chain(store: JournalStore) -> None:
    await store.put([made("a", 2020)])
    with pytest.raises(NotFound):
        await chain_of(store, "a", whole("other"))


async def test_of_decisions_of_one_moment_the_first_kept_comes_first(store: JournalStore) -> None:
    await store.put([made("z", 2024, superseded_by="m"), made("a", 2024, superseded_by="m")])
    await store.put([made("m", 2024)])
    chain = await chain_of(store, "a", ALL)
    assert [chain.original.id, *(one.id for one in chain.revisions)] == ["z", "a", "m"]


async def test_of_a_chain_the_last_in_force_is_current(store: JournalStore) -> None:
    read = [
        record("a/0001-ferries.md", "Accepted", "2021-01-01"),
        record("a/0002-bridges.md", "frobbed\n\nSupersedes ADR-1", "2022-01-01"),
    ]
    old, new = resolve_references(read)
    await store.put([old, new])
    for member in (old, new):
        chain = await chain_of(store, member.id, ALL)
        assert (chain.current.id, [one.id for one in chain.revisions]) == (old.id, [new.id])
