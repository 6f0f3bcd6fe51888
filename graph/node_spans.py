"""Spans of a graph's run and of each of its nodes, drawn from LangChain's callbacks."""

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any
from uuid import UUID

from langchain_core.callbacks import BaseCallbackHandler
from langgraph.errors import GraphBubbleUp

from graph.telemetry import attributes_of
from state.record import DecisionRecord

if TYPE_CHECKING:
    from opentelemetry.trace import Span, Tracer


class NodeSpans(BaseCallbackHandler):
    """Turns the runs of a graph into spans: the graph's own and one for each node."""

    run_inline = True

    def __init__(self, tracer: "Tracer") -> None:
        self._tracer = tracer
        self._open: dict[UUID, Span] = {}

    def on_chain_start(
        self,
        serialized: Mapping[str, Any] | None,  # langchain's own interface
        inputs: Any,  # what people said: no span has it
        *,
        run_id: UUID,
        parent_run_id: UUID | None = None,
        metadata: Mapping[str, Any] | None = None,
        **named: Any,
    ) -> None:
        """Begin the span of a run or a node; what else the library starts has none."""
        from opentelemetry.trace import set_span_in_context

        known, name = metadata or {}, named.get("name")
        parent = self._open.get(parent_run_id) if parent_run_id else None
        if parent_run_id is None:
            span = self._tracer.start_span("decide")
            span.set_attribute("prefrontal.thread_id", str(known.get("thread_id", "")))
        elif parent is not None and name == known.get("langgraph_node"):
            span = self._tracer.start_span(str(name), context=set_span_in_context(parent))
        else:
            return
        self._open[run_id] = span

    def on_chain_end(self, outputs: Any, *, run_id: UUID, **_named: Any) -> None:
        """End a span; that of the whole run says what came of it."""
        span = self._open.pop(run_id, None)
        if span is None:
            return
        record = outputs.get("record") if isinstance(outputs, Mapping) else None
        if isinstance(record, DecisionRecord):
            span.set_attributes(attributes_of(record))
        span.end()

    def on_chain_error(self, error: BaseException, *, run_id: UUID, **_named: Any) -> None:
        """End a span by what went wrong, by its kind alone; a question to people is no error."""
        from opentelemetry.trace import Status, StatusCode

        span = self._open.pop(run_id, None)
        if span is None:
            return
        if isinstance(error, GraphBubbleUp):
            span.set_attribute("prefrontal.interrupted", True)
        else:
            span.set_status(Status(StatusCode.ERROR, type(error).__name__))
        span.end()
