"""A game session and a day at the desktop, with and without salience, on a clock of their own."""

import json
from collections.abc import Sequence
from pathlib import Path

import pytest

from api.cli.scenario import EventPlayer
from state.event import Event
from state.record import DecisionRecord
from tests.packs.companion.conftest import OpenCompanion
from tests.stages import NOW
from tools.platform.clock import VirtualClock

PACK = Path(__file__).parents[3] / "packs" / "companion"
STREAMS = PACK / "streams"


def read(path: Path) -> list[Event]:
    lines = path.read_text("utf-8").splitlines()
    return [Event.model_validate(json.loads(line)) for line in lines]


def _line(record: DecisionRecord) -> str:
    """Write a record as one line, as `prefrontal run --json` does."""
    return json.dumps(record.model_dump(mode="json"), sort_keys=True)


async def play(
    open_companion: OpenCompanion,
    events: Sequence[Event],
    folder: str,
    pieces: int = 1,
    clock: VirtualClock | None = None,
) -> dict[str, DecisionRecord]:
    """Play events, in several pieces with a restart between them."""
    clock = clock or VirtualClock(NOW)
    told: dict[str, DecisionRecord] = {}
    size = -(-len(events) // pieces)
    for start in range(0, len(events), size):
        async with open_companion(folder, clock=clock) as companion:
            last = start + size >= len(events)
            player = EventPlayer(
                companion.executive,
                companion.clock,
                lambda event, record: told.__setitem__(event.event_id, record),
            )
            for event in events[start : start + size]:
                await player.play(event)
            if last:
                await player.finish()
    return told


@pytest.mark.parametrize("name", ["game", "desktop"])
def test_a_plain_stream_is_the_same_without_its_vectors(name: str):
    scored, plain = read(STREAMS / f"{name}.jsonl"), read(STREAMS / f"{name}_plain.jsonl")
    assert [one.model_copy(update={"salience": None}) for one in scored] == plain
    assert sum(one.salience is not None for one in scored) > 25


async def test_the_same_evening_is_told_the_same_also_after_a_restart(
    open_companion: OpenCompanion,
):
    events = read(STREAMS / "game.jsonl")
    logs = []
    for folder, pieces in (("whole", 1), ("cut", 2)):
        clock = VirtualClock(NOW)
        await play(open_companion, events, folder, pieces, clock)
        async with open_companion(folder, clock=clock) as companion:
            records = await companion.records()
        logs.append(sorted(_line(record) for record in records))
    assert len(logs[0]) >= len(events)  # what it says of itself has records too
    assert logs[0] == logs[1]


async def test_threats_are_told_in_the_quiet_and_noise_never(open_companion: OpenCompanion):
    told = await play(open_companion, read(PACK / "scenario.jsonl"), "story")
    spoken = {name: record.text for name, record in told.items() if record.spoke}
    assert spoken["play-016"].startswith("Creeper! 3 blocks behind you")
    assert spoken["play-025"].startswith("Creeper! 4 blocks to the left")
    assert "9 uses left" in spoken["play-023"]
    assert spoken["play-023"].startswith("While it was quiet: ")
    assert told["play-030"].reason == "suppressed"
    assert not {"play-005", "play-006", "play-017", "play-026"} & set(spoken)
    assert (told["play-034"].outcome, told["play-034"].action) == ("offered", "save_place")


async def test_without_vectors_the_words_of_the_pack_tell_danger_from_noise(
    open_companion: OpenCompanion,
):
    told = await play(open_companion, read(STREAMS / "game_plain.jsonl"), "plain")
    texts = {record.text for record in told.values() if record.spoke}
    assert any(text.startswith("Creeper!") for text in texts)
    assert any(text.startswith("Diamonds!") for text in texts)
    assert not any("torch" in text.lower() and "coal" not in text for text in texts)
    assert not any("Mined stone" in text for text in texts)


def test_the_streams_begin_after_the_tests_clock_or_later():
    assert all(
        (event.occurred_at or NOW) >= NOW
        for path in STREAMS.glob("*.jsonl")
        for event in read(path)
    )
