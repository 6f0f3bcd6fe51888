"""A day is decided the same to the byte, also by a process that is stopped in its middle."""

import json
from pathlib import Path

from api.cli.scenario import EventPlayer
from evals.benchmarks.attention import day
from graph.settings import Settings
from graph.wiring.composition import open_executive
from state.event import Event
from tests.torture.counts import few_or_many
from tests.torture.tally import Tally
from tools.platform.clock import VirtualClock


async def log_of(events: list[Event], folder: Path, *, pieces: int) -> list[str]:
    """Play events and return every record as a line, what it said of itself too."""
    first = events[0].occurred_at
    assert first is not None
    clock, size = VirtualClock(first), -(-len(events) // pieces)
    settings = Settings(data_dir=folder, packs=("companion",), database_url=None, embedder="none")
    for start in range(0, len(events), size):
        async with open_executive(settings, clock=clock) as executive:
            player = EventPlayer(executive, clock, lambda _event, _record: None)
            for event in events[start : start + size]:
                await player.play(event)
    async with open_executive(settings, clock=clock) as executive:
        records = await executive.records.newest("default", limit=10 * len(events))
    lines = [json.dumps(one.model_dump(mode="json"), sort_keys=True) for one in records]
    assert len(lines) >= len(events)
    return sorted(lines)


@few_or_many(200, 20_000)
async def test_a_day_is_the_same_whole_and_cut_in_two(
    tmp_path: Path, tally: Tally, count: int
) -> None:
    events = list(day(count))
    whole = await log_of(events, tmp_path / "whole", pieces=1)
    assert await log_of(events, tmp_path / "cut", pieces=2) == whole
    assert len({json.loads(line)["outcome"] for line in whole}) > 1
    tally.add("events of a day, played twice", count)
