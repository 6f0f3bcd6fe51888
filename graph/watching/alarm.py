"""The alarm on hard false positives: there must be none, and somebody must hear if there are."""

import time
from dataclasses import dataclass, field

import structlog

from tools.queries.log import SqlQueries

LOOK_SECONDS = 60.0
"""How often the ledger is counted when nobody asks."""

log = structlog.get_logger()


@dataclass
class HarmAlarm:
    """Counts in the ledger what was started without intent. Source: execution contract §2."""

    queries: SqlQueries
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
