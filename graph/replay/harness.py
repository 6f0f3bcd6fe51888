"""Run the real graph on a temporary folder with a virtual clock, and list what ran."""

from collections.abc import AsyncIterator, Iterator, Mapping
from contextlib import AsyncExitStack, ExitStack, asynccontextmanager, contextmanager
from dataclasses import dataclass, field, replace
from datetime import datetime
from pathlib import Path
from tempfile import TemporaryDirectory
from time import perf_counter
from typing import Any

from pydantic import Field
from sqlalchemy import Connection, func, select

from graph.execution.maintenance import open_saver
from graph.execution.threads import Threads, build_fast_path
from graph.executive import Executive
from graph.flow import build_flow
from graph.settings import Settings
from graph.wiring.composition import Served, build_toolbox, open_executive
from state.approval import ActionState
from state.event import Event
from state.noun import Noun
from state.record import DecisionRecord
from tools.platform.clock import VirtualClock
from tools.storage import Database
from tools.storage.tables.ledger import ledger_action, ledger_approval

EXECUTED_STATES: tuple[ActionState, ...] = ("started", "succeeded", "failed", "unknown")
"""States of an action whose handler was called."""


class ExecutedAction(Noun):
    """An action whose handler was called, by the ledger's own rows."""

    action_id: str
    action: str
    state: ActionState
    approved: bool = Field(description="a person said yes to it")


@dataclass(frozen=True)
class HarnessDecision:
    """What became of an event: its record, and every action that ran meanwhile."""

    record: DecisionRecord
    duplicate: bool
    ran: tuple[ExecutedAction, ...]
    seconds: float = 0.0
    """What deciding took by the wall clock; the playground's own clock stands still meanwhile."""


def relevance_margin(record: DecisionRecord) -> float:
    """Tell how far above its bar an event is; what is dull has none, and is last.

    A threat that is told at once has passed a bar of its own, whatever its relevance.
    """
    margin = -1.0
    if record.relevance is not None and record.threshold is not None:
        margin = record.relevance - record.threshold
        if record.reason == "threat":
            margin = max(margin, record.threat or 0.0)
    return margin


@asynccontextmanager
async def open_virtual_executive(
    settings: Settings, clock: VirtualClock
) -> AsyncIterator[Executive]:
    """Open an Executive whose tables live by the virtual clock too: deadlines, ages of rows."""
    async with AsyncExitStack() as stack:
        box = build_toolbox(settings, clock=clock)
        box.database.tell_time_by(lambda: clock.now().timestamp())
        saver = await stack.enter_async_context(open_saver(settings.data_dir))
        served = Served(box, Threads(build_flow(box, saver), build_fast_path(box), box.tracing))
        opening = open_executive(settings, clock=clock, served=served)
        yield await stack.enter_async_context(opening)


@contextmanager
def learned_cache() -> Iterator[Path]:
    """Hand out the folder where a command keeps what is learnt from packs: the one that is set.

    Without one it is the command's own, and goes with it: a pack is learnt once, and not again for
    every dataset and every file of conversations.
    """
    given = Settings().cache_dir
    if given is not None:
        yield given
        return
    with TemporaryDirectory(prefix="prefrontal-learnt-") as folder:
        yield Path(folder)


@dataclass
class Harness:
    """An Executive on a fresh temporary folder; opening it again starts on another one."""

    packs: tuple[str, ...]
    starts_at: datetime
    settings: Mapping[str, Any] = field(default_factory=dict)  # by setting
    """Deployment settings that differ from the defaults, such as where papers are searched."""
    lasting: ExitStack = field(default_factory=ExitStack)
    """What is closed when the playground is, and lasts over all its starts."""
    _folder: TemporaryDirectory[str] = field(
        default_factory=lambda: TemporaryDirectory(prefix="prefrontal-evals-")
    )
    _opened: int = 0
    _exits: AsyncExitStack = field(default_factory=AsyncExitStack)
    _seen: set[str] = field(default_factory=set)

    async def open(self) -> None:
        """Start on an empty folder, at the start of time; nothing is remembered of before."""
        await self._exits.aclose()
        self._exits = AsyncExitStack()
        settings = self._settings()
        self.clock = VirtualClock(self.starts_at)
        self.executive: Executive = await self._exits.enter_async_context(
            open_virtual_executive(settings, self.clock)
        )
        self._ledger = Database(settings.database)
        self._exits.push_async_callback(self._ledger.close)
        self._seen = set()

    async def close(self) -> None:
        """Stop, and remove every folder."""
        await self._exits.aclose()
        self.lasting.close()
        self._folder.cleanup()

    @property
    def folder(self) -> Path:
        """Name the folder of the present start: the stores of the packs, and our own."""
        return Path(self._folder.name) / str(self._opened)

    async def all_ran(self) -> tuple[ExecutedAction, ...]:
        """Tell of every action whose handler was called since the start."""
        return tuple(await self._ledger.read(_ran))

    async def forget_what_ran(self) -> None:
        """Take what has run so far for old: no later decision is told to have run it."""
        self._seen.update(one.action_id for one in await self.all_ran())

    async def decide(self, event: Event) -> HarnessDecision:
        """Have an event decided at the time it is now."""
        started = perf_counter()
        accepted = await self.executive.accept(event)
        record = await self.executive.decide(accepted.decision_id)
        took = perf_counter() - started
        return replace(await self.decided(record, duplicate=accepted.duplicate), seconds=took)

    async def decided(self, record: DecisionRecord, *, duplicate: bool = False) -> HarnessDecision:
        """Tell what ran since the last time, beside a record."""
        ran = [one for one in await self._ledger.read(_ran) if one.action_id not in self._seen]
        self._seen.update(one.action_id for one in ran)
        return HarnessDecision(record=record, duplicate=duplicate, ran=tuple(ran))

    async def move_to(self, instant: datetime) -> None:
        """Let time pass: each hold that ends on the way is judged again at its own moment."""
        while (due := await self.executive.initiative.next_due()) is not None and due <= instant:
            self.clock.move_to(due)
            if not await self.executive.release_due():
                break
        self.clock.move_to(instant)

    def _settings(self) -> Settings:
        self._opened += 1
        folder = Path(self._folder.name)
        settings = Settings(
            data_dir=self.folder,
            packs=self.packs,
            database_url=None,
            **self.settings,
        )
        # What is learnt from the pack's own examples is the same each time.
        learnt = settings.cache_dir or folder / "cache"
        return settings.model_copy(update={"cache_dir": learnt})


def _ran(connection: Connection) -> list[ExecutedAction]:
    yes = (
        select(func.count())
        .select_from(ledger_approval)
        .where(
            ledger_approval.c.action_id == ledger_action.c.action_id,
            ledger_approval.c.decision == "approve",
        )
        .scalar_subquery()
    )
    query = select(
        ledger_action.c.action_id, ledger_action.c.action, ledger_action.c.state, yes.label("yes")
    ).where(ledger_action.c.state.in_(EXECUTED_STATES))
    return [
        ExecutedAction(
            action_id=row["action_id"],
            action=row["action"],
            state=row["state"],
            approved=row["yes"] > 0,
        )
        for row in connection.execute(query).mappings()
    ]
