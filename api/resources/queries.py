"""The query log, metrics for people and for Prometheus, and quality over time."""

from collections.abc import AsyncIterator
from typing import Annotated

from fastapi import APIRouter, Body, Path, Query
from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response, StreamingResponse

from api.http.admission import Admission
from api.http.bodies import NDJSON
from api.http.dependencies import Caller, Identifier, TheAdmission, TheExecutive, TheTasks
from api.http.route import KeyedRoute
from api.openapi import describe_answer, describe_problems
from api.schemas.queries import (
    GAPS,
    METRICS,
    OBSERVATION,
    QUALITY,
    QUALITY_HISTORY,
    QUERIES,
    QUERY,
    REGRETS,
    SCRAPED,
    HistoryFilter,
    QueryFilter,
    QueryPage,
    SinceFilter,
    seconds_of,
    written,
)
from graph.executive import Executive
from state.cursor import read_cursor
from state.principal import Principal
from state.quality import QualityHistory, QualityMetrics, Regrets
from state.query import Gaps, Metrics, Observation
from state.query import Query as LoggedQuery
from state.reader import Reader
from tools.observability.metrics_export import MEDIA_TYPE, exposition
from tools.platform.texts import t
from tools.platform.unicode_safety import escape_json_controls

queries_router = APIRouter(route_class=KeyedRoute, tags=["queries"])


@queries_router.get(
    "/v1/queries",
    operation_id="list_queries",
    response_model=QueryPage,
    responses={
        200: describe_answer("QueryPage", QUERIES, t("api.answer.list_queries")),
        **describe_problems(401, 422, 503),
    },
)
async def list_queries(
    request: Request,
    wanted: Annotated[QueryFilter, Query()],
    caller: Caller,
    executive: TheExecutive,
) -> QueryPage | Response:
    """List what people of your tenant asked, in the form of the execution contract.

    `Accept: application/x-ndjson` gives the whole log from `since` on, a query a line.
    """
    since = seconds_of(wanted.since)
    if NDJSON in request.headers.get("accept", ""):
        lines = _lines(executive, executive.readers.of(caller), since)
        return StreamingResponse(lines, media_type=NDJSON)
    found = await executive.queries.page(
        executive.readers.of(caller),
        since=since,
        after=read_cursor(wanted.cursor) if wanted.cursor else None,
        limit=wanted.limit,
    )
    is_full = len(found) == wanted.limit
    return QueryPage(
        queries=tuple(found), next_cursor=written(found[-1].cursor) if is_full else None
    )


@queries_router.get(
    "/v1/queries/gaps",
    operation_id="list_gaps",
    responses={
        200: describe_answer("Gaps", GAPS, t("api.answer.list_gaps")),
        **describe_problems(401, 422, 503),
    },
)
async def list_gaps(
    wanted: Annotated[SinceFilter, Query()], caller: Caller, executive: TheExecutive
) -> Gaps:
    """List pairs of predicted and done that differ, the most frequent first."""
    return await executive.queries.gaps(
        executive.readers.of(caller), since=seconds_of(wanted.since)
    )


@queries_router.post(
    "/v1/queries/{decision_id}/observed",
    operation_id="observe_query",
    responses={
        200: describe_answer("Query", QUERY, t("api.answer.observe_query")),
        **describe_problems(400, 401, 403, 404, 409, 413, 415, 422, 429, 503),
    },
)
async def observe_query(
    decision_id: Identifier,
    observation: Annotated[Observation, Body(openapi_examples={"did": {"value": OBSERVATION}})],
    caller: Caller,
    executive: TheExecutive,
) -> LoggedQuery:
    """Record what was done elsewhere; it is compared with what was predicted, never executed.

    Who asked may say it, or a service with the role `integrator`.
    """
    return await executive.queries.observed(
        decision_id, caller, observation, reader=executive.readers.of(caller)
    )


async def _lines(executive: Executive, reader: Reader, since: float) -> AsyncIterator[bytes]:
    async for one in executive.queries.all(reader, since=since):
        yield f"{escape_json_controls(one.model_dump_json())}\n".encode()


metrics_router = APIRouter(route_class=KeyedRoute, tags=["metrics"])

PackName = Annotated[str, Path(pattern=r"^[A-Za-z0-9_]{1,200}$", description="a served pack")]


@metrics_router.get(
    "/v1/regrets",
    operation_id="list_regrets",
    responses={
        200: describe_answer("Regrets", REGRETS, t("api.answer.list_regrets")),
        **describe_problems(401, 422, 503),
    },
)
async def list_regrets(
    wanted: Annotated[SinceFilter, Query()], caller: Caller, executive: TheExecutive
) -> Regrets:
    """Count regretted utterances and silences per 100 events of your tenant, by week and source.

    An utterance is regretted by a bad rating, or when somebody is annoyed, mutes its topic or asks
    for quiet within two minutes; a silence by POST /v1/decisions/{decision_id}/feedback.
    """
    return await executive.regrets.counts(
        executive.readers.of(caller), since=seconds_of(wanted.since)
    )


@metrics_router.get(
    "/v1/metrics",
    operation_id="read_metrics",
    response_model=Metrics,
    responses={
        200: describe_answer("Metrics", METRICS, t("api.answer.read_metrics")),
        **describe_problems(401, 422, 503),
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
        return await _exposed(executive, admission, caller, since)
    return await executive.queries.metrics(caller.tenant_id, since=since)


@metrics_router.get(
    "/metrics",
    operation_id="scrape_metrics",
    response_class=PlainTextResponse,
    responses={
        200: {
            "description": t("api.answer.scrape_metrics"),
            "content": {"text/plain": {"example": SCRAPED}},
        },
        **describe_problems(401, 503),
    },
)
async def scrape_metrics(
    caller: Caller, executive: TheExecutive, admission: TheAdmission
) -> Response:
    """Count as /v1/metrics and /v1/metrics/{pack} do, in the text form; a scraper needs a key."""
    return await _exposed(executive, admission, caller, 0.0)


@metrics_router.get(
    "/v1/metrics/{pack}",
    operation_id="read_quality",
    responses={
        200: describe_answer("QualityMetrics", QUALITY, t("api.answer.read_quality")),
        **describe_problems(401, 404, 503),
    },
)
async def read_quality(pack: PackName, caller: Caller, executive: TheExecutive) -> QualityMetrics:
    """Count over a pack's turns: searches called, questions first, dates kept, stages made."""
    return await executive.quality.metrics(caller.tenant_id, pack)


@metrics_router.post(
    "/v1/metrics/{pack}/reset",
    operation_id="reset_quality",
    responses={
        200: describe_answer("QualityMetrics", QUALITY, t("api.answer.reset_quality")),
        **describe_problems(401, 403, 404, 429, 503),
    },
)
async def reset_quality(
    pack: PackName, caller: Caller, executive: TheExecutive, work: TheTasks
) -> QualityMetrics:
    """Count from now on; no turn is removed, and the history keeps all of them.

    Needs the role `admin` or `integrator`.
    """
    return await work.finish(executive.quality.reset(pack, caller))


@metrics_router.get(
    "/v1/metrics/{pack}/history",
    operation_id="read_quality_history",
    responses={
        200: describe_answer(
            "QualityHistory", QUALITY_HISTORY, t("api.answer.read_quality_history")
        ),
        **describe_problems(400, 401, 404, 422, 503),
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
    executive: Executive, admission: Admission, caller: Principal, since: float
) -> Response:
    tenant_id = caller.tenant_id
    metrics = await executive.queries.metrics(tenant_id, since=since)
    quality = await executive.quality.all_metrics(tenant_id)
    reader, counting = executive.readers.of(caller), executive.regrets
    regrets = await (counting.counts(reader, since=since) if since else counting.lately(reader))
    text = exposition(metrics, tenant_id, quality, regrets) + await executive.operating(tenant_id)
    text += admission.refused.exposition(tenant_id)
    return PlainTextResponse(text, media_type=MEDIA_TYPE)
