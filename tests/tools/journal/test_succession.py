"""One decision replaces another: by a person's word or by rules, and never in a circle."""

import asyncio
import signal
import subprocess
import sys
from collections.abc import AsyncIterator
from datetime import UTC, datetime
from itertools import pairwise
from pathlib import Path

import pytest
from sqlalchemy import update

from state.errors import BadInput, Conflict, Forbidden, NotFound
from state.journal import DecisionStatus, JournalMessage
from state.principal import Principal
from state.reader import whole
from tests.stages import NOW
from tests.tools.journal.importing import Hashed
from tools.journal.detection.detector import Detector
from tools.journal.journal import Journal
from tools.journal.search.search import JournalSearch
from tools.journal.store.store import JournalStore
from tools.storage.database import Database
from tools.storage.retention import prune_links
from tools.storage.tables.journal import journal_link

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


async def test_a_person_says_that_one_replaces_another_and_takes_it_back(journal: Journal) -> None:
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


async def test_without_any_of_its_links_a_decision_stands_as_it_did(journal: Journal) -> None:
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


async def test_a_revision_in_part_leaves_the_older_one_revisited(journal: Journal) -> None:
    old, new = await decide(
        journal,
        "We decided to use Postgres for all data.",
        "We agreed to keep Postgres and add Redis.",
    )
    [link] = await journal.succession.list(whole("default"))
    assert (link.newer, link.older, link.scope, link.standing) == (new, old, "partial", "accepted")
    chain = await journal.chain(new, whole("default"))
    assert (chain.original.status, chain.current.id) == (DecisionStatus.REVISITED, new)


async def test_what_a_decision_says_of_an_older_choice_supersedes_it(journal: Journal) -> None:
    old, other = await decide(
        journal, "We decided to use Redis for the cache.", "We decided to paint the door red."
    )
    (new,) = await decide(journal, "We decided to replace Redis with Valkey.")
    assert await statuses(journal, old, other, new) == ["superseded", "active", "active"]
    [link] = await journal.succession.list(whole("default"))
    assert (link.source, link.made_by, "Redis" in link.reason) == ("rules", None, True)


async def test_reading_it_again_changes_nothing_and_asks_nothing_twice(journal: Journal) -> None:
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


async def test_a_chain_goes_one_way(journal: Journal) -> None:
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
async def test_what_is_not_in_force_replaces_nothing(
    journal: Journal, status: DecisionStatus
) -> None:
    old, new = await decide(journal, "We decided to sail at dawn.", "We decided to walk home.")
    proposed = (await journal.store.get(new, whole("default"))).model_copy(
        update={"status": status}
    )
    await journal.store.put([proposed])
    with pytest.raises(Conflict):
        await journal.link(new, old, ANN, reason="")
    assert await statuses(journal, old) == ["active"]


async def test_only_a_person_of_the_tenant_may_say_it(journal: Journal) -> None:
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


async def test_one_may_replace_several_and_be_replaced_by_several(journal: Journal) -> None:
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


async def test_a_link_that_a_kill_cut_off_is_made_at_the_next_start(data_dir: Path) -> None:
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


async def test_links_that_hold_are_listed_page_by_page(journal: Journal) -> None:
    ids = await decide(journal, *(f"We decided to paint gate {n}." for n in ("one", "two", "six")))
    for newer, older in pairwise(reversed(ids)):
        await journal.link(newer, older, ANN, reason="")
    start = datetime.fromtimestamp(0, UTC)
    first = await journal.succession.holding(start, limit=1)
    second = await journal.succession.holding(start, after=first[0][1].link_id, limit=1)
    assert [link.newer for _tenant, link in (*first, *second)] == [ids[2], ids[1]]
    assert await journal.succession.holding(start, after=second[0][1].link_id) == []


async def test_links_that_never_held_go_once_an_end_is_over(journal: Journal) -> None:
    old, new = await decide(journal, "We decided to sail at dawn.", "We decided to wait for wind.")
    link = await journal.link(new, old, ANN, reason="")
    await journal.settle(link.link_id, ANN, accept=False)
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
