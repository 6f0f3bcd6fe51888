"""`/v1/quiet` over a real server: why it is silent, asking for quiet, ending it."""

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

HARBOUR = Path(__file__).parents[1] / "harbour"
SALIENT = {"goal_relevance": 0.9}


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def client(tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[httpx.AsyncClient]:
    settings = Settings(data_dir=tmp_path_factory.mktemp("data"), packs=(str(HARBOUR),))
    async with AsyncExitStack() as stack:
        executive = await stack.enter_async_context(open_executive(settings))
        address = await stack.enter_async_context(serving(create_app(executive)))
        amir = Principal(user="amir", tenant_id="default", roles=("keeper",))
        key = await executive.keys.make(amir)
        headers = {"Authorization": f"Bearer {key}"}
        yield await stack.enter_async_context(
            httpx.AsyncClient(base_url=address, headers=headers, timeout=30)
        )


async def happens(client: httpx.AsyncClient, text: str, session: str) -> dict[str, Any]:
    event = {"text": text, "session_id": session, "salience": SALIENT, "kind": "ambient"}
    answer = await client.post("/v1/events?wait=true", json=event)
    assert answer.status_code == 200, answer.text
    return dict(answer.json())


async def test_quiet_is_asked_for_shown_and_ended(client: httpx.AsyncClient) -> None:
    asked = await client.post("/v1/quiet", json={"session_id": "a", "minutes": 20})
    assert (asked.status_code, asked.json()["reason"]) == (200, "muted")
    await happens(client, "The ferry is early", "a")
    shown = (await client.get("/v1/quiet", params={"session_id": "a"})).json()
    assert [one["text"] for one in shown["waiting"]] == ["The ferry is early"]
    ended = await client.delete("/v1/quiet", params={"session_id": "a"})
    assert (ended.status_code, ended.json()["is_quiet"]) == (200, False)


async def test_another_session_is_not_quiet(client: httpx.AsyncClient) -> None:
    await client.post("/v1/quiet", json={"session_id": "b", "minutes": 20})
    assert not (await client.get("/v1/quiet", params={"session_id": "c"})).json()["is_quiet"]


async def test_a_topic_and_quiet_hours_come_and_go(client: httpx.AsyncClient) -> None:
    topic = {"session_id": "d", "topic": "Ferry", "minutes": 60}
    ruled = (await client.post("/v1/quiet", json=topic)).json()
    assert [one["topic"] for one in ruled["topics"]] == ["ferry"]
    hours = {"session_id": "d", "quiet_hours": {"starts": "22:00", "ends": "07:00"}}
    assert (await client.post("/v1/quiet", json=hours)).json()["quiet_hours"]["ends"] == "07:00"
    one = {"session_id": "d", "topic": "ferry"}
    assert (await client.delete("/v1/quiet", params=one)).json()["topics"] == []
    ended = await client.delete("/v1/quiet", params={"session_id": "d", "quiet_hours": True})
    assert ended.json()["quiet_hours"] is None


@pytest.mark.parametrize(
    "wish",
    [
        {},
        {"minutes": 0},
        {"minutes": 1_441},
        {"minutes": 5, "quiet_hours": {"starts": "22:00", "ends": "07:00"}},
        {"quiet_hours": {"starts": "25:00", "ends": "07:00"}},
        {"minutes": 5, "loud": True},
        {"minutes": True},
        {"topic": " "},
        {"topic": "the"},
        {"quiet_hours": {"starts": "22:00", "ends": "22:00"}},
    ],
)
async def test_a_wish_that_is_none_is_refused(
    client: httpx.AsyncClient, wish: dict[str, Any]
) -> None:
    assert_problem(await client.post("/v1/quiet", json=wish), 422, "invalid")
