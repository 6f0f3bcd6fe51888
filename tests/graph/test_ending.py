"""At the end what is under way is finished; what waits for its turn is left for the next start."""

import asyncio
from pathlib import Path

import pytest

from graph.execution.run_limiter import ThreadRunner
from state.errors import Busy
from state.event import Event
from state.record import DecisionRecord
from tests.safety.benches import pack_once, sql
from tests.safety.executives import message, opened_executive

MANY = 60


class Held(ThreadRunner):
    """Threads that begin and go on only once they may."""

    def __init__(self, threads: ThreadRunner) -> None:
        self.threads = threads
        self.begun = 0
        self.may_go_on = asyncio.Event()

    async def start(self, event: Event, thread_id: str) -> DecisionRecord | None:
        self.begun += 1
        await self.may_go_on.wait()
        return await self.threads.start(event, thread_id)

    async def wake(self, event: Event, thread_id: str) -> None:
        await self.threads.wake(event, thread_id)

    async def wake_anew(self, event: Event, thread_id: str) -> None:
        await self.threads.wake_anew(event, thread_id)


async def test_what_waits_for_its_turn_at_the_end_is_decided_after_the_next_start(tmp_path: Path):
    held: list[Held] = []

    def hold(threads: ThreadRunner) -> Held:
        held.append(Held(threads))
        return held[0]

    async with opened_executive(tmp_path, pack_once(), threads=hold) as opened:
        events = [message("read gauge G-1", f"e-{n}", session_id=f"s-{n}") for n in range(MANY)]
        waiting = [asyncio.create_task(opened.executive.submit(event)) for event in events]
        while not held or held[0].begun < 16:  # noqa: ASYNC110 - they begin by themselves
            await asyncio.sleep(0)
        ending = asyncio.create_task(opened.executive.close())
        await asyncio.sleep(0)
        held[0].may_go_on.set()
        await ending
        ended = await asyncio.gather(*waiting, return_exceptions=True)
    begun = held[0].begun
    assert begun < MANY
    assert sum(isinstance(each, DecisionRecord) for each in ended) == begun
    assert sum(isinstance(each, Busy) for each in ended) == MANY - begun
    recorded = "select count(*) from decision where standing = 'recorded'"
    assert sql(tmp_path, recorded) == [(begun,)]
    async with opened_executive(tmp_path, pack_once()) as opened:
        await opened.recover()
    assert sql(tmp_path, recorded) == [(MANY,)]


async def test_nothing_begins_after_the_end(tmp_path: Path) -> None:
    async with opened_executive(tmp_path, pack_once()) as opened:
        await opened.executive.close()
        with pytest.raises(Busy, match="after the next start"):
            await opened.ask("read gauge G-1")
