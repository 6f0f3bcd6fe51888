"""A harbour in which a stage, or the waking of a thread, breaks for some events."""

import threading
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field, replace
from datetime import date
from pathlib import Path

from graph.execution.maintenance import open_saver
from graph.execution.threads import Threads, build_fast_path
from graph.flow import build_flow
from graph.settings import Settings
from graph.wiring.composition import Served, build_toolbox, open_executive
from state.event import Event
from state.policy import Routing
from state.reader import Reader
from state.record import DecisionRecord, DecisionTrace
from tests.graph.harbour import Harbour
from tests.stages import NOW
from tools.nlu.intents.router import Router
from tools.platform.clock import VirtualClock
from tools.storage.decision_rows import SqlRecords

POISON = "poison"
POLICY = Path(__file__).parents[2] / "policy.toml"


class BreakingRouter(Router):
    """A router that one word breaks, until it is mended; then it takes its time over it."""

    def __init__(self, router: Router, poison: str) -> None:
        self.__dict__ |= router.__dict__
        self.poison = poison
        self.reached = threading.Event()
        self.mended: threading.Event | None = None

    def route(
        self,
        text: str,
        *,
        data_dir: Path | None = None,
        today: date | None = None,
        roles: Sequence[str] = (),
        asker: str | None = None,
    ) -> Routing:
        if self.poison in text and self.mended is None:
            raise RuntimeError("a secret nobody may read")
        if self.poison in text and self.mended is not None:
            self.reached.set()
            assert self.mended.wait(10)
        return super().route(text, data_dir=data_dir, today=today, roles=roles, asker=asker)


@dataclass(frozen=True)
class Overtaken(SqlRecords):
    """Records that let something happen when a decision without a record is looked for."""

    meanwhile: list[Callable[[str], Awaitable[None]]] = field(default_factory=list)

    async def trace(self, decision_id: str, whose: Reader | str | None = None) -> DecisionTrace:
        if self.meanwhile:
            await self.meanwhile.pop()(decision_id)
        return await super().trace(decision_id, whose)


@dataclass
class Sleepers:
    """Threads that start, and that break when they are woken."""

    threads: Threads
    wakes: int = 0
    is_full: bool = False

    async def start(self, event: Event, thread_id: str) -> DecisionRecord | None:
        return await self.threads.start(event, thread_id)

    async def wake(self, event: Event, thread_id: str) -> None:
        self.wakes += 1
        raise RuntimeError("it cannot be woken")

    async def wake_anew(self, event: Event, thread_id: str) -> None:
        raise RuntimeError("it cannot be woken")


@asynccontextmanager
async def broken_harbour(
    data_dir: Path,
    cache: Path,
    packs: Sequence[str],
    *,
    attempts: int = 3,
    sleeps: bool = False,
    poison: str = POISON,
) -> AsyncIterator[Harbour]:
    """Open an Executive whose router breaks at a word, and whose threads may never wake."""
    file = data_dir.parent / "policy.toml"
    text = POLICY.read_text("utf-8").replace(
        "decision_attempts = 20", f"decision_attempts = {attempts}"
    )
    file.write_text(text, "utf-8")
    settings = Settings(
        _env_file=None,  # type: ignore[call-arg]  # of pydantic-settings, unknown to mypy
        data_dir=data_dir,
        cache_dir=cache,
        packs=tuple(packs),
        policy_file=file,
    )
    clock = VirtualClock(NOW)
    box = build_toolbox(settings, clock=clock)
    router = BreakingRouter(box.router, poison)
    box = replace(
        box,
        router=router,
        messages=replace(box.messages, router=router),
        records=Overtaken(box.database),
    )
    async with open_saver(data_dir) as saver:
        threads = Threads(build_flow(box, saver), build_fast_path(box))
        served = Served(box, Sleepers(threads) if sleeps else threads)
        async with open_executive(settings, clock=clock, served=served) as executive:
            yield Harbour(executive, clock, data_dir)
