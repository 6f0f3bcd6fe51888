"""Log one line a decision, count decisions for Prometheus.

And raise the alarm on hard false positives.
"""

import time
from bisect import bisect_left
from collections import Counter, defaultdict
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import structlog

from state.notice import NoticeKind
from tools.observability.query_log import SqlQueryLog

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
        return [
            f"{count} hard false positive(s): started without intent; see `prefrontal queries harm`"
        ]


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
