"""Paths and methods nobody serves: refused as everything else is, and only where we serve."""

from collections.abc import Sequence

from fastapi import APIRouter, FastAPI
from fastapi.exception_handlers import http_exception_handler
from fastapi.routing import APIRoute
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import BaseRoute
from starlette.types import Scope

from api.http.problems import METHOD_NOT_ALLOWED, NOT_FOUND, Problem
from api.http.route import OpenRoute, finish, refusal

_METHODS = ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"]


def unknown_under_v1(known: Sequence[BaseRoute]) -> APIRouter:
    """Serve the rest of /v1, so that a server we are mounted in never answers for us."""
    router = APIRouter(route_class=OpenRoute)

    @router.api_route("/v1/{rest:path}", methods=_METHODS, include_in_schema=False)
    async def refuse(rest: str) -> Response:
        allowed = {
            method
            for route in known
            if isinstance(route, APIRoute) and route.path_regex.match(f"/v1/{rest}")
            for method in route.methods or ()
        }
        if allowed:
            names = ", ".join(sorted(allowed))
            raise Problem(METHOD_NOT_ALLOWED, f"use {names}", headers={"Allow": names})
        raise Problem(NOT_FOUND, "no such resource; / lists what there is")

    return router


def refuse_in_our_manner(app: FastAPI) -> None:
    """Answer 404 and 405 with problems, and leave those of a server around us as they are."""

    async def on_http_exception(request: Request, error: Exception) -> Response:
        if not isinstance(error, HTTPException):  # registered for nothing else
            raise error
        if not _is_ours(request.scope):
            return await http_exception_handler(request, error)
        response = refusal(request, error)
        finish(request, response)
        return response

    app.add_exception_handler(HTTPException, on_http_exception)


def _is_ours(scope: Scope) -> bool:
    # No endpoint: no route matched at all, which cannot happen where a server's catch-all stands.
    endpoint = scope.get("endpoint")
    return endpoint is None or getattr(endpoint, "__module__", "").startswith("api.")
