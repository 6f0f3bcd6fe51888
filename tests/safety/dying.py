"""What a process does until it is killed, and the places where that happens to it."""

import asyncio
import os
import random
import re
import signal
import threading
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

from langchain_core.runnables import RunnableConfig
from langgraph.checkpoint.base import (
    BaseCheckpointSaver,
    ChannelVersions,
    Checkpoint,
    CheckpointMetadata,
)
from langgraph.checkpoint.sqlite.aio import AsyncSqliteSaver
from sqlalchemy import event as sqlalchemy_event

from graph.execution.run_limiter import ThreadRunner
from graph.execution.threads import Threads
from state.errors import AgentError
from state.event import Event
from state.record import DecisionRecord
from tests.safety.benches import CAPTAIN, ENGINEER, no, yes
from tests.safety.breaking import take_a_burst, tell_at_a_break
from tests.safety.executives import Opened, message, opened_executive
from tests.safety.permitting import run_own_tool

ACKNOWLEDGED = "acknowledged"
"""File in the data folder: one event id a line, written once its event was accepted."""


@dataclass
class Killer:
    """Kills or stops the process it lives in, the nth time that a place is reached."""

    place: str
    nth: int
    by: signal.Signals = signal.SIGKILL
    is_armed: bool = False

    def arm(self) -> None:
        """Kill from now on."""
        self.is_armed = True

    def __call__(self, place: str) -> None:
        if self.is_armed and place == self.place:
            self.nth -= 1
            if self.nth <= 0:
                self.is_armed = self.by == signal.SIGKILL  # one that is woken is not stopped again
                os.kill(os.getpid(), self.by)


async def play(
    data_dir: str,
    pack: str,
    place: str,
    *,
    nth: int = 1,
    story: str = "approve",
    seed: int = 0,
    by: str = "SIGKILL",
) -> None:
    """Open the Executive and do what `story` names; dies at the nth `place` on the way."""
    killer = Killer(place, nth, signal.Signals[by])
    async with opened_executive(
        Path(data_dir),
        Path(pack),
        step=killer,
        threads=lambda threads: _Waking(threads, killer),
        saving=lambda saver: _Saving(saver, killer),
    ) as opened:
        _listen(opened, killer)
        match story:
            case "approve" | "choose" | "permit":
                await _ANSWERED[story](opened, killer)
            case "read":
                killer.is_armed = True
                await opened.ask("read gauge G-1")
            case "recover":
                killer.is_armed = True
                await opened.recover()
            case "ask":
                await _ask(opened, killer, Path(data_dir))
            case "stream":
                await _stream(opened, killer, Path(data_dir), seed)
            case "break":
                await tell_at_a_break(opened, killer.arm)
            case "burst":
                killer.is_armed = True
                await take_a_burst(opened, partial(_acknowledge, Path(data_dir)))
            case "race":
                await _race(opened, Path(data_dir), seed)


async def _approve(opened: Opened, killer: Killer) -> None:
    shown = await opened.asked()
    killer.is_armed = True
    await opened.executive.approvals.answer(shown.action_id, yes(shown), CAPTAIN)


async def _choose(opened: Opened, killer: Killer) -> None:
    record = await opened.ask("label valve V-7", "e-0")
    killer.is_armed = True
    await opened.executive.offers.choose(
        record.offer_id or "", "chip-1", ENGINEER, {"label": "sea"}
    )


async def _permit(opened: Opened, killer: Killer) -> None:
    await run_own_tool(opened, killer, killer.arm)


_ANSWERED = {"approve": _approve, "choose": _choose, "permit": _permit}


async def _ask(opened: Opened, killer: Killer, data_dir: Path) -> None:
    killer.is_armed = True
    accepted = await opened.executive.accept(message())
    _acknowledge(data_dir, "e-1")
    await opened.executive.decide(accepted.decision_id)


async def _stream(opened: Opened, killer: Killer, data_dir: Path, seed: int) -> None:
    chance = random.Random(seed)
    if killer.place == "whenever":
        threading.Timer(chance.uniform(0.0, 0.5), os.kill, (os.getpid(), signal.SIGKILL)).start()
    killer.is_armed = True
    said = [
        message(chance.choice(TEXTS), f"e-{number}", session_id=f"s-{number % 3}")
        for number in range(24)
    ]
    for number, each in enumerate(said):
        accepted = await opened.executive.accept(each)
        _acknowledge(data_dir, each.event_id)
        if number % 2:
            record = await opened.executive.decide(accepted.decision_id)
            if record.action_id is not None and record.outcome == "awaiting_approval":
                shown = await opened.executive.approvals.get(record.action_id, record.tenant_id)
                await opened.executive.approvals.answer(shown.action_id, yes(shown), CAPTAIN)


async def _race(opened: Opened, data_dir: Path, seed: int) -> None:
    """Finish what another left, with eight clients at it; killed whenever."""
    chance = random.Random(seed)
    threading.Timer(
        chance.uniform(0.0, RACE_SECONDS), os.kill, (os.getpid(), signal.SIGKILL)
    ).start()
    await opened.recover()

    async def client(number: int) -> None:
        """Say what another says too, and answer what is asked as another does, or against it."""
        for turn in range(1_000):
            name = f"{seed}-{number // 2}-{turn}"
            text = TEXTS[(seed + turn) % len(TEXTS)]
            event = message(text, name, session_id=f"s-{name}", user=f"amir-{name}")
            await opened.executive.accept(event)
            _acknowledge(data_dir, name)
            record = await opened.executive.decide(event.decision_id)
            if record.outcome != "awaiting_approval" or turn % 7 == 0:
                continue
            with suppress(AgentError):
                shown = await opened.executive.approvals.get(record.action_id or "", "aurora")
                answer = no(shown) if chance.random() < 0.2 else yes(shown)
                await opened.executive.approvals.answer(shown.action_id, answer, CAPTAIN)

    await asyncio.gather(*map(client, range(8)))


RACE_SECONDS = 0.8
"""Longest life of a process in a race, from when it is open."""
TEXTS = ("open valve V-101", "read gauge G-1", "label valve V-7", "hello", "open valve V-7")


def _acknowledge(data_dir: Path, event_id: str) -> None:
    with (data_dir / ACKNOWLEDGED).open("a", encoding="utf-8") as file:
        file.write(event_id + "\n")


def _listen(opened: Opened, killer: Killer) -> None:
    """Make every write transaction of our tables two places to die at."""
    engine = opened.box.database._writing
    sqlalchemy_event.listen(engine, "begin", lambda _connection: killer("begin"))
    sqlalchemy_event.listen(engine, "commit", lambda _connection: killer("commit"))
    sqlalchemy_event.listen(engine, "after_cursor_execute", _written(killer))


def _written(killer: Killer) -> Callable[..., None]:
    """Make every row that is put into a table a place to die at: `insert TABLE`."""

    def after(_connection: object, _cursor: object, statement: str, *_more: object) -> None:
        found = re.match(r"insert (?:or \w+ )?into (\w+)", statement, re.IGNORECASE)
        if found:
            killer(f"insert {found[1]}")

    return after


@dataclass(frozen=True)
class _Waking(ThreadRunner):
    """Dies when the ledger has the answer and the thread is to be woken."""

    threads: Threads
    killer: Killer

    async def start(self, event: Event, thread_id: str) -> DecisionRecord | None:
        return await self.threads.start(event, thread_id)

    async def wake(self, event: Event, thread_id: str) -> None:
        self.killer("answered")
        await self.threads.wake(event, thread_id)
        self.killer("woken")

    async def wake_anew(self, event: Event, thread_id: str) -> None:
        await self.threads.wake_anew(event, thread_id)


class _Saving(AsyncSqliteSaver):
    """Dies before or after a checkpoint, or what belongs to one, is put on disk."""

    def __init__(self, saver: BaseCheckpointSaver[Any], killer: Killer) -> None:
        assert isinstance(saver, AsyncSqliteSaver)
        super().__init__(saver.conn, serde=saver.serde)
        self._killer = killer

    async def aput(
        self,
        config: RunnableConfig,
        checkpoint: Checkpoint,
        metadata: CheckpointMetadata,
        new_versions: ChannelVersions,
    ) -> RunnableConfig:
        self._killer("put")
        put = await super().aput(config, checkpoint, metadata, new_versions)
        self._killer("after put")
        return put

    async def aput_writes(
        self,
        config: RunnableConfig,
        writes: Sequence[tuple[str, Any]],
        task_id: str,
        task_path: str = "",
    ) -> None:
        self._killer("writes")
        await super().aput_writes(config, writes, task_id, task_path)
        self._killer("after writes")
