"""Liveness, readiness, the index of resources and the OpenAPI document."""

import asyncio
from importlib.metadata import PackageNotFoundError, version

from fastapi import APIRouter, FastAPI
from starlette.requests import Request
from starlette.responses import JSONResponse, Response

from api.http.dependencies import TheExecutive
from api.http.problems import NOT_READY, Problem
from api.http.route import OpenRoute
from api.openapi import describe_answer, describe_problems
from api.schemas.common import Index, Liveness, Readiness
from graph.executive import Executive
from tools.platform.texts import t

router = APIRouter(route_class=OpenRoute, tags=["health"])

_LINKS = {
    "openapi": "/openapi.json",
    "events": "/v1/events",
    "messages": "/v1/messages",
    "decisions": "/v1/decisions",
    "approvals": "/v1/approvals",
    "offers": "/v1/offers",
    "queries": "/v1/queries",
    "metrics": "/v1/metrics",
    "stream": "/v1/stream",
    "alive": "/livez",
    "ready": "/readyz",
}


def _product_version() -> str:
    try:
        return version("prefrontal-server")
    except PackageNotFoundError:  # run from a source tree that was never installed
        return "0+source"


PRODUCT_VERSION = _product_version()
"""Which release this is; read once, for it is read from a file."""

_INDEX = {"name": "Prefrontal", "version": PRODUCT_VERSION, "links": _LINKS}


@router.get(
    "/",
    operation_id="index",
    responses={200: describe_answer("Index", _INDEX, t("api.answer.index")), **describe_problems()},
)
async def index(request: Request) -> Index:
    """Name the resources of this service."""
    root = request.scope.get("root_path", "")
    links = {name: f"{root}{path}" for name, path in _LINKS.items()}
    return Index(name="Prefrontal", version=PRODUCT_VERSION, links=links)


@router.head("/livez", include_in_schema=False)
@router.get(
    "/livez",
    operation_id="is_alive",
    responses={
        200: describe_answer("Liveness", {"status": "alive"}, t("api.answer.is_alive")),
        **describe_problems(),
    },
)
async def is_alive() -> Liveness:
    """Answer, and no more: a restart would help when this does not."""
    return Liveness()


@router.head("/readyz", include_in_schema=False)
@router.get(
    "/readyz",
    operation_id="is_ready",
    responses={
        200: describe_answer(
            "Readiness", {"status": "ready", "degraded": []}, t("api.answer.is_ready")
        ),
        **describe_problems(503),
    },
)
async def is_ready(request: Request, executive: TheExecutive) -> Readiness:
    """Answer 503 with the reasons while events cannot be decided."""
    reasons = await _looked_once(request.app, executive)
    if reasons:
        sentence = t("problem.not_ready")
        raise Problem(NOT_READY, sentence, members={"reasons": list(reasons)})
    return Readiness(degraded=tuple(executive.degraded))


@router.get("/openapi.json", include_in_schema=False)
async def document(request: Request) -> Response:
    """Describe this API."""
    state = request.app.state
    if getattr(state, "document", None) is None:
        state.document = JSONResponse(request.app.openapi()).body
    return Response(state.document, media_type="application/json")


async def _looked_once(app: FastAPI, executive: Executive) -> list[str]:
    """Look whether it can decide, once for all who ask meanwhile: anybody may, and often."""
    looking: asyncio.Task[list[str]] | None = getattr(app.state, "looking", None)
    if looking is None or looking.done():
        looking = app.state.looking = asyncio.create_task(executive.problems())
    return await asyncio.shield(looking)
