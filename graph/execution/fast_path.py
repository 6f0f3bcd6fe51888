"""The fast path of events that nobody is told about.

Same stages, one transaction, no run of the graph.
"""

from dataclasses import dataclass

from graph.flow import build_filter_salience, build_receive, build_write_record
from graph.wiring.toolbox import Toolbox
from nodes.filter_salience import FilterSalience
from nodes.receive import Receive
from nodes.write_record import WriteRecord
from state.delivered import Delivered
from state.ending import Ending
from state.event import Event
from state.record import DecisionRecord
from state.stages import Assessed, Gathered, Received, Weighed
from tools.attention.filters import RelevanceFilters
from tools.storage.decisions import SqlDecisions

SILENT = ("pass", "drop")
"""Verdicts after which the graph goes straight to the record, too."""


@dataclass(frozen=True)
class FastPath:
    """Passes over what the first stages of the graph would pass over, without a run of it.

    Most of a stream is of that kind. Its record, its stages and what is remembered of it are those
    of the graph; what it lacks is a thread's checkpoint, which nobody goes back to.
    """

    decisions: SqlDecisions
    receive: Receive
    filtering: FilterSalience
    gates: RelevanceFilters | None
    """None: a model may tip what the gates say, and only what is dull is passed over here."""
    writing: WriteRecord

    async def take(self, event: Event, thread_id: str) -> DecisionRecord | None:
        """Record an event as passed over; None: it is nothing of that kind, or was begun before."""
        if not self._may_be(event):
            return None
        now = self.receive.clock.now()
        twins = self.receive.inbox.twins_of(event.decision_id) if self.receive.inbox else ()

        def judge(delivered: Delivered) -> Ending | None:
            state = self._judged(Received.model_validate(self.receive.taken_in(delivered, now)))
            return None if state is None else self.writing.ending(Gathered(**dict(state)))

        ending = await self.decisions.pass_over(
            event.at(now), judge, thread_id=thread_id, twins=twins
        )
        return None if ending is None else self.writing.told(ending.record, ending.stages)

    def _may_be(self, event: Event) -> bool:
        """Tell whether it is worth a look: nothing that waits for an encoder or alarms is."""
        weighing = self.filtering.weighing
        alarms = event.salience is not None and (
            event.salience.threat >= weighing.tuning.dull_below
        )
        return event.kind == "ambient" and not alarms and not weighing.asks_encoder(event)

    def _judged(self, received: Received) -> Weighed | None:
        """Weigh and judge it; None: it is not passed over."""
        weighed = Weighed(**{**dict(received), **self.filtering.weighed(received)})
        if weighed.salience.dull:
            return weighed
        if self.gates is None:
            return None
        assessed = Assessed(**dict(weighed), relevance=self.gates.judge(weighed))
        return assessed if assessed.relevance.verdict in SILENT else None


def build_fast_path(box: Toolbox) -> FastPath:
    """Build it of the stages that the graph is built of."""
    return FastPath(
        decisions=box.decisions,
        receive=build_receive(box),
        filtering=build_filter_salience(box),
        gates=None if box.models.wording else box.gates,
        writing=build_write_record(box),
    )
