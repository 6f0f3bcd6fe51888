"""What is told to come back, counted: for Prometheus, and in a line of the log a second."""

import time
from collections import Counter
from dataclasses import dataclass, field
from typing import Literal

import structlog

from api.http.connection import CLOSED

Why = Literal["places", "full", "reads", "minute", "events", "streams"]
"""The tenant's places, everybody's, too many reads, a key's minute, a tenant's rate, streams."""

TOLD_SECONDS = 1.0
"""A flood is one line of the log in so many seconds: a line each would cost as much as it stops."""

_log = structlog.get_logger("api.http.door")


@dataclass
class Refused:
    """Counts of this process, from its start."""

    _counts: Counter[tuple[str | None, Why]] = field(default_factory=Counter)
    _untold: int = 0
    _told_at: float = -TOLD_SECONDS

    def count(self, tenant_id: str | None, why: Why) -> None:
        """Count one; without a tenant it was somebody we had not seen yet."""
        self._counts[tenant_id, why] += 1

    def tell(self) -> None:
        """Write down how many were refused at the door since the last line."""
        self._untold += 1
        now = time.monotonic()
        if now - self._told_at >= TOLD_SECONDS:
            _log.warning("refused_at_the_door", number=self._untold)
            self._untold, self._told_at = 0, now

    def exposition(self, tenant_id: str) -> str:
        """Write the counters of a tenant, and those that are nobody's, for Prometheus."""
        own, strangers = self._of(tenant_id), self._of(None)
        return "".join(
            (
                _family("requests_refused", "Requests told to come back, by why.", own, tenant_id),
                _family("strangers_refused", "The same, of keys not seen before.", strangers),
                _family("connections_closed", "Connections that were cut off, by why.", CLOSED),
            )
        )

    def _of(self, tenant_id: str | None) -> dict[str, int]:
        return {why: count for (whose, why), count in self._counts.items() if whose == tenant_id}


def _family(name: str, about: str, counts: dict[str, int], tenant_id: str | None = None) -> str:
    named = f"prefrontal_{name}_total"
    tenant = f'tenant="{tenant_id}",' if tenant_id else ""  # an id needs no escape, see TenantId
    lines = [f'{named}{{{tenant}why="{why}"}} {number}\n' for why, number in sorted(counts.items())]
    return f"# HELP {named} {about}\n# TYPE {named} counter\n" + "".join(lines)
