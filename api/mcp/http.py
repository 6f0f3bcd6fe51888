"""`/mcp`: the MCP server over streamable HTTP, without sessions; each request is one of ours.

The transport of the official SDK reads and answers a message; before it stand our manners: the
bearer key, Host and Origin (TrustedOrigins), strict and bounded JSON, a line of the log.
"""

import asyncio
from typing import TYPE_CHECKING, Any

from fastapi import APIRouter
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.types import Message

from api.http.dependencies import admission_of, executive_of
from api.http.problems import MALFORMED, METHOD_NOT_ALLOWED, Problem
from api.http.route import OpenRoute, request_id_of
from api.http.security import authenticate
from api.mcp.tools import Fault, fault_of, parse_fault
from tools.access import bearer_credentials
from tools.platform.texts import t

if TYPE_CHECKING:
    from mcp.server.lowlevel import Server

_OVER_OUR_API = ("tools/list", "tools/call")


class McpRoute(OpenRoute):
    """A route for MCP clients with an API key."""

    async def admit(self, request: Request) -> None:
        """Find out who is calling, before a byte of the body is read.

        The place that was taken at the door is given back: the requests to our API that come of
        this one take their own.
        """
        request.state.principal = await authenticate(request, executive_of(request).keys)
        if release := getattr(request.state, "release", None):  # a GET took none
            release()


router = APIRouter(route_class=McpRoute, include_in_schema=False)


@router.post("/mcp")
async def call_mcp(request: Request) -> Response:
    """Answer one message of the protocol; a notification is taken with 202."""
    try:
        message = await request.json()
    except Problem as problem:
        if problem.kind is not MALFORMED:
            raise
        return _refused(parse_fault(str(problem.detail)))
    if not isinstance(message, dict) or message.get("method") not in _OVER_OUR_API:
        await admission_of(request).count(request.state.principal)  # the others count themselves
    if fault := fault_of(message):
        return _refused(fault)
    from api.mcp.client import api_in_process
    from api.mcp.server import build_server

    token = bearer_credentials(request.headers.getlist("authorization")) or ""
    named = {"X-Request-ID": request_id_of(request)}
    if parent := request.headers.get("traceparent"):
        named["traceparent"] = parent
    public = executive_of(request).settings.public_url
    async with api_in_process(request.app, lambda: token, named) as api:
        pages = None if public is None else f"{public.rstrip('/')}/console"
        is_asked = {"id", "method"} <= message.keys()
        return await _answered(request, build_server(api, lambda: pages) if is_asked else None)


@router.api_route(
    "/mcp",
    methods=["GET", "HEAD", "PUT", "PATCH", "DELETE", "OPTIONS"],
)
async def refuse(request: Request) -> Response:
    """Refuse what a server without sessions and streams has no use for."""
    raise Problem(
        METHOD_NOT_ALLOWED, t("problem.use_methods", names="POST"), headers={"Allow": "POST"}
    )


async def _answered(request: Request, server: "Server[Any, Any] | None") -> Response:
    """Let the SDK's transport answer one message, and give its answer as ours.

    Args:
        server: who answers a request; None: it is none, and only its form is checked.
    """
    from mcp.server.streamable_http import StreamableHTTPServerTransport

    transport = StreamableHTTPServerTransport(mcp_session_id=None, is_json_response_enabled=True)
    body, sent = await request.body(), list[Message]()

    async def receive() -> Message:
        return {"type": "http.request", "body": body, "more_body": False}

    async def send(message: Message) -> None:
        sent.append(message)

    async with transport.connect() as (reading, writing):
        work = _run(server, reading, writing) if server else _drain(reading)
        running = asyncio.create_task(work)
        try:
            await transport.handle_request(request.scope, receive, send)
        finally:
            await transport.terminate()
            running.cancel()
            await asyncio.gather(running, return_exceptions=True)
    raw = b"".join(one.get("body", b"") for one in sent[1:])
    answer = Response(raw, status_code=sent[0]["status"])
    answer.raw_headers = [*sent[0]["headers"]]
    return answer


async def _run(server: "Server[Any, Any]", reading: Any, writing: Any) -> None:  # SDK's streams
    options = server.create_initialization_options()
    await server.run(reading, writing, options, stateless=True)


async def _drain(reading: Any) -> None:  # as above
    async for _message in reading:
        pass


def _refused(fault: Fault) -> Response:
    return JSONResponse(fault.answer, status_code=400 if fault.is_of_form else 200)
