"""Limit concurrent runs: one run a decision, one decision a session, so many at once."""

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from time import perf_counter
from typing import Protocol

import structlog

from graph.telemetry import DecisionMetrics
from state.errors import AgentError, Busy
from state.event import Event
from state.record import DecisionRecord
from tools.attention import Inbox
from tools.attention.inbox import InboxPlace
from tools.platform.texts import t
from tools.storage import SqlDecisions

AT_ONCE = 16
"""Decisions under way at a time: beyond it everybody only waits longer for the same core."""

log = structlog.get_logger()


@dataclass(frozen=True)
class Accepted:
    """The receipt of an event that is on disk."""

    event: Event
    """As it is kept: with its time, and an identity of its own where its event_id was used."""
    duplicate: bool
    """The same event was sent before: there is one decision."""

    @property
    def decision_id(self) -> str:
        """Name the decision."""
        return self.event.decision_id

    def mark(self, record: DecisionRecord) -> DecisionRecord:
        """Tell on the answer to a second delivery that it is the first one's decision."""
        return record.model_copy(update={"duplicate": True}) if self.duplicate else record


class ThreadRunner(Protocol):
    """Whoever can wake a thread that stopped at the gate."""

    @property
    def is_full(self) -> bool:
        """Tell whether an event has a run of its own when its record is there already."""
        return False

    async def start(self, event: Event, thread_id: str) -> DecisionRecord | None:
        """Run a thread from an event until its record, a hold or the gate (None)."""
        ...

    async def wake(self, event: Event, thread_id: str) -> None:
        """Let a thread at the gate go on, whatever is left of its checkpoints."""
        ...

    async def wake_anew(self, event: Event, thread_id: str) -> None:
        """Forget what a thread holds, walk the way to the gate again, and go on from there."""
        ...


class NoThreads(ThreadRunner):
    """The threads of whoever only reads: nothing is decided."""

    async def start(self, event: Event, thread_id: str) -> DecisionRecord | None:
        """Raises AgentError."""
        raise AgentError(t("problem.only_reads"))

    async def wake(self, event: Event, thread_id: str) -> None:
        """Raises AgentError."""
        raise AgentError(t("problem.only_reads"))

    wake_anew = wake


class RunLimiter:
    """Run decisions on their threads, in this process."""

    def __init__(self, threads: ThreadRunner, decisions: SqlDecisions, inbox: Inbox) -> None:
        self._threads = threads
        self._inbox = inbox
        self._decisions = decisions
        self._at_once = asyncio.Semaphore(AT_ONCE)
        self._running: dict[str, asyncio.Task[DecisionRecord | None]] = {}
        self._is_ending = False
        self.observing = DecisionMetrics()

    async def start(self, event: Event, thread_id: str) -> DecisionRecord | None:
        """Decide an event in its session's turn; None: it waits at the gate, or has its record.

        It has that when an identical event was decided with it (tools/attention/inbox.py). Somebody
        else may be at it: then their run is the answer. A caller that goes away does not stop what
        was accepted.
        """
        running = self._running.get(event.decision_id)
        if running is None:
            # It enters before anybody has a turn: of what comes at once the gravest goes first.
            place = self._inbox.enter(event)
            running = self._keep(event, asyncio.create_task(self._start(place, thread_id)))
        return await asyncio.shield(running)

    async def wake(self, event: Event, thread_id: str) -> None:
        """Let a decision at the gate go on; one that does not wait is left alone."""
        running = self._running.get(event.decision_id)
        if running is not None:
            # It may just be coming to the gate: whoever wakes it has to wait until it sleeps.
            await asyncio.wait([running])
            running = self._running.get(event.decision_id)
        if running is None:
            running = self._keep(event, asyncio.create_task(self._wake(event, thread_id)))
        await asyncio.shield(running)

    async def instead(self, event: Event, end: Callable[[], Awaitable[bool]]) -> bool:
        """End a decision in the place of a run of it: until that is done, none begins.

        Whoever would start it meanwhile waits, and reads the record. False: `end` changed nothing,
        or somebody had begun it again.
        """
        if event.decision_id in self._running:
            return False
        task = self._keep(event, asyncio.create_task(_ended(end)))
        try:
            await asyncio.shield(task)
        except Busy:
            return False
        return True

    async def quiet(self) -> None:
        """Wait until nothing is under way and nothing waits for its turn."""
        await asyncio.gather(*self._running.values(), return_exceptions=True)

    async def close(self) -> None:
        """Let what is under way come to its end; what waits for its turn is for the next start."""
        self._is_ending = True
        await self.quiet()

    def _keep(
        self, event: Event, task: asyncio.Task[DecisionRecord | None]
    ) -> asyncio.Task[DecisionRecord | None]:
        self._running[event.decision_id] = task
        task.add_done_callback(lambda _done: self._running.pop(event.decision_id, None))
        return task

    async def _start(self, place: InboxPlace, thread_id: str) -> DecisionRecord | None:
        async with self._inbox.turn(place) as has_turn:
            if not has_turn and not self._threads.is_full:
                return None
            async with self._at_once:
                self._demand_a_future()
                return await self._observed(place.event, thread_id)

    async def _observed(self, event: Event, thread_id: str) -> DecisionRecord | None:
        began = perf_counter()
        try:
            record = await self._threads.start(event, thread_id)
        except Exception:
            self.observing.failed()
            raise
        self.observing.took(event.tenant_id, perf_counter() - began)
        return record

    async def _wake(self, event: Event, thread_id: str) -> None:
        if not await self._decisions.is_answered(event.decision_id):
            return
        async with self._at_once:
            self._demand_a_future()
            try:
                await self._threads.wake(event, thread_id)
            except Busy:  # somebody else is at it: their run is the answer, or the next pulse
                raise
            except Exception:  # whatever was done to the thread, the answer stands
                log.exception("wake_failed", decision_id=event.decision_id)
            if await self._decisions.is_answered(event.decision_id):
                # It went somewhere else: its checkpoints were cut short, replaced or rewritten.
                await self._threads.wake_anew(event, thread_id)

    def _demand_a_future(self) -> None:
        if self._is_ending:
            raise Busy(t("problem.stopping"))


async def _ended(end: Callable[[], Awaitable[bool]]) -> None:
    if not await end():
        raise Busy(t("problem.unsettled"))
