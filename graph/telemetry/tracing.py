"""OpenTelemetry traces: a span a decision and a span a node, with codes and numbers.

Never with text.
"""

import asyncio
import time
from collections.abc import Mapping, Sequence
from threading import Thread
from typing import TYPE_CHECKING, Any
from uuid import UUID

from langchain_core.callbacks import BaseCallbackHandler
from langgraph.errors import GraphBubbleUp

from graph.settings import Settings
from state.record import DecisionRecord

if TYPE_CHECKING:
    from opentelemetry.sdk.trace import TracerProvider
    from opentelemetry.trace import Span, Tracer

NAME = "prefrontal"
ENDS_WITHIN_SECONDS = 5
_TOLD = (
    *("outcome", "reason", "path", "strategy", "execution_class", "action", "timing"),
    *("response_type", "output", "relevance", "threshold", "threat", "confidence"),
)
"""What a span says of a record: codes and numbers; never a text, a name or an argument."""


class Tracing:
    """Sends spans to a collector; without one it does nothing, and nothing of it is imported."""

    def __init__(self, provider: "TracerProvider | None" = None) -> None:
        self._provider = provider
        self._tracer = provider.get_tracer(NAME) if provider else None

    @property
    def callbacks(self) -> Sequence[BaseCallbackHandler]:
        """Hand out what a graph has to call."""
        return (NodeSpans(self._tracer),) if self._tracer else ()

    def passed_over(self, record: DecisionRecord, began_ns: int) -> None:
        """Tell of a decision that ended without a run of the graph."""
        if self._tracer is None:
            return
        span = self._tracer.start_span("decide", start_time=began_ns)
        span.set_attributes({"prefrontal.short_way": True, **_attributes(record)})
        span.end()

    async def close(self) -> None:
        """Send what is left; after ENDS_WITHIN_SECONDS what nobody took is lost."""
        if self._provider is None:
            return
        # The library tries again, batch after batch, for half a minute: no end waits for that.
        sending = Thread(target=self._provider.shutdown, daemon=True)
        sending.start()
        await asyncio.to_thread(sending.join, ENDS_WITHIN_SECONDS)


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
            span.set_attributes(_attributes(record))
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


def build_tracing(settings: Settings) -> Tracing:
    """Build what sends spans to EXECUTIVE_OTLP_ENDPOINT; without one, nothing is sent."""
    if settings.otlp_endpoint is None:
        return Tracing()
    from importlib.metadata import version

    from opentelemetry.exporter.otlp.proto.http.trace_exporter import OTLPSpanExporter
    from opentelemetry.sdk.resources import Resource
    from opentelemetry.sdk.trace import TracerProvider
    from opentelemetry.sdk.trace.export import BatchSpanProcessor

    named = {"service.name": NAME, "service.version": version(NAME)}
    provider = TracerProvider(resource=Resource.create(named), shutdown_on_exit=False)
    exporter = OTLPSpanExporter(endpoint=settings.otlp_endpoint, timeout=ENDS_WITHIN_SECONDS)
    provider.add_span_processor(BatchSpanProcessor(exporter))
    return Tracing(provider)


def now_ns() -> int:
    """Tell when a span begins, on the clock that spans are told by."""
    return time.time_ns()


def _attributes(record: DecisionRecord) -> dict[str, str | float]:
    told = {f"prefrontal.{name}": getattr(record, name) for name in _TOLD}
    kept = {name: value for name, value in told.items() if value is not None}
    return {"prefrontal.decision_id": record.decision_id, **kept}
