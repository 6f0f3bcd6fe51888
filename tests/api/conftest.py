from collections.abc import AsyncIterator
from contextlib import AsyncExitStack
from typing import Any, cast

import httpx
import pytest
from fastapi import FastAPI

from api.app import create_app
from graph.executive import Executive
from state.principal import Principal
from tests.api.memory_executive import MemoryExecutive
from tests.serving import serving

TENANT = "mv-aurora"

PRINCIPALS = {
    "captain": Principal(user="ingrid", tenant_id=TENANT, roles=("captain",)),
    "engineer": Principal(user="amir", tenant_id=TENANT, roles=("engineer", "watchkeeper")),
    "bridge": Principal(
        user="slack", tenant_id=TENANT, roles=("integrator", "captain"), kind="service"
    ),
    "sensor": Principal(user="bilge-probe", tenant_id=TENANT, kind="service"),
    "stranger": Principal(user="olav", tenant_id="mv-borealis", roles=("captain", "admin")),
}


@pytest.fixture
def executive() -> MemoryExecutive:
    made = MemoryExecutive()
    made.keys.principals = {f"{name}-key": principal for name, principal in PRINCIPALS.items()}
    return made


@pytest.fixture
def app(executive: MemoryExecutive) -> FastAPI:
    # It has every method the routes call; what they get from the real one is tried elsewhere.
    return create_app(cast("Executive", executive), heartbeat_seconds=0.05)


@pytest.fixture
async def clients(app: FastAPI) -> AsyncIterator[dict[str, httpx.AsyncClient]]:
    """Yield a client a principal, and one without a key under `nobody`."""
    async with AsyncExitStack() as stack:
        made = {}
        for name in (*PRINCIPALS, "nobody"):
            headers = {} if name == "nobody" else {"Authorization": f"Bearer {name}-key"}
            client = httpx.AsyncClient(
                transport=httpx.ASGITransport(app, raise_app_exceptions=False),
                base_url="http://prefrontal.test",
                headers=headers,
            )
            made[name] = await stack.enter_async_context(client)
        yield made


@pytest.fixture
def engineer(clients: dict[str, httpx.AsyncClient]) -> httpx.AsyncClient:
    return clients["engineer"]


@pytest.fixture
def captain(clients: dict[str, httpx.AsyncClient]) -> httpx.AsyncClient:
    return clients["captain"]


@pytest.fixture
async def address(app: FastAPI) -> AsyncIterator[str]:
    async with serving(app) as served:
        yield served


def assert_problem(response: httpx.Response, status: int, slug: str) -> dict[str, Any]:
    assert response.status_code == status, response.text
    assert response.headers["content-type"] == "application/problem+json"
    body: dict[str, Any] = response.json()
    assert body["type"] == f"urn:problem-type:prefrontal:{slug}"
    assert body["status"] == status
    assert body["request_id"] == response.headers["x-request-id"]
    assert body["title"]
    assert body["detail"]
    assert body["instance"].startswith("/")
    return body
