"""Measures: that no harm was done, how people answer, and how policy keeps its word over time."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Annotated

from fastapi import APIRouter, Query
from starlette.responses import Response

from api.console.forms import FormRequest
from api.console.gates import last_run
from api.console.pages import render
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
    plot_of,
)
from api.console.route import ConsoleRoute
from api.dependencies import Caller, TheExecutive
from graph.runner import Executive
from state.quality import QualityMetrics

router = APIRouter(route_class=ConsoleRoute, include_in_schema=False)

SPANS: Mapping[str, tuple[str, int, int]] = {
    "day": ("a day", 1, 60),
    "week": ("a week", 7, 360),
    "month": ("30 days", 30, 1_440),
    "all": ("all", 0, 1_440),
}
"""How far back to look: its name, in days (0: to the first), and the minutes of a bar."""


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
    _name, days, minutes = SPANS[span]
    since = (now - timedelta(days=days)).timestamp() if days else 0.0
    spans = await executive.queries.over_time(
        caller.tenant_id, aggregate_minutes=minutes, since=since
    )
    context = {
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
        "rates": [(name, field) for name, _colour, field in KEPT_WORDS],
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
