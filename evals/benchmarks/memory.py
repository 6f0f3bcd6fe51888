"""How much memory a process takes while it works: a curve, to see whether it levels off."""

import asyncio
import os
from collections.abc import AsyncIterator, Awaitable, Sequence
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import TypeVar

from evals.benchmarks.measurement import Measurement

EVERY_SECONDS = 0.5
_MB = 2**20

T = TypeVar("T")


@dataclass
class Curve:
    """Resident megabytes from the first look to the last; empty where there is no /proc."""

    taken: list[float] = field(default_factory=list)

    @classmethod
    @asynccontextmanager
    async def of(cls, pid: int) -> AsyncIterator["Curve"]:
        """Look at a process again and again until the block ends."""
        curve = cls()
        watching = asyncio.create_task(curve._watch(pid))
        try:
            yield curve
        finally:
            watching.cancel()
            with suppress(asyncio.CancelledError):
                await watching
            curve._look(pid)

    def marks(self, parts: int) -> Sequence[float]:
        """Tell how much it was at the start and at the end of each of so many equal parts."""
        last = len(self.taken) - 1
        return [self.taken[round(last * part / parts)] for part in range(parts + 1)]

    def measurements(self, name: str) -> Sequence[Measurement]:
        """Tell the curve by its quarters, and what was added in the last three of them."""
        if len(self.taken) < 2:
            return ()
        quarters = self.marks(4)
        told = ", ".join(f"{each:.0f}" for each in quarters)
        return (
            Measurement(
                name=f"{name}: memory, quarters {told}",
                n=len(self.taken),
                p50=round(quarters[-1] / quarters[1], 3),
                unit="×",
                goal="flat: 1",
            ),
        )

    def __str__(self) -> str:
        if not self.taken:
            return "resident: unknown"
        told = " ".join(f"{each:.0f}" for each in self.marks(10))
        return f"resident, MB by tenths: {told}"

    async def _watch(self, pid: int) -> None:
        while True:
            self._look(pid)
            await asyncio.sleep(EVERY_SECONDS)

    def _look(self, pid: int) -> None:
        with suppress(OSError):
            pages = int(Path(f"/proc/{pid}/statm").read_text().split()[1])
            self.taken.append(pages * os.sysconf("SC_PAGE_SIZE") / _MB)


async def watched(pid: int, work: Awaitable[T]) -> tuple[T, Curve]:
    """Wait for something, and look meanwhile how much memory a process takes."""
    async with Curve.of(pid) as curve:
        done = await work
    return done, curve
