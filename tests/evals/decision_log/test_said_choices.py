"""A log in which people took chips, undid and answered by their words replays to the byte."""

from pathlib import Path

import pytest

from graph.replay.log_entries import find_divergences
from graph.replay.log_export import export_log
from graph.replay.log_replayer import replay_log
from graph.settings import Settings
from tests.evals.decision_log.conftest import open_harbour
from tests.graph.harbour import MASTER


@pytest.mark.parametrize("said", ["yes", "1", "no"])
async def test_what_is_said_to_a_chip_replays_as_it_went(
    said: str, lived_in: Settings, tmp_path: Path
) -> None:
    async with open_harbour(lived_in) as harbour:
        await harbour.says("log: fog since six", session_id="fog")
        taken = await harbour.says(said, session_id="fog")
        await harbour.says("close lock LK-12", session_id="fog")
    assert (taken.outcome == "executed") is (said != "no")

    await _replays_the_same(lived_in, tmp_path)


async def test_words_and_clicks_of_several_people_replay_as_they_went(
    lived_in: Settings, tmp_path: Path
) -> None:
    async with open_harbour(lived_in) as harbour:
        await harbour.says("log: fog since six", session_id="fog")
        clicked = await harbour.says("log: rain since noon", MASTER, session_id="rain")
        asked = await harbour.says("close lock LK-12", session_id="lock")
        said = await harbour.says("yes", session_id="fog")
        offer = await harbour.executive.offers.get(clicked.offer_id or "", "default")
        await harbour.executive.offers.choose(offer.offer_id, offer.chips[0].chip_id, MASTER)
        await harbour.answers(asked.action_id, "approve", MASTER)
        refused = await harbour.says("close lock LK-40", session_id="lock")
        await harbour.answers(refused.action_id, "reject", MASTER, reason="no")
        await harbour.says("undo that", session_id="fog")
        await harbour.says("yes", session_id="fog")
    assert said.outcome == "executed"

    await _replays_the_same(lived_in, tmp_path)


async def _replays_the_same(lived_in: Settings, tmp_path: Path) -> None:
    log = await export_log(lived_in)
    again = await replay_log(log, tmp_path / "again", cache=lived_in.cache_dir)
    assert (list(find_divergences(log.decided, again.decided)), again.impossible) == ([], ())
    assert again.digest == log.head.digest
