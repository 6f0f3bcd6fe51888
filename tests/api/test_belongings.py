"""What belongs to a person in a session that they share: reminders, goals, words."""

from collections.abc import AsyncIterator
from contextlib import AsyncExitStack
from pathlib import Path

import httpx
import pytest_asyncio

from api.app import create_app
from graph.settings import Settings
from graph.wiring.composition import open_executive
from state.principal import Principal
from tests.api.conftest import assert_problem

QUARRY = Path(__file__).parents[1] / "quarry"


@pytest_asyncio.fixture
async def people(data_dir: Path) -> AsyncIterator[tuple[httpx.AsyncClient, httpx.AsyncClient]]:
    settings = Settings(data_dir=data_dir, packs=(str(QUARRY),), embedder="none")
    async with AsyncExitStack() as stack:
        executive = await stack.enter_async_context(open_executive(settings))
        transport = httpx.ASGITransport(create_app(executive), raise_app_exceptions=False)
        made = []
        for user in ("ann", "ben"):
            key = await executive.keys.make(Principal(user=user, tenant_id="default"))
            client = httpx.AsyncClient(
                transport=transport,
                base_url="http://prefrontal.test",
                headers={"Authorization": f"Bearer {key}"},
            )
            made.append(await stack.enter_async_context(client))
        ann, ben = made
        yield ann, ben


async def test_a_reminder_is_called_off_by_who_asked_for_it(
    people: tuple[httpx.AsyncClient, httpx.AsyncClient],
) -> None:
    ann, ben = people
    wish = {"session_id": "a", "text": "check the furnace", "in_seconds": 1200}
    made = (await ann.post("/v1/reminders", json=wish)).json()
    path, of_session = f"/v1/reminders/{made['reminder_id']}", {"session_id": "a"}
    assert_problem(await ben.delete(path, params=of_session), 403, "forbidden")
    [waits] = (await ben.get("/v1/reminders", params=of_session)).json()["reminders"]
    assert waits["user"] == "ann"
    assert (await ann.delete(path, params=of_session)).json()["reminders"] == []


async def test_a_goal_is_moved_and_dropped_by_who_declared_it(
    people: tuple[httpx.AsyncClient, httpx.AsyncClient],
) -> None:
    ann, ben = people
    wish = {"session_id": "a", "text": "finish the portal"}
    [goal] = (await ann.post("/v1/goals", json=wish)).json()["goals"]
    path = f"/v1/goals/{goal['goal_id']}"
    for step in ({"ends": "dropped"}, {"progress": 0.5}):
        refused = await ben.post(path, json={"session_id": "a", **step})
        assert_problem(refused, 403, "forbidden")
    as_signal = {"kind": "no_goal", "topic": goal["goal_id"], "by": "ann"}
    signal = {"kind": "signal", "text": "x", "session_id": "a", "payload": {"talk": as_signal}}
    assert (await ben.post("/v1/events", json=signal)).status_code == 200
    [still] = (await ben.get("/v1/goals", params={"session_id": "a"})).json()["goals"]
    assert (still["standing"], still["by"], still["progress"]) == ("open", "ann", None)
    step = {"session_id": "a", "ends": "reached"}
    [ended] = (await ann.post(path, json=step)).json()["goals"]
    assert ended["standing"] == "reached"


async def test_without_a_session_one_reads_what_one_said_oneself(
    people: tuple[httpx.AsyncClient, httpx.AsyncClient],
) -> None:
    ann, ben = people
    for client, words in ((ann, "The furnace leaks"), (ben, "The furnace is fine")):
        await client.post("/v1/messages", json={"text": words, "session_id": "a"})

    async def said(client: httpx.AsyncClient, **wanted: str) -> set[str]:
        answer = await client.get("/v1/memory", params={"said_by": "person", **wanted})
        return {one["text"] for one in answer.json()["said"]}

    assert await said(ben, about="furnace") == await said(ben) == {"The furnace is fine"}
    assert await said(ben, about="furnace", session_id="a") == {
        "The furnace leaks",
        "The furnace is fine",
    }
    # Somebody else is meant, or might be: nothing is forgotten, and least of all of ben.
    assert_problem(await ben.delete("/v1/memory", params={"user": "ann"}), 403, "forbidden")
    assert (await ben.delete("/v1/memory", params={"who": "ann"})).status_code == 422
    in_body = await ben.request("DELETE", "/v1/memory", json={"user": "ann"})
    assert in_body.status_code == 422
    gone = (await ann.delete("/v1/memory")).json()
    assert (gone["user"], gone["said"] > 0) == ("ann", True)
    assert await said(ann) == set()
    assert await said(ben) == {"The furnace is fine"}
    of_ann = await ben.get("/v1/memory", params={"about": "furnace", "user": "ann"})
    assert_problem(of_ann, 403, "forbidden")
