"""The short way of what is passed over: the graph's own judgement, record and memory."""

from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest
from langgraph.checkpoint.memory import InMemorySaver

from api.cli.scenario import EventPlayer
from graph.execution.threads import FastPath, Threads, build_fast_path
from graph.flow import build_flow
from graph.settings import Settings
from graph.wiring.composition import Served, build_toolbox, open_executive
from state.errors import AgentError
from state.event import Event
from state.record import DecisionRecord
from tools.nlu.control.requests import control_request
from tools.platform.clock import VirtualClock

STREAM = Path(__file__).parents[2] / "packs/companion/streams/game_plain.jsonl"
ALL = map(Event.model_validate_json, STREAM.read_text("utf-8").splitlines())
EVENTS = tuple(one for one in ALL if one.kind != "message" or control_request(one.text))[:36]
"""What people ask for otherwise has names by chance: of its action, of its chips."""
SILENT = ("dull", "below_threshold", "habituated")


@dataclass(frozen=True)
class Counted(FastPath):
    """Counts what went the short way."""

    passed: list[DecisionRecord] = field(default_factory=list)

    async def take(self, event: Event, thread_id: str) -> DecisionRecord | None:
        """Take it as it is taken."""
        record = await super().take(event, thread_id)
        self.passed.extend([record] if record else [])
        return record


@dataclass(frozen=True)
class Played:
    """What is kept of a stream, and how much of it went the short way."""

    kept: list[dict[str, Any]]
    session: dict[str, Any]
    passed: int


async def played(folder: Path, *, shortly: bool) -> Played:
    """Play the stream to its end."""
    assert EVENTS[0].occurred_at is not None
    clock = VirtualClock(EVENTS[0].occurred_at)
    settings = Settings(data_dir=folder, packs=("companion",), database_url=None, embedder="none")
    box = build_toolbox(settings, clock=clock)
    counted = Counted(**vars(build_fast_path(box)))
    threads = Threads(build_flow(box, InMemorySaver()), counted, is_full=not shortly)
    async with open_executive(settings, clock=clock, served=Served(box, threads)) as executive:
        player = EventPlayer(executive, clock, lambda _event, _record: None)
        for event in EVENTS:
            await player.play(event)
        records = await executive.records.newest("default", limit=500)
        traces = [await executive.records.trace(one.decision_id, "default") for one in records]
        session = await box.decisions.session("default", EVENTS[0].session_id)
    kept = [one.model_dump(mode="json") for one in traces]
    return Played(kept, session.model_dump(mode="json"), len(counted.passed))


async def test_the_short_way_leaves_what_the_graph_leaves(tmp_path: Path) -> None:
    short = await played(tmp_path / "short", shortly=True)
    whole = await played(tmp_path / "whole", shortly=False)
    assert short.kept == whole.kept
    assert short.session == whole.session
    silent = [one["record"] for one in short.kept if one["record"]["reason"] in SILENT]
    assert short.passed >= len(silent) > 5
    assert whole.passed == 0


async def test_what_the_short_way_cannot_write_is_left_as_it_was(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    settings = Settings(data_dir=tmp_path, packs=("companion",), database_url=None, embedder="none")
    async with open_executive(settings) as executive:
        accepted = await executive.accept(Event(event_id="dull", text="The tide turns"))
        before = await executive._box.decisions.session("default", "default")

        def fails(*_given: object) -> None:
            raise RuntimeError("the disk is gone")

        with monkeypatch.context() as patched:
            patched.setattr("tools.storage.record_hooks.update_session", fails)
            with pytest.raises(RuntimeError):
                await executive.decide_accepted(accepted)
        _event, _thread, standing = await executive._box.decisions.find(accepted.decision_id)
        assert standing == "accepted"
        assert await executive._box.decisions.session("default", "default") == before
        assert (await executive.decide(accepted.decision_id)).outcome == "passed"


async def test_who_opens_it_to_read_decides_nothing_and_leaves_that_to_the_next(
    tmp_path: Path,
) -> None:
    settings = Settings(data_dir=tmp_path, packs=("companion",), database_url=None, embedder="none")
    async with open_executive(settings, decides=False) as reading:
        accepted = await reading.accept(Event(event_id="dull", text="The tide turns"))
        with pytest.raises(AgentError, match="only reads"):
            await reading.decide_accepted(accepted)
    async with open_executive(settings) as executive:
        assert (await executive.decide(accepted.decision_id)).outcome == "passed"
