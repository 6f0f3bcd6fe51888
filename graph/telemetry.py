"""Metrics, log lines and traces of decisions; spans hold codes and numbers, never a text."""

import asyncio
import time
from bisect import bisect_left
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from threading import Thread
from typing import TYPE_CHECKING, Any

import structlog

from graph.settings import Settings
from state.event import Event
from state.notice import NoticeKind
from state.record import DecisionRecord
from tools.observability import SqlQueryLog
from tools.platform.texts import t

if TYPE_CHECKING:
    from opentelemetry.context import Context
    from opentelemetry.sdk.trace import TracerProvider
    from opentelemetry.trace import Span


NAME = "prefrontal"
ENDS_WITHIN_SECONDS = 5
_MOST_RUNS = 2_000
_TOLD = (
    *("outcome", "reason", "path", "strategy", "execution_class", "action", "timing"),
    *("response_type", "output", "relevance", "threshold", "threat", "confidence"),
)
"""What a span says of a record: codes and numbers; never a text, a name or an argument."""


class Tracing:
    """Sends spans to a collector; without one it does nothing, and nothing of it is imported."""

    def __init__(self, provider: "TracerProvider | None" = None) -> None:
        self._provider = provider
        self.tracer = provider.get_tracer(NAME) if provider else None
        self._runs: dict[str, Context] = {}

    def began(self, thread_id: str, span: "Span") -> None:
        """Remember the span of a run, the parent of what its thread leads to."""
        from opentelemetry.trace import set_span_in_context

        self._runs.setdefault(thread_id, set_span_in_context(span))
        if len(self._runs) > _MOST_RUNS:
            self._runs.pop(next(iter(self._runs)))

    def context_of_run(self, thread_id: str) -> "Context | None":
        """Return the context of the span of a thread's first run; None: it is forgotten."""
        return self._runs.get(thread_id)

    @contextmanager
    def within(self, event: Event) -> Iterator[None]:
        """Make the caller's span, where the event names one, the parent of what is traced here."""
        if self.tracer is None or event.traceparent is None:
            yield
            return
        from opentelemetry.context import attach, detach

        token = attach(context_of_caller(event.traceparent))
        try:
            yield
        finally:
            detach(token)

    def passed_over(self, record: DecisionRecord, began_ns: int) -> None:
        """Tell of a decision that ended without a run of the graph."""
        if self.tracer is None:
            return
        span = self.tracer.start_span("decide", start_time=began_ns)
        span.set_attributes({"prefrontal.short_way": True, **attributes_of(record)})
        span.end()

    async def close(self) -> None:
        """Send what is left; after ENDS_WITHIN_SECONDS what nobody took is lost."""
        if self._provider is None:
            return
        # The library tries again, batch after batch, for half a minute: no end waits for that.
        sending = Thread(target=self._provider.shutdown, daemon=True)
        sending.start()
        await asyncio.to_thread(sending.join, ENDS_WITHIN_SECONDS)


def build_tracing(settings: Settings) -> Tracing:
    """Build what sends spans to EXECUTIVE_OTLP_ENDPOINT; without one, nothing is sent."""
    if settings.otlp_endpoint is None:
        return Tracing()
    from importlib.metadata import version

    from opentelemetry.exporter.otlp.proto.http.trace_exporter import OTLPSpanExporter
    from opentelemetry.sdk.resources import Resource
    from opentelemetry.sdk.trace import TracerProvider
    from opentelemetry.sdk.trace.export import BatchSpanProcessor

    named = {"service.name": NAME, "service.version": version("prefrontal-server")}
    provider = TracerProvider(resource=Resource.create(named), shutdown_on_exit=False)
    exporter = OTLPSpanExporter(endpoint=settings.otlp_endpoint, timeout=ENDS_WITHIN_SECONDS)
    provider.add_span_processor(BatchSpanProcessor(exporter))
    return Tracing(provider)


def context_of_caller(traceparent: str) -> "Context":
    """Read a W3C trace context, as spans take their parent."""
    from opentelemetry.trace.propagation.tracecontext import TraceContextTextMapPropagator

    return TraceContextTextMapPropagator().extract({"traceparent": traceparent})


def now_ns() -> int:
    """Tell when a span begins, on the clock that spans are told by."""
    return time.time_ns()


def attributes_of(record: DecisionRecord) -> dict[str, str | float]:
    """Return what a span says of a record."""
    told = {f"prefrontal.{name}": getattr(record, name) for name in _TOLD}
    kept = {name: value for name, value in told.items() if value is not None}
    return {"prefrontal.decision_id": record.decision_id, **kept}


LOOK_SECONDS = 60.0
"""How often the ledger is counted when nobody asks."""

log = structlog.get_logger()


@dataclass
class HarmAlarm:
    """Counts in the ledger what was started without intent. Source: execution contract §2."""

    queries: SqlQueryLog
    _told: int = field(default=0)
    _next_look: float = field(default=0.0)

    async def look(self) -> None:
        """Count now and then, so that it is logged although nobody asks whether we are ready."""
        if time.monotonic() >= self._next_look:
            self._next_look = time.monotonic() + LOOK_SECONDS
            await self.problems()

    async def problems(self) -> list[str]:
        """Say how many there are; a number that has risen is logged, once."""
        count = await self.queries.count_harm()
        if count > self._told:
            log.error("hard_false_positives", count=count)
        self._told = count
        if not count:
            return []
        return [t("service.harm", count=count)]


BOUNDS = (0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0)
"""Upper bounds in seconds; what takes longer counts as infinite."""

_IN_A_LINE = (
    *("decision_id", "event_id", "outcome", "reason", "execution_class", "action_id"),
    *("path", "elapsed_ms"),
)


@dataclass
class DurationHistogram:
    """A histogram of one tenant's decisions."""

    within: list[int] = field(default_factory=lambda: [0] * (len(BOUNDS) + 1))
    total: float = 0.0

    def add(self, seconds: float) -> None:
        """Count one."""
        self.within[bisect_left(BOUNDS, seconds)] += 1
        self.total += seconds


class DecisionMetrics:
    """Counts in this process, from its start; what was decided for ever stands in the tables."""

    def __init__(self) -> None:
        self.outcomes: defaultdict[str, Counter[str]] = defaultdict(Counter)
        self.durations: defaultdict[str, DurationHistogram] = defaultdict(DurationHistogram)
        self.failures = 0
        self.model_calls: defaultdict[str, Counter[str]] = defaultdict(Counter)

    def hear(self, kind: NoticeKind, tenant_id: str, told: Mapping[str, Any]) -> None:
        """Count a decision as it is told, and write its line; one that waits is told twice.

        What is passed over is no news: its line is below what a service writes.
        """
        if kind not in ("decision", "approval") or "outcome" not in told:
            return
        self.outcomes[tenant_id][told["outcome"]] += 1
        for use in told.get("models") or ():
            self.model_calls[tenant_id][use["end"]] += 1
        tell = log.debug if told["outcome"] == "passed" else log.info
        tell("decided", tenant=tenant_id, **{name: told.get(name) for name in _IN_A_LINE})

    def took(self, tenant_id: str, seconds: float) -> None:
        """Count how long a decision took from its turn to its record or its question."""
        self.durations[tenant_id].add(seconds)

    def failed(self) -> None:
        """Count a decision that ended in an error; it is tried again."""
        self.failures += 1

    def exposition(self, tenant_id: str) -> str:
        """Write the counters in the text form of Prometheus."""
        tenant = _quoted(tenant_id)
        lines = [*_head("decisions_total", "counter", "Decisions since the start, by outcome.")]
        for outcome, count in sorted(self.outcomes[tenant_id].items()):
            lines.append(
                f'prefrontal_decisions_total{{tenant={tenant},outcome="{outcome}"}} {count}'
            )
        lines += _head("decision_failures_total", "counter", "Decisions that ended in an error.")
        lines.append(f"prefrontal_decision_failures_total {self.failures}")
        lines += _head("model_calls_total", "counter", "Calls of a model, by how they ended.")
        for end, count in sorted(self.model_calls[tenant_id].items()):
            lines.append(f'prefrontal_model_calls_total{{tenant={tenant},end="{end}"}} {count}')
        lines += _head("decision_seconds", "histogram", "From its turn to its record.")
        durations, below = self.durations[tenant_id], 0
        for bound, count in zip((*BOUNDS, "+Inf"), durations.within, strict=True):
            below += count
            lines.append(
                f'prefrontal_decision_seconds_bucket{{tenant={tenant},le="{bound}"}} {below}'
            )
        lines.append(f"prefrontal_decision_seconds_sum{{tenant={tenant}}} {durations.total:g}")
        lines.append(f"prefrontal_decision_seconds_count{{tenant={tenant}}} {below}")
        return "\n".join(lines) + "\n"


def _head(name: str, kind: str, about: str) -> tuple[str, str]:
    return f"# HELP prefrontal_{name} {about}", f"# TYPE prefrontal_{name} {kind}"


def _quoted(tenant_id: str) -> str:
    return f'"{tenant_id}"'  # a tenant's id needs no escape, see TenantId
