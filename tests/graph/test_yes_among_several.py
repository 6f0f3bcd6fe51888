"""Of several chips a yes takes the one that the question named, and once asked again none."""

import sqlite3
from contextlib import closing

import pytest

from tests.graph.harbour import MASTER, Harbour


@pytest.fixture
async def offer_id(harbour: Harbour) -> str:
    """Have two chips offered, of which the question named the first."""
    record = await harbour.says("lock LK-12")
    assert record.offer_id is not None
    with closing(sqlite3.connect(harbour.data_dir / "prefrontal.sqlite")) as connection:
        connection.execute("UPDATE offer SET body = json_set(body, '$.yes_means', 'chip-1')")
        connection.commit()
    return record.offer_id


async def test_a_yes_takes_the_one_that_was_named(harbour: Harbour, offer_id: str) -> None:
    record = await harbour.says("yes please")

    assert (record.outcome, record.action) == ("executed", "show_lock")
    chosen = await harbour.executive.offers.get(offer_id, "default")
    assert (chosen.chosen, chosen.chosen_by) == ("chip-1", "amir")


async def test_asked_again_which_one_a_yes_takes_none(harbour: Harbour, offer_id: str) -> None:
    assert ((await harbour.says("pick one")).text or "").startswith("Which one?")

    assert ((await harbour.says("yes")).text or "").startswith("Which one?")
    assert (await harbour.executive.offers.get(offer_id, "default")).chosen is None


async def test_another_persons_yes_takes_none(harbour: Harbour, offer_id: str) -> None:
    await harbour.says("yes", MASTER)

    assert (await harbour.executive.offers.get(offer_id, "default")).chosen is None
