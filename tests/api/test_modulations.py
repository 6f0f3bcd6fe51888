"""`/v1/modulations`: what moves attention is asked for, listed and taken back."""

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


async def test_a_watch_and_a_threshold_are_set_listed_and_taken_back(
    client: httpx.AsyncClient,
) -> None:
    watch = {"session_id": "a", "kind": "heighten", "topic": "Creepers", "seconds": 3600}
    assert (await client.post("/v1/modulations", json=watch)).status_code == 200
    picky = {"session_id": "a", "kind": "adjust_threshold", "amount": 0.1}
    [first, second] = (await client.post("/v1/modulations", json=picky)).json()["modulations"]
    assert (first["modulation_id"], first["topic"]) == ("watch:creepers", "creepers")
    assert (second["kind"], second["amount"]) == ("adjust_threshold", 0.1)
    of_session = {"session_id": "a"}
    left = await client.delete("/v1/modulations/watch:creepers", params=of_session)
    assert [one["kind"] for one in left.json()["modulations"]] == ["adjust_threshold"]
    gone = await client.delete("/v1/modulations/watch:creepers", params=of_session)
    assert_problem(gone, 404, "not-found")
    assert (await client.get("/v1/modulations")).json()["modulations"] == []


async def test_a_suppression_is_the_one_of_quiet(client: httpx.AsyncClient) -> None:
    await client.post("/v1/quiet", json={"session_id": "b", "topic": "Inventory"})
    listed = (await client.get("/v1/modulations", params={"session_id": "b"})).json()
    assert [one["modulation_id"] for one in listed["modulations"]] == ["suppress:inventory"]


async def test_goals_and_memory_are_there_too(client: httpx.AsyncClient) -> None:
    wish = {"session_id": "c", "text": "finish the portal"}
    [goal] = (await client.post("/v1/goals", json=wish)).json()["goals"]
    path, half = f"/v1/goals/{goal['goal_id']}", {"session_id": "c", "progress": 0.5}
    [moved] = (await client.post(path, json=half)).json()["goals"]
    assert (moved["progress"], moved["by"], moved["standing"]) == (0.5, "amir", "open")
    [ended] = (await client.post(path, json={"session_id": "c", "ends": "reached"})).json()["goals"]
    assert ended["standing"] == "reached"
    again = await client.post(path, json={"session_id": "c", "ends": "dropped"})
    assert_problem(again, 404, "not-found")
    await client.post("/v1/messages", json={"text": "The furnace leaks", "session_id": "c"})
    found = (await client.get("/v1/memory", params={"about": "furnaces"})).json()["said"]
    assert found[0]["text"] == "The furnace leaks"


async def test_the_state_of_a_session_is_read_whole(client: httpx.AsyncClient) -> None:
    busy = {"kind": "signal", "text": "call", "payload": {"busy": "call"}, "session_id": "d"}
    await client.post("/v1/events", json=busy)
    wish = {"session_id": "d", "text": "tea", "in_seconds": 60}
    await client.post("/v1/reminders", json=wish)
    state = (await client.get("/v1/state", params={"session_id": "d"})).json()
    assert state["user_state"]["busy"] == "call"
    assert [one["text"] for one in state["reminders"]] == ["tea"]
    assert state["quiet"]["reason"] == "busy:call"
    traits = state["personality"]["effective_traits"]
    assert traits["proactive"] == pytest.approx(0.5, abs=0.01)


async def test_words_are_emitted_after_the_quiet_and_the_voice_says_why_not(
    client: httpx.AsyncClient,
) -> None:
    said = (await client.post("/v1/output", json={"text": "Tea!", "session_id": "e"})).json()
    assert (said["outcome"], said["reason"], said["text"]) == ("spoke", "emitted", "Tea!")
    await client.post("/v1/quiet", json={"session_id": "e", "minutes": 5})
    kept = (await client.post("/v1/output", json={"text": "Cake!", "session_id": "e"})).json()
    assert (kept["outcome"], kept["reason"]) == ("held", "muted")
    state = (await client.get("/v1/output")).json()
    assert (state["is_ready"], state["queue"]) == (False, [])
    dropped = await client.post("/v1/output/interrupt", json={"session_id": "e"})
    assert dropped.json() == {"dropped": 0}


@pytest.mark.parametrize(
    "wish",
    [
        {"kind": "suppress"},
        {"kind": "heighten", "topic": "the"},
        {"kind": "adjust_threshold", "topic": "tea"},
        {"kind": "heighten", "topic": "tea", "amount": 0.2},
        {"kind": "heighten", "topic": "tea", "threats": True},
        {"kind": "adjust_threshold", "amount": 2},
        {"kind": "mute"},
    ],
)
async def test_a_modulation_that_is_none_is_refused(
    client: httpx.AsyncClient, wish: dict[str, Any]
) -> None:
    assert_problem(await client.post("/v1/modulations", json=wish), 422, "invalid")
