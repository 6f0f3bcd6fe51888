"""Attention, personality, quiet and reminders of a session, over a real server."""

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


# `/v1/modulations`: what moves attention is asked for, listed and taken back.

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


async def test_a_watch_and_a_threshold_are_set_listed_and_taken_back(client: httpx.AsyncClient):
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


async def test_a_suppression_is_the_one_of_quiet(client: httpx.AsyncClient):
    await client.post("/v1/quiet", json={"session_id": "b", "topic": "Inventory"})
    listed = (await client.get("/v1/modulations", params={"session_id": "b"})).json()
    assert [one["modulation_id"] for one in listed["modulations"]] == ["suppress:inventory"]


async def test_goals_and_memory_are_there_too(client: httpx.AsyncClient):
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


async def test_the_state_of_a_session_is_read_whole(client: httpx.AsyncClient):
    busy = {"kind": "signal", "text": "call", "payload": {"busy": "call"}, "session_id": "d"}
    await client.post("/v1/events", json=busy)
    wish = {"session_id": "d", "text": "tea", "in_seconds": 60}
    await client.post("/v1/reminders", json=wish)
    state = (await client.get("/v1/state", params={"session_id": "d"})).json()
    assert state["user_state"]["busy"] == "call"
    assert [one["text"] for one in state["reminders"]] == ["tea"]
    assert state["quiet"]["reason"] == "busy:call"
    assert state["personality"]["effective_traits"]["proactive"] == pytest.approx(0.5, abs=0.01)


async def test_words_are_emitted_after_the_quiet_and_the_voice_says_why_not(
    client: httpx.AsyncClient,
):
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
async def test_a_modulation_that_is_none_is_refused(client: httpx.AsyncClient, wish):
    assert_problem(await client.post("/v1/modulations", json=wish), 422, "invalid")


# `/v1/personality` and `/v1/skills` over a real server.


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def keys(
    tmp_path_factory: pytest.TempPathFactory,
) -> AsyncIterator[dict[str, httpx.AsyncClient]]:
    """Return a client of a player's and of a watcher's."""
    folder = tmp_path_factory.mktemp("data")
    settings = Settings(data_dir=folder, packs=("companion",), embedder="none")
    async with AsyncExitStack() as stack:
        executive = await stack.enter_async_context(open_executive(settings))
        address = await stack.enter_async_context(serving(create_app(executive)))
        clients = {}
        for user, role in (("sam", "player"), ("wim", "watcher")):
            who = Principal(user=user, tenant_id="default", roles=(role,))
            headers = {"Authorization": f"Bearer {await executive.keys.make(who)}"}
            opened = httpx.AsyncClient(base_url=address, headers=headers, timeout=30)
            clients[user] = await stack.enter_async_context(opened)
        yield clients


@pytest.fixture
def sam(keys: dict[str, httpx.AsyncClient]) -> httpx.AsyncClient:
    return keys["sam"]


async def personality(client: httpx.AsyncClient, session: str = "a") -> dict[str, Any]:
    answer = await client.get("/v1/personality", params={"session_id": session})
    assert answer.status_code == 200, answer.text
    return dict(answer.json())


async def test_a_personality_is_chosen_adjusted_shown_and_reset(sam: httpx.AsyncClient):
    chosen = await sam.put("/v1/personality", json={"session_id": "a", "template": "butler"})
    assert (chosen.status_code, chosen.json()["template"]) == (200, "butler")
    wish = {"session_id": "a", "trait": "formality", "step": -0.3}
    adjusted = (await sam.patch("/v1/personality", json=wish)).json()
    assert adjusted["effective_traits"]["formality"] == pytest.approx(0.65)
    exact = {"session_id": "a", "trait": "humor", "value": 1}
    assert (await sam.patch("/v1/personality", json=exact)).json()["effective_traits"]["humor"] == 1
    assert (await personality(sam, "another"))["template"] == "butler"
    reset = (await sam.delete("/v1/personality", params={"session_id": "a"})).json()
    assert (reset["template"], set(reset["user_overrides"].values())) == (None, {0.0})


@pytest.mark.parametrize(
    "wish",
    [
        {"trait": "humor"},
        {"trait": "humor", "step": 0.1, "value": 0.5},
        {"trait": "humor", "value": 1.1},
        {"trait": "humor", "step": True},
        {"trait": "charm", "step": 0.1},
        {"trait": "humor", "step": 0.1, "loud": True},
    ],
)
async def test_an_adjustment_that_is_none_is_refused(sam: httpx.AsyncClient, wish: dict[str, Any]):
    assert_problem(await sam.patch("/v1/personality", json=wish), 422, "invalid")


async def test_what_no_pack_has_is_not_found(sam: httpx.AsyncClient):
    assert_problem(await sam.put("/v1/personality", json={"template": "pirate"}), 404, "not-found")
    assert_problem(await sam.put("/v1/skills/cooking"), 404, "not-found")


async def test_who_changes_nothing_here_changes_no_personality(keys: dict[str, httpx.AsyncClient]):
    refused = await keys["wim"].put("/v1/personality", json={"template": "butler"})
    assert_problem(refused, 403, "forbidden")
    assert (await personality(keys["wim"], "wims"))["template"] is None


async def test_skills_are_listed_loaded_and_unloaded(sam: httpx.AsyncClient):
    def speaking(answer: httpx.Response) -> set[str]:
        assert answer.status_code == 200, answer.text
        return {one["name"] for one in answer.json()["skills"] if one["is_loaded"]}

    b = {"session_id": "b"}
    assert speaking(await sam.get("/v1/skills", params=b)) == set()
    assert speaking(await sam.put("/v1/skills/sarcasm", params=b)) == {"sarcasm"}
    assert speaking(await sam.get("/v1/skills")) == set()
    assert speaking(await sam.delete("/v1/skills/sarcasm", params=b)) == set()


# `/v1/quiet` over a real server: why it is silent, asking for quiet, ending it.

HARBOUR = Path(__file__).parents[1] / "harbour"
SALIENT = {"goal_relevance": 0.9}


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def client_quiet(
    tmp_path_factory: pytest.TempPathFactory,
) -> AsyncIterator[httpx.AsyncClient]:
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


async def happens_quiet(client: httpx.AsyncClient, text: str, session: str) -> dict[str, Any]:
    event = {"text": text, "session_id": session, "salience": SALIENT, "kind": "ambient"}
    answer = await client.post("/v1/events?wait=true", json=event)
    assert answer.status_code == 200, answer.text
    return dict(answer.json())


async def test_quiet_is_asked_for_shown_and_ended(client_quiet: httpx.AsyncClient):
    asked = await client_quiet.post("/v1/quiet", json={"session_id": "a", "minutes": 20})
    assert (asked.status_code, asked.json()["reason"]) == (200, "muted")
    await happens_quiet(client_quiet, "The ferry is early", "a")
    shown = (await client_quiet.get("/v1/quiet", params={"session_id": "a"})).json()
    assert [one["text"] for one in shown["waiting"]] == ["The ferry is early"]
    ended = await client_quiet.delete("/v1/quiet", params={"session_id": "a"})
    assert (ended.status_code, ended.json()["is_quiet"]) == (200, False)


async def test_another_session_is_not_quiet(client_quiet: httpx.AsyncClient):
    await client_quiet.post("/v1/quiet", json={"session_id": "b", "minutes": 20})
    assert not (await client_quiet.get("/v1/quiet", params={"session_id": "c"})).json()["is_quiet"]


async def test_a_topic_and_quiet_hours_come_and_go(client_quiet: httpx.AsyncClient):
    topic = {"session_id": "d", "topic": "Ferry", "minutes": 60}
    ruled = (await client_quiet.post("/v1/quiet", json=topic)).json()
    assert [one["topic"] for one in ruled["topics"]] == ["ferry"]
    hours = {"session_id": "d", "quiet_hours": {"starts": "22:00", "ends": "07:00"}}
    assert (await client_quiet.post("/v1/quiet", json=hours)).json()["quiet_hours"][
        "ends"
    ] == "07:00"
    one = {"session_id": "d", "topic": "ferry"}
    assert (await client_quiet.delete("/v1/quiet", params=one)).json()["topics"] == []
    ended = await client_quiet.delete("/v1/quiet", params={"session_id": "d", "quiet_hours": True})
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
async def test_a_wish_that_is_none_is_refused(client_quiet: httpx.AsyncClient, wish):
    assert_problem(await client_quiet.post("/v1/quiet", json=wish), 422, "invalid")


# `/v1/reminders` over a real server: asked for, listed, called off, and refused.


async def test_a_reminder_is_asked_for_listed_and_called_off(client: httpx.AsyncClient):
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


async def test_a_time_of_day_may_be_given(client: httpx.AsyncClient):
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
async def test_what_cannot_be_kept_is_refused(client: httpx.AsyncClient, wish: dict[str, Any]):
    assert_problem(await client.post("/v1/reminders", json=wish), 422, "invalid")
