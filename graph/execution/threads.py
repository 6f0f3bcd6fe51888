"""Run the graph on threads: one decision a thread, one run a thread at a time.

The fast path walks the first nodes without a run: most of a stream ends in silence there. Its
record, its stages and what is remembered of it are those of the graph; what it lacks is a thread's
checkpoint, which nobody goes back to.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from langchain_core.runnables import RunnableConfig
from langgraph.checkpoint.base import BaseCheckpointSaver
from langgraph.types import Command, Durability

from graph.flow import (
    Flow,
    after_relevance,
    after_salience,
    build_assess_relevance,
    build_filter_salience,
    build_receive,
    build_write_record,
)
from graph.telemetry import Tracing, now_ns
from graph.toolbox import Toolbox
from nodes.assess_relevance import AssessRelevance
from nodes.filter_salience import FilterSalience
from nodes.receive import Receive
from nodes.write_record import WriteRecord
from state.event import Event
from state.record import DecisionRecord
from state.stages import Assessed, Gathered, Opened, Received, Weighed

RECURSION_LIMIT = 40
"""Steps of one run; the longest way through has 12, and a loop must end soon."""

ANSWERED: Mapping[str, bool] = {"answered": True}
"""What a thread is resumed with: a word without authority, the yes stands in the ledger."""


RECORD = "write_record"


@dataclass(frozen=True)
class FastPath:
    """Passes over what the first nodes of the graph would pass over."""

    receive: Receive
    filtering: FilterSalience
    assessing: AssessRelevance
    writing: WriteRecord

    async def take(self, event: Event, thread_id: str) -> DecisionRecord | None:
        """Record an event as passed over; None: it is nothing of that kind, or was begun before."""
        if not self._may_be(event):
            return None
        config: RunnableConfig = {"configurable": {"thread_id": thread_id}}
        received = Received.model_validate(await self.receive(Opened(event=event), config))
        if received.arrival.standing != "accepted":
            return None
        ended = await self._ended(received)
        if ended is None:
            return None
        return (await self.writing(Gathered(**dict(ended)), config)).get("record")

    async def _ended(self, received: Received) -> Weighed | None:
        """Judge it as the graph does; None: the graph goes further than to its record."""
        weighed = Weighed(**{**dict(received), **await self.filtering(received)})
        if after_salience(weighed) == RECORD:
            return weighed
        if self.assessing.band is not None:  # a model is asked once, in the graph
            return None
        assessed = Assessed(**{**dict(weighed), **await self.assessing(weighed)})
        return assessed if after_relevance(assessed) == RECORD else None

    def _may_be(self, event: Event) -> bool:
        """Tell whether it is worth a look: nothing that waits for an encoder or alarms is."""
        weighing = self.filtering.weighing
        alarms = event.salience is not None and (
            event.salience.threat >= weighing.tuning.dull_below
        )
        return event.kind == "ambient" and not alarms and not weighing.asks_encoder(event)


def build_fast_path(box: Toolbox) -> FastPath:
    """Build it of the nodes that the graph is built of."""
    return FastPath(
        build_receive(box),
        build_filter_salience(box),
        build_assess_relevance(box),
        build_write_record(box),
    )


class Threads:
    """The compiled graph, run in this process.

    Args:
        passing: ends in silence what needs no run of the graph; None: everything runs through it.
        is_full: every event has a run, identical ones too, and each stage of it a checkpoint.
        tracing: hears of what took that way; of a run of the graph it hears from the graph.
    """

    def __init__(
        self,
        flow: Flow,
        passing: FastPath | None = None,
        tracing: Tracing | None = None,
        *,
        is_full: bool = False,
    ) -> None:
        self._flow = flow
        self._passing = passing
        self._tracing = tracing or Tracing()
        self.is_full = is_full

    async def start(self, event: Event, thread_id: str) -> DecisionRecord | None:
        """Run a thread from an event. Only who looks at runs needs a write before the gate."""
        if self._passing is not None and not self.is_full:
            began = now_ns()
            passed = await self._passing.take(event, thread_id)
            if passed is not None:
                self._tracing.passed_over(passed, began)
                return passed
        written: Durability = "async" if self.is_full else "exit"
        config = _config(thread_id)
        with self._tracing.within(event):
            left = await self._flow.ainvoke({"event": event}, config, durability=written)
        return left.get("record")

    async def wake(self, event: Event, thread_id: str) -> None:
        """Let a thread go on from where it stopped; from the gate on, every step is written."""
        config = _config(thread_id)
        snapshot = await self._flow.aget_state(config)
        if not snapshot.next:
            # Its checkpoints are gone or were never written: the way to the gate is walked again.
            await self.start(event, thread_id)
            snapshot = await self._flow.aget_state(config)
        resume: Any = None
        if snapshot.interrupts:
            resume = Command(resume={waiting.id: ANSWERED for waiting in snapshot.interrupts})
        if snapshot.next:
            with self._tracing.within(event):
                await self._flow.ainvoke(resume, config, durability="sync")

    async def wake_anew(self, event: Event, thread_id: str) -> None:
        """Let a thread go on without its checkpoints; what was done stands in the ledger."""
        if isinstance(self._flow.checkpointer, BaseCheckpointSaver):
            await self._flow.checkpointer.adelete_thread(thread_id)
        await self.wake(event, thread_id)


def _config(thread_id: str) -> RunnableConfig:
    return {"configurable": {"thread_id": thread_id}, "recursion_limit": RECURSION_LIMIT}
