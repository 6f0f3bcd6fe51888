"""Metrics: how good the predictions are, how people answer, and that no harm was done."""

from typing import Annotated

from fastapi import APIRouter, Path, Query
from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response

from api.dependencies import Caller, TheAdmission, TheExecutive, TheWork
from api.examples.queries import METRICS, QUALITY, QUALITY_HISTORY, SCRAPED
from api.http.admission import Admission
from api.http.describing import answers, problems
from api.http.route import KeyedRoute
from api.payloads.queries import HistoryFilter, SinceFilter, seconds_of
from graph.runner import Executive
from state.quality import QualityHistory, QualityMetrics
from state.query import Metrics
from tools.queries.prometheus import MEDIA_TYPE, exposition

router = APIRouter(route_class=KeyedRoute, tags=["metrics"])

PackName = Annotated[str, Path(pattern=r"^[A-Za-z0-9_]{1,200}$", description="a served pack")]


@router.get(
    "/v1/metrics",
    operation_id="read_metrics",
    summary="Count over queries and actions",
    response_model=Metrics,
    responses={
        200: answers("Metrics", METRICS, "The figures; with Accept: text/plain for Prometheus"),
        **problems(401, 422, 503),
    },
)
async def read_metrics(
    request: Request,
    wanted: Annotated[SinceFilter, Query()],
    caller: Caller,
    executive: TheExecutive,
    admission: TheAdmission,
) -> Metrics | Response:
    """Count chips, executions, undos, answers and hard false positives of your tenant."""
    since = seconds_of(wanted.since)
    accepted = request.headers.get("accept", "")
    if "text/plain" in accepted or "openmetrics" in accepted:
        return await _exposed(executive, admission, caller.tenant_id, since)
    return await executive.queries.metrics(caller.tenant_id, since=since)


@router.get(
    "/metrics",
    operation_id="scrape_metrics",
    summary="Give Prometheus every figure",
    response_class=PlainTextResponse,
    responses={
        200: {
            "description": "The figures of your tenant and of every pack, as gauges",
            "content": {"text/plain": {"example": SCRAPED}},
        },
        **problems(401, 503),
    },
)
async def scrape_metrics(
    caller: Caller, executive: TheExecutive, admission: TheAdmission
) -> Response:
    """Count as /v1/metrics and /v1/metrics/{pack} do, in the text form; a scraper needs a key."""
    return await _exposed(executive, admission, caller.tenant_id, 0.0)


@router.get(
    "/v1/metrics/{pack}",
    operation_id="read_quality",
    summary="Tell how well policy keeps its word",
    responses={
        200: answers("QualityMetrics", QUALITY, "The rates since the last reset"),
        **problems(401, 404, 503),
    },
)
async def read_quality(pack: PackName, caller: Caller, executive: TheExecutive) -> QualityMetrics:
    """Count over a pack's turns: searches called, questions first, dates kept, stages made."""
    return await executive.quality.metrics(caller.tenant_id, pack)


@router.post(
    "/v1/metrics/{pack}/reset",
    operation_id="reset_quality",
    summary="Let the rates of a pack begin anew",
    responses={
        200: answers("QualityMetrics", QUALITY, "The rates until now"),
        **problems(401, 403, 404, 429, 503),
    },
)
async def reset_quality(
    pack: PackName, caller: Caller, executive: TheExecutive, work: TheWork
) -> QualityMetrics:
    """Count from now on; no turn is removed, and the history keeps all of them.

    Needs the role `admin` or `integrator`.
    """
    return await work.finish(executive.quality.reset(pack, caller))


@router.get(
    "/v1/metrics/{pack}/history",
    operation_id="read_quality_history",
    summary="Tell how the rates of a pack went",
    responses={
        200: answers("QualityHistory", QUALITY_HISTORY, "The rates by span, oldest first"),
        **problems(400, 401, 404, 422, 503),
    },
)
async def read_quality_history(
    pack: PackName,
    wanted: Annotated[HistoryFilter, Query()],
    caller: Caller,
    executive: TheExecutive,
) -> QualityHistory:
    """Count over spans of `aggregate_minutes`, whatever was reset meanwhile."""
    return await executive.quality.history(
        caller.tenant_id,
        pack,
        aggregate_minutes=wanted.aggregate_minutes,
        since=seconds_of(wanted.since),
    )


async def _exposed(
    executive: Executive, admission: Admission, tenant_id: str, since: float
) -> Response:
    metrics = await executive.queries.metrics(tenant_id, since=since)
    quality = await executive.quality.all_metrics(tenant_id)
    text = exposition(metrics, tenant_id, quality) + await executive.operating(tenant_id)
    text += admission.refused.exposition(tenant_id)
    return PlainTextResponse(text, media_type=MEDIA_TYPE)
