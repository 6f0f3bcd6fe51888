"""Tell a store that others watch how the figures stand; when it is down, nothing else is."""

from dataclasses import dataclass
from typing import Protocol

import structlog

from state.errors import Unreachable
from state.quality import QualityCounts
from tools.quality.log import SqlQuality

log = structlog.get_logger()


class MetricsSink(Protocol):
    """A store of counters outside. See tools/quality/redis_sink.py."""

    async def put(self, tenant_id: str, pack: str, counts: QualityCounts) -> None:
        """Write the counters of a pack as they stand.

        Raises:
            Unreachable: they could not be written; send them again.
        """
        ...

    async def close(self) -> None:
        """Hang up."""
        ...


@dataclass
class Exporting:
    """Sends what has changed, absolute and never a difference: a lost one heals with the next."""

    quality: SqlQuality
    sink: MetricsSink
    problem: str = ""
    """Why the last attempt failed; empty: it did not."""
    _has_begun: bool = False

    async def export(self) -> int:
        """Send the counters of every pack that moved, and tell how many; failures are kept."""
        if not self._has_begun:
            self.quality.changed.update(await self.quality.known())
            self._has_begun = True
        moved = sorted(self.quality.changed)
        for done, (tenant_id, pack) in enumerate(moved):
            self.quality.changed.discard((tenant_id, pack))
            try:
                counts = await self.quality.counts(tenant_id, pack)
                await self.sink.put(tenant_id, pack, counts)
            except Unreachable as error:
                self.quality.changed.update(moved[done:])
                if not self.problem:  # once, and not every second
                    log.warning("metrics_sink_down", reason=str(error))
                self.problem = str(error)
                return done
        if moved:
            self.problem = ""
        return len(moved)

    async def close(self) -> None:
        """Hang up."""
        await self.sink.close()
