"""Metrics: how good the predictions are, how people answer, and that no harm was done."""

from typing import Annotated

from fastapi import APIRouter, Query
from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response

from api.dependencies import Caller, TheExecutive
from api.describing import answers, problems
from api.query_examples import METRICS
from api.query_payloads import SinceFilter, seconds_of
from api.route import KeyedRoute
from state.query import Metrics
from tools.queries.prometheus import MEDIA_TYPE, exposition

router = APIRouter(route_class=KeyedRoute, tags=["metrics"])


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
) -> Metrics | Response:
    """Count chips, executions, undos, answers and hard false positives of your tenant."""
    metrics = await executive.queries.metrics(caller.tenant_id, since=seconds_of(wanted.since))
    accepted = request.headers.get("accept", "")
    if "text/plain" in accepted or "openmetrics" in accepted:
        return PlainTextResponse(exposition(metrics, caller.tenant_id), media_type=MEDIA_TYPE)
    return metrics
