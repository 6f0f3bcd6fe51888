"""The fast path: the first nodes of the graph, walked without a run of it.

Most of a stream ends in silence there. Its record, its stages and what is remembered of it are
those of the graph; what it lacks is a thread's checkpoint, which nobody goes back to.
"""

from dataclasses import dataclass

from langchain_core.runnables import RunnableConfig

from graph.flow import (
    after_relevance,
    after_salience,
    build_assess_relevance,
    build_filter_salience,
    build_receive,
    build_write_record,
)
from graph.wiring.toolbox import Toolbox
from nodes.assess_relevance import AssessRelevance
from nodes.filter_salience import FilterSalience
from nodes.receive import Receive
from nodes.write_record import WriteRecord
from state.event import Event
from state.record import DecisionRecord
from state.stages import Assessed, Gathered, Opened, Received, Weighed

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
        received = Received(**await self.receive(Opened(event=event), config))
        if received.arrival.standing != "accepted":
            return None
        ended = await self._ended(received)
        if ended is None:
            return None
        return (await self.writing(Gathered(**dict(ended)), config)).get("record")

    async def _ended(self, received: Received) -> Weighed | None:
        """Judge it as the graph does; None: the graph goes further than to its record."""
        weighed = Weighed(**{**dict(received), **await self.filtering(received)})
        if await after_salience(weighed) == RECORD:
            return weighed
        if self.assessing.band is not None:  # a model is asked once, in the graph
            return None
        assessed = Assessed(**{**dict(weighed), **await self.assessing(weighed)})
        return assessed if await after_relevance(assessed) == RECORD else None

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
