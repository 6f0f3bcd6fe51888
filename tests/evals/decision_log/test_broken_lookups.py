"""What could not be looked up when a log was recorded cannot be in its replay either."""

from pathlib import Path

import pytest

from graph.replay.log_entries import (
    DecisionLog,
    find_divergences,
    read_log,
    write_log,
)
from graph.replay.log_export import export_log
from graph.replay.log_replayer import replay_log
from graph.replay.recorded_outcomes import RecordedOutcomes
from graph.settings import Settings
from state.principal import Principal
from tests.evals.decision_log.conftest import open_harbour
from tests.graph.looking import break_lookup, write_boatyard

ANN = Principal(user="ann", tenant_id="default", roles=("hand",))


@pytest.fixture
def settings(lived_in: Settings, tmp_path: Path) -> Settings:
    return lived_in.model_copy(update={"packs": (str(write_boatyard(tmp_path)),)})


async def _log_of(text: str, settings: Settings, file: Path) -> DecisionLog:
    break_lookup(settings.data_dir)
    async with open_harbour(settings) as boats:
        assert (await boats.says(text, ANN)).reason == "lookup_failed"
    write_log(await export_log(settings), file)
    return read_log(file)


async def test_a_yes_that_was_not_asked_for_is_not_asked_for_in_a_replay(
    settings: Settings, tmp_path: Path
) -> None:
    log = await _log_of("sink B-11", settings, tmp_path / "it.log.jsonl")
    again = await replay_log(log, tmp_path / "again", cache=settings.cache_dir)
    assert list(find_divergences(log.decided, again.decided)) == []
    assert again.digest == log.head.digest


async def test_what_broke_is_known_whatever_was_said_of_it(settings: Settings, tmp_path: Path):
    text = "be quiet for an hour and sink B-11"
    log = await _log_of(text, settings, tmp_path / "it.log.jsonl")
    recorded = RecordedOutcomes(log)
    assert recorded.why_unchecked() is None
    recorded.decision_id = log.decided[0].decision_id
    failed = recorded.why_unchecked()
    assert failed is not None
    assert (failed.pack, failed.entity_type, failed.cause) == ("boatyard", "boat", "IndexError")
