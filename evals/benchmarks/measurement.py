"""Measurements of samples, memory of a process, the machine and the event loop."""

import asyncio
import os
import platform
import sqlite3
import subprocess
from collections.abc import AsyncIterator, Awaitable, Callable, Coroutine, Sequence
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass, field
from datetime import UTC, datetime
from importlib.metadata import version
from pathlib import Path
from statistics import quantiles
from time import perf_counter_ns
from typing import Any, Literal, TypeVar

from state.noun import Noun

Unit = Literal["ms", "/s", "×", ""]


class Measurement(Noun):
    """What was measured, how often, and the middle and the slow end of it."""

    name: str
    n: int
    p50: float
    p95: float | None = None
    unit: Unit
    goal: str = ""


def summarise(
    name: str, samples: Sequence[float], unit: Unit = "ms", goal: str = ""
) -> Measurement:
    """Take the median and the 95th percentile; below 20 samples the latter means nothing."""
    cuts = quantiles(samples, n=100, method="inclusive") if len(samples) > 1 else [samples[0]] * 99
    return Measurement(
        name=name,
        n=len(samples),
        p50=round(cuts[49], 3),
        p95=round(cuts[94], 3) if len(samples) >= 20 else None,
        unit=unit,
        goal=goal,
    )


class Stopwatch:
    """Milliseconds since it was made."""

    def __init__(self) -> None:
        self._started = perf_counter_ns()

    @property
    def ms(self) -> float:
        """Tell how long it has been."""
        return (perf_counter_ns() - self._started) / 1e6


EVERY_SECONDS = 0.5
_MB = 2**20

T = TypeVar("T")


@dataclass
class MemoryCurve:
    """Resident megabytes from the first look to the last; empty where there is no /proc."""

    taken: list[float] = field(default_factory=list)

    @classmethod
    @asynccontextmanager
    async def of(cls, pid: int) -> AsyncIterator["MemoryCurve"]:
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


async def watch_memory(pid: int, work: Awaitable[T]) -> tuple[T, MemoryCurve]:
    """Wait for something, and look meanwhile how much memory a process takes."""
    async with MemoryCurve.of(pid) as curve:
        done = await work
    return done, curve


ROOT = Path(__file__).resolve().parents[2]
WITH_A_SAY = (
    "langgraph",
    "langgraph-checkpoint-sqlite",
    "langchain-core",
    "pydantic",
    "sqlalchemy",
    "fastapi",
    "uvicorn",
    "aiosqlite",
    "numpy",
    "onnxruntime",
)
"""Packages whose version moves the figures."""


class Machine(Noun):
    """The machine, what runs on it, and how busy it was with other things."""

    processor: str
    cores: int
    system: str
    python: str
    sqlite: str
    versions: dict[str, str]
    load_before: float | None


def describe_machine() -> Machine:
    """Describe the machine as it is now."""
    return Machine(
        processor=_processor(),
        cores=os.cpu_count() or 1,
        system=f"{platform.system()} {platform.release()} {platform.machine()}",
        python=f"{platform.python_implementation()} {platform.python_version()}",
        sqlite=sqlite3.sqlite_version,
        versions={name: version(name) for name in WITH_A_SAY},
        load_before=round(os.getloadavg()[0], 2) if hasattr(os, "getloadavg") else None,
    )


def file_name() -> str:
    """Name a result after the day and the commit; `dirty` when the tree was not as committed."""
    commit = _git("rev-parse", "--short", "HEAD") or "uncommitted"
    dirty = "-dirty" if _git("status", "--porcelain", "--untracked-files=no") else ""
    return f"{datetime.now(UTC):%Y-%m-%d}-{commit}{dirty}.json"


def _processor() -> str:
    try:
        lines = Path("/proc/cpuinfo").read_text("utf-8").splitlines()
    except OSError:
        return platform.processor() or "unknown"
    names = [line.partition(":")[2].strip() for line in lines if line.startswith("model name")]
    return names[0] if names else platform.processor() or "unknown"


def _git(*arguments: str) -> str:
    try:
        found = subprocess.run(  # noqa: S603 - fixed arguments
            ["git", *arguments],  # noqa: S607 - whichever git the person uses
            cwd=ROOT,
            capture_output=True,
            text=True,
            check=True,
        )
    except (OSError, subprocess.CalledProcessError):
        return ""
    return found.stdout.strip()


def run_on_service_loop(work: Coroutine[Any, Any, T]) -> T:
    """Run to the end on a new loop."""
    with asyncio.Runner(loop_factory=_served_by()) as runner:
        return runner.run(work)


def _served_by() -> Callable[[], asyncio.AbstractEventLoop] | None:
    """Give the loop's maker; None: the platform's own."""
    try:
        import uvloop
    except ImportError:  # Windows
        return None
    return uvloop.new_event_loop
