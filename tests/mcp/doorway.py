"""A harbour behind a real server, and MCP clients of it."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import Any

import httpx
from mcp import ClientSession
from mcp.client.streamable_http import streamable_http_client
from mcp.types import CallToolResult

from state.principal import Principal
from tests.graph.harbour import Harbour

Json = dict[str, Any]
PEOPLE = {
    "agent": Principal(user="tug-agent", tenant_id="default", roles=("keeper",), kind="service"),
    "other": Principal(user="barge-agent", tenant_id="default", roles=("keeper",), kind="service"),
    "guest": Principal(user="guest-agent", tenant_id="default", kind="service"),
    "amir": Principal(user="amir", tenant_id="default", roles=("keeper",)),
    "ingrid": Principal(user="ingrid", tenant_id="default", roles=("master",)),
}


@dataclass
class Doorway:
    """The service, where it is, and a key a principal."""

    harbour: Harbour
    address: str
    keys: dict[str, str]

    def http(self, who: str | None = "agent", **headers: str) -> httpx.AsyncClient:
        """Return a plain client."""
        bearer = {"Authorization": f"Bearer {self.keys[who]}"} if who else {}
        return httpx.AsyncClient(base_url=self.address, headers={**bearer, **headers}, timeout=60)

    @asynccontextmanager
    async def client(self, who: str = "agent") -> AsyncIterator[ClientSession]:
        """Open a session of the SDK's own client."""
        async with (
            self.http(who) as http,
            streamable_http_client(f"{self.address}/mcp", http_client=http) as (
                reading,
                writing,
                _,
            ),
            ClientSession(reading, writing) as session,
        ):
            await session.initialize()
            yield session

    async def approve(self, result: CallToolResult, decision: str = "approve", **said: Any) -> None:
        """Answer what a result waits for, as a person who may."""
        approval = view(result)["approval"]
        body = {"decision": decision, "digest": approval["digest"], **said}
        async with self.http("ingrid") as ingrid:
            answer = await ingrid.post(f"/v1/approvals/{approval['id']}", json=body)
        assert answer.status_code == 200, answer.text

    async def choose(self, result: CallToolResult) -> None:
        """Choose what a result waits for."""
        choice = view(result)["choice"]
        async with self.http("amir") as amir:
            path = f"/v1/offers/{choice['offer_id']}"
            answer = await amir.post(path, json={"chip_id": choice["chip_id"]})
        assert answer.status_code == 200, answer.text


def view(result: CallToolResult) -> Json:
    """Give the structured part of a result."""
    assert result.structuredContent is not None, result
    return result.structuredContent


def words(result: CallToolResult) -> str:
    """Give the text of a result."""
    return "\n".join(block.text for block in result.content if block.type == "text")
