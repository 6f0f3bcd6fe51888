"""Measures: harm, answers and policy quality over time.

And the thresholds of the last evals run.
"""

import asyncio
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from functools import lru_cache
from pathlib import Path
from typing import Annotated

from fastapi import APIRouter, Query
from pydantic import BaseModel, ConfigDict, Field, ValidationError
from starlette.responses import Response

from api.console.forms import FormRequest
from api.console.plots import (
    ANSWERS,
    HARM,
    HEIGHT,
    KEPT_WORDS,
    RATES,
    STARTED,
    TICKS,
    TIMES,
    WIDTH,
    Plot,
    curve_name,
    plot_of,
)
from api.console.rendering import render
from api.console.route import ConsoleRoute
from api.http.dependencies import Caller, TheExecutive
from graph.executive import Executive
from state.quality import QualityMetrics

MOST_BYTES = 32_000_000
"""A report that is larger is none of ours."""


class LenientModel(BaseModel):
    """A part of a report; what else stands there is not looked at."""

    model_config = ConfigDict(frozen=True, extra="ignore")


class Threshold(LenientModel):
    """What a figure is held to."""

    at_least: float | None = None
    at_most: float | None = None

    def holds(self, value: float | None) -> bool:
        """Tell whether a figure passes; one without a value passes nothing."""
        if value is None:
            return False
        low_enough = self.at_most is None or value <= self.at_most
        return low_enough and (self.at_least is None or value >= self.at_least)


class Measured(LenientModel):
    """One figure."""

    name: str
    value: float | None = None
    n: int = 0
    low: float | None = None
    high: float | None = None


class Experiment(LenientModel):
    """What came of a dataset."""

    dataset: str
    pack: str
    n: int
    measures: tuple[Measured, ...] = ()
    errors: tuple[str, ...] = ()


class JudgedExperiment(LenientModel):
    """An experiment and its gates."""

    experiment: Experiment
    gates: dict[str, Threshold] = Field(default_factory=dict)


class Report(LenientModel):
    """One file of `make evals`."""

    made_at: datetime
    revision: str
    held: tuple[JudgedExperiment, ...]


@dataclass(frozen=True)
class ThresholdRow:
    """A gate, the figure that is held to it, and whether it holds."""

    dataset: str
    measured: Measured
    gate: Threshold
    holds: bool


@dataclass(frozen=True)
class LastRun:
    """The gates of the newest reports, those that do not hold first."""

    made_at: datetime
    revision: str
    rows: tuple[ThresholdRow, ...]
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


def _rows(reports: Iterable[Report]) -> Iterable[ThresholdRow]:
    for report in reports:
        for held in report.held:
            for measured in held.experiment.measures:
                if measured.name in held.gates:
                    gate = held.gates[measured.name]
                    holds = gate.holds(measured.value)
                    yield ThresholdRow(held.experiment.dataset, measured, gate, holds)


@lru_cache(maxsize=16)
def _read(path: str, _changed: int) -> Report | None:
    file = Path(path)
    try:
        if file.stat().st_size > MOST_BYTES:
            return None
        return Report.model_validate_json(file.read_bytes())
    except (OSError, ValidationError):  # gone meanwhile, or another JSON file
        return None


router = APIRouter(route_class=ConsoleRoute, include_in_schema=False)

SPANS: Mapping[str, tuple[int, int]] = {
    "day": (1, 60),
    "week": (7, 360),
    "month": (30, 1_440),
    "all": (0, 1_440),
}
"""How far back to look, in days (0: to the first), and the minutes of a bar."""


@dataclass(frozen=True)
class PackQuality:
    """How one pack keeps its word."""

    now: QualityMetrics
    plot: Plot | None


@router.get("/console/measures")
async def measures(
    request: FormRequest,
    caller: Caller,
    executive: TheExecutive,
    span: Annotated[str, Query(pattern="^(day|week|month|all)$")] = "week",
) -> Response:
    """Count as the API's metrics do."""
    now = datetime.now(UTC)
    days, minutes = SPANS[span]
    since = (now - timedelta(days=days)).timestamp() if days else 0.0
    spans = await executive.queries.over_time(
        caller.tenant_id, aggregate_minutes=minutes, since=since
    )
    context = {
        "regrets": await executive.regrets.counts(executive.readers.of(caller), since=since),
        "metrics": await executive.queries.metrics(caller.tenant_id, since=since),
        "answers": plot_of(spans, ANSWERS, now, minutes=minutes),
        "harm": plot_of(spans, HARM, now, minutes=minutes, columns=STARTED),
        "times": plot_of(spans, TIMES, now, minutes=minutes, columns=STARTED, magnitudes=TICKS),
        "run": await last_run(executive.settings.reports_dir),
        "packs": [
            await _quality(executive, caller.tenant_id, pack.name, minutes, since, now)
            for pack in executive.catalogue.packs
        ],
        "span": span,
        "spans": SPANS,
        "rates": [(curve_name(field), field) for _colour, field in KEPT_WORDS],
        "size": (WIDTH, HEIGHT),
    }
    return render(request, "measures.html", context)


async def _quality(
    executive: Executive, tenant_id: str, pack: str, minutes: int, since: float, now: datetime
) -> PackQuality:
    history = await executive.quality.history(
        tenant_id, pack, aggregate_minutes=minutes, since=since
    )
    plot = plot_of(history.buckets, RATES, now, minutes=minutes)
    return PackQuality(await executive.quality.metrics(tenant_id, pack), plot)
