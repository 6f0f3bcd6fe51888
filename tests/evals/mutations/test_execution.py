"""Nothing changes: the messages go through a whole Executive, and the store is compared."""

import sqlite3
from collections.abc import Iterator
from contextlib import closing
from datetime import UTC, datetime
from hashlib import sha256
from pathlib import Path

import pytest

from evals.robustness.mutations import RoutingBench, mutations, read_shapes, sample
from graph.replay.harness import Harness
from state.event import Event
from tests.evals.mutations.conftest import BANK
from tests.torture.counts import few_or_many
from tests.torture.tally import Tally

pytestmark = pytest.mark.xdist_group("mutated")  # one worker learns the packs, once

NOW = datetime(2026, 6, 14, 18, tzinfo=UTC)


@pytest.fixture
def tally(request: pytest.FixtureRequest) -> Iterator[Tally]:
    counted = Tally(request)
    yield counted
    counted.close()


def newest(playground: Harness) -> Path:
    return next(Path(playground._folder.name).glob("[0-9]*"))


def content(folder: Path) -> str:
    """Digest every row of every database of the packs."""
    digest = sha256()
    stores = sorted((folder / "packs").rglob("*.sqlite*"))
    stores = [path for path in stores if path.suffix not in (".sqlite-wal", ".sqlite-shm")]
    assert stores
    for path in stores:
        with closing(sqlite3.connect(path)) as store:
            digest.update("\n".join(store.iterdump()).encode())
    return digest.hexdigest()


@few_or_many(40, 6_000)
@pytest.mark.parametrize("pack", ["vessel", "bank"])
async def test_no_store_changes_by_what_nobody_asked_for(
    pack: str,
    request: pytest.FixtureRequest,
    count: int,
    tally: Tally,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("EXECUTIVE_EMBEDDER", "none")
    bench: RoutingBench = request.getfixturevalue(pack)
    shapes = [one for one in read_shapes() if one.leaves in ("nothing", "reads")]
    made = list(mutations(bench.commands(), shapes, seed=2))
    playground = Harness((str(BANK) if pack == "bank" else pack,), NOW)
    await playground.open()
    try:
        folder = newest(playground)
        actions = playground.executive.catalogue.actions
        roles = ",".join(sorted({role for one in actions.values() for role in one.roles}))
        await playground.decide(message(0, "hello", roles))
        before = content(folder)
        for number, mutation in enumerate(sample(made, count, seed=2), start=1):
            decided = await playground.decide(message(number, mutation.text, roles))
            tally.add("mutated messages decided")
            assert {one.action for one in decided.ran if actions[one.action].effect != "read"} == (
                set()
            ), mutation.text
        assert content(folder) == before
    finally:
        await playground.close()


def message(number: int, text: str, roles: str) -> Event:
    return Event(
        event_id=f"mutated-{number}",
        kind="message",
        source="test",
        text=text,
        user="marta",
        role=roles or None,
        session_id=f"session-{number}",
    )
