"""Queries: the log of what people asked, and what they then did."""

from collections.abc import AsyncIterator
from typing import Annotated

from fastapi import APIRouter, Body, Query
from starlette.requests import Request
from starlette.responses import Response, StreamingResponse

from api.dependencies import Caller, Identifier, TheExecutive
from api.examples.queries import GAPS, OBSERVATION, QUERIES, QUERY
from api.http.bodies import NDJSON
from api.http.describing import answers, problems
from api.http.route import KeyedRoute
from api.payloads.queries import QueryFilter, QueryPage, SinceFilter, seconds_of, written
from graph.runner import Executive
from state.cursor import read_cursor
from state.query import Gaps, Observation
from state.query import Query as LoggedQuery
from state.reader import Reader
from tools.queries.log import cursor_at
from tools.visible import inert_json

router = APIRouter(route_class=KeyedRoute, tags=["queries"])


@router.get(
    "/v1/queries",
    operation_id="list_queries",
    summary="List the query log, oldest first",
    response_model=QueryPage,
    responses={
        200: answers("QueryPage", QUERIES, "A page; with Accept: application/x-ndjson all lines"),
        **problems(401, 422, 503),
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
        lines = _lines(executive, executive.reader(caller), since)
        return StreamingResponse(lines, media_type=NDJSON)
    found = await executive.queries.page(
        executive.reader(caller),
        since=since,
        after=read_cursor(wanted.cursor) if wanted.cursor else None,
        limit=wanted.limit,
    )
    is_full = len(found) == wanted.limit
    return QueryPage(
        queries=tuple(found), next_cursor=written(cursor_at(found[-1])) if is_full else None
    )


@router.get(
    "/v1/queries/gaps",
    operation_id="list_gaps",
    summary="Compare predictions with what people did",
    responses={200: answers("Gaps", GAPS, "The gaps"), **problems(401, 422, 503)},
)
async def list_gaps(
    wanted: Annotated[SinceFilter, Query()], caller: Caller, executive: TheExecutive
) -> Gaps:
    """List pairs of predicted and done that differ, the most frequent first."""
    return await executive.queries.gaps(executive.reader(caller), since=seconds_of(wanted.since))


@router.post(
    "/v1/queries/{decision_id}/observed",
    operation_id="observe_query",
    summary="Tell what a person did after a query",
    responses={
        200: answers("Query", QUERY, "The query"),
        **problems(400, 401, 403, 404, 409, 413, 415, 422, 429, 503),
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
        decision_id, caller, observation, reader=executive.reader(caller)
    )


async def _lines(executive: Executive, reader: Reader, since: float) -> AsyncIterator[bytes]:
    async for one in executive.queries.all(reader, since=since):
        yield f"{inert_json(one.model_dump_json())}\n".encode()
