"""The service as the MCP server reaches it: its HTTP API, with the key of whoever calls."""

from collections.abc import AsyncIterator, Callable, Generator, Mapping
from contextlib import asynccontextmanager
from typing import Any, NamedTuple, Protocol

import httpx
from pydantic import JsonValue
from starlette.types import ASGIApp

from tools.platform.egress_policy import is_loopback

IN_PROCESS = "http://localhost"
CALL_SECONDS = 660.0
"""Longer than any action may take (`seconds` of mcp.yaml and of an http call)."""
CONNECT_SECONDS = 10.0


class Answer(NamedTuple):
    """What the API answered: a resource, or a problem."""

    status: int
    body: Any  # JSON of any form

    @property
    def is_problem(self) -> bool:
        """Tell whether it refuses."""
        return self.status >= httpx.codes.BAD_REQUEST

    @property
    def detail(self) -> str:
        """The sentence of a problem."""
        return str(self.body.get("detail", "")) if isinstance(self.body, Mapping) else ""


class Api(Protocol):
    """What the MCP server needs of the service."""

    async def ask(
        self, method: str, path: str, query: Mapping[str, Any] | None = None, body: JsonValue = None
    ) -> Answer:
        """Send one request and read the whole answer; no service: a problem of 503 says so."""


class HttpApi:
    """The API at an address or in this process."""

    def __init__(self, client: httpx.AsyncClient) -> None:
        self._client = client

    async def ask(
        self, method: str, path: str, query: Mapping[str, Any] | None = None, body: JsonValue = None
    ) -> Answer:
        """Send one request and read the whole answer; see Api."""
        try:
            response = await self._client.request(method, path, params=query, json=body)
            return Answer(response.status_code, response.json())
        except httpx.HTTPError as error:
            detail = f"no service answers: {str(error) or type(error).__name__}"
            return Answer(httpx.codes.SERVICE_UNAVAILABLE, {"detail": detail})
        except ValueError:  # something between us and the service answers in its place
            detail = "what answers there is not the service"
            return Answer(httpx.codes.BAD_GATEWAY, {"detail": detail})


class _Bearer(httpx.Auth):
    """Asks for a token for each request: those that we sign expire, and a key may be replaced."""

    def __init__(self, token: Callable[[], str]) -> None:
        self._token = token

    def auth_flow(self, request: httpx.Request) -> Generator[httpx.Request, httpx.Response, None]:
        """Send a request with its token."""
        request.headers["Authorization"] = f"Bearer {self._token()}"
        yield request


@asynccontextmanager
async def api_in_process(
    app: ASGIApp, token: Callable[[], str], headers: Mapping[str, str] | None = None
) -> AsyncIterator[HttpApi]:
    """Open the API of an application of this process; nothing leaves the process."""
    transport = httpx.ASGITransport(app)
    async with _client(token, IN_PROCESS, headers, transport) as client:
        yield HttpApi(client)


@asynccontextmanager
async def api_at(address: str, token: Callable[[], str]) -> AsyncIterator[HttpApi]:
    """Open the API of a running service; no proxy stands between us and our own machine."""
    async with _client(token, address) as client:
        yield HttpApi(client)


def _client(
    token: Callable[[], str],
    address: str,
    headers: Mapping[str, str] | None = None,
    transport: httpx.AsyncBaseTransport | None = None,
) -> httpx.AsyncClient:
    return httpx.AsyncClient(
        base_url=address,
        auth=_Bearer(token),
        headers=headers,
        timeout=httpx.Timeout(CALL_SECONDS, connect=CONNECT_SECONDS),
        transport=transport,
        trust_env=transport is None and not is_loopback(httpx.URL(address).host),
    )
