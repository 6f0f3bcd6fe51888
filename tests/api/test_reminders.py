"""`/v1/reminders` over a real server: asked for, listed, called off, and refused."""

from collections.abc import AsyncIterator
from contextlib import AsyncExitStack
from pathlib import Path
from typing import Any

import httpx
import pytest
import pytest_asyncio

from api.app import create_app
from graph.settings import Settings
from graph.wiring.composition import open_executive
from state.principal import Principal
from tests.api.conftest import assert_problem
from tests.serving import serving

pytestmark = pytest.mark.asyncio(loop_scope="module")

QUARRY = Path(__file__).parents[1] / "quarry"


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def client(tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[httpx.AsyncClient]:
    settings = Settings(
        data_dir=tmp_path_factory.mktemp("data"), packs=(str(QUARRY),), embedder="none"
    )
    async with AsyncExitStack() as stack:
        executive = await stack.enter_async_context(open_executive(settings))
        address = await stack.enter_async_context(serving(create_app(executive)))
        key = await executive.keys.make(Principal(user="amir", tenant_id="default"))
        headers = {"Authorization": f"Bearer {key}"}
        yield await stack.enter_async_context(
            httpx.AsyncClient(base_url=address, headers=headers, timeout=30)
        )


async def test_a_reminder_is_asked_for_listed_and_called_off(client: httpx.AsyncClient) -> None:
    wish = {"session_id": "a", "text": "check the Furnace", "in_seconds": 1200}
    asked = await client.post("/v1/reminders", json=wish)
    assert (asked.status_code, asked.json()["text"]) == (200, "check the Furnace")
    of_session = {"session_id": "a"}
    listed = (await client.get("/v1/reminders", params=of_session)).json()["reminders"]
    assert listed == [asked.json()]
    assert (await client.get("/v1/reminders")).json()["reminders"] == []
    path = f"/v1/reminders/{asked.json()['reminder_id']}"
    assert (await client.delete(path, params=of_session)).json()["reminders"] == []
    assert_problem(await client.delete(path, params=of_session), 404, "not-found")


async def test_a_time_of_day_may_be_given(client: httpx.AsyncClient) -> None:
    now = (await client.get("/v1/quiet")).json()["at"]
    wish = {"session_id": "b", "text": "call the yard", "at": now.replace(now[:4], "2999")}
    assert_problem(await client.post("/v1/reminders", json=wish), 422, "invalid")


@pytest.mark.parametrize(
    "wish",
    [
        {"text": "tea"},
        {"text": "tea", "in_seconds": 0},
        {"text": "tea", "in_seconds": 60, "at": "2026-02-08T09:00:00Z"},
        {"text": "tea", "at": "2001-01-01T00:00:00Z"},
        {"text": "tea", "in_seconds": 31 * 86_400},
        {"text": "tea", "in_seconds": 1e300},
        {"in_seconds": 60},
    ],
)
async def test_what_cannot_be_kept_is_refused(
    client: httpx.AsyncClient, wish: dict[str, Any]
) -> None:
    assert_problem(await client.post("/v1/reminders", json=wish), 422, "invalid")
