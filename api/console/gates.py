"""What the last run of `make evals` came to, as its reports in this place tell it."""

import asyncio
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime
from functools import lru_cache
from pathlib import Path

from pydantic import BaseModel, ConfigDict, Field, ValidationError

MOST_BYTES = 32_000_000
"""A report that is larger is none of ours."""


class Lenient(BaseModel):
    """A part of a report; what else stands there is not looked at."""

    model_config = ConfigDict(frozen=True, extra="ignore")


class Gate(Lenient):
    """What a figure is held to."""

    at_least: float | None = None
    at_most: float | None = None

    def holds(self, value: float | None) -> bool:
        """Tell whether a figure passes; one without a value passes nothing."""
        if value is None:
            return False
        low_enough = self.at_most is None or value <= self.at_most
        return low_enough and (self.at_least is None or value >= self.at_least)


class Measured(Lenient):
    """One figure."""

    name: str
    value: float | None = None
    n: int = 0
    low: float | None = None
    high: float | None = None


class Experiment(Lenient):
    """What came of a dataset."""

    dataset: str
    pack: str
    n: int
    measures: tuple[Measured, ...] = ()
    errors: tuple[str, ...] = ()


class Held(Lenient):
    """An experiment and its gates."""

    experiment: Experiment
    gates: dict[str, Gate] = Field(default_factory=dict)


class Report(Lenient):
    """One file of `make evals`."""

    made_at: datetime
    revision: str
    held: tuple[Held, ...]


@dataclass(frozen=True)
class GateRow:
    """A gate, the figure that is held to it, and whether it holds."""

    dataset: str
    measured: Measured
    gate: Gate
    holds: bool


@dataclass(frozen=True)
class LastRun:
    """The gates of the newest reports, those that do not hold first."""

    made_at: datetime
    revision: str
    rows: tuple[GateRow, ...]
    unanswered: int
    """Cases that could not be answered at all."""

    @property
    def failed(self) -> int:
        """How many do not hold."""
        return sum(not row.holds for row in self.rows)


async def last_run(folder: Path) -> LastRun | None:
    """Read the reports of a folder; None: there are none that can be read."""
    return await asyncio.to_thread(_last_run, folder)


def _last_run(folder: Path) -> LastRun | None:
    files = sorted(folder.glob("*.json")) if folder.is_dir() else []
    found = [_read(str(file), file.stat().st_mtime_ns) for file in files]
    reports = [one for one in found if one is not None]
    if not reports:
        return None
    rows = sorted(_rows(reports), key=lambda row: (row.holds, row.dataset, row.measured.name))
    return LastRun(
        made_at=max(one.made_at for one in reports),
        revision=" and ".join(dict.fromkeys(one.revision for one in reports)),
        rows=tuple(rows),
        unanswered=sum(len(held.experiment.errors) for one in reports for held in one.held),
    )


def _rows(reports: Iterable[Report]) -> Iterable[GateRow]:
    for report in reports:
        for held in report.held:
            for measured in held.experiment.measures:
                if measured.name in held.gates:
                    gate = held.gates[measured.name]
                    holds = gate.holds(measured.value)
                    yield GateRow(held.experiment.dataset, measured, gate, holds)


@lru_cache(maxsize=16)
def _read(path: str, _changed: int) -> Report | None:
    file = Path(path)
    try:
        if file.stat().st_size > MOST_BYTES:
            return None
        return Report.model_validate_json(file.read_bytes())
    except (OSError, ValidationError):  # gone meanwhile, or another JSON file
        return None
