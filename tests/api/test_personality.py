"""`/v1/personality` and `/v1/skills` over a real server."""

from collections.abc import AsyncIterator
from contextlib import AsyncExitStack
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


async def test_a_personality_is_chosen_adjusted_shown_and_reset(sam: httpx.AsyncClient) -> None:
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
async def test_an_adjustment_that_is_none_is_refused(
    sam: httpx.AsyncClient, wish: dict[str, Any]
) -> None:
    assert_problem(await sam.patch("/v1/personality", json=wish), 422, "invalid")


async def test_what_no_pack_has_is_not_found(sam: httpx.AsyncClient) -> None:
    refused = await sam.put("/v1/personality", json={"template": "pirate"})
    assert_problem(refused, 404, "not-found")
    assert_problem(await sam.put("/v1/skills/cooking"), 404, "not-found")


async def test_who_changes_nothing_here_changes_no_personality(
    keys: dict[str, httpx.AsyncClient],
) -> None:
    refused = await keys["wim"].put("/v1/personality", json={"template": "butler"})
    assert_problem(refused, 403, "forbidden")
    assert (await personality(keys["wim"], "wims"))["template"] is None


async def test_skills_are_listed_loaded_and_unloaded(sam: httpx.AsyncClient) -> None:
    def speaking(answer: httpx.Response) -> set[str]:
        assert answer.status_code == 200, answer.text
        return {one["name"] for one in answer.json()["skills"] if one["is_loaded"]}

    b = {"session_id": "b"}
    assert speaking(await sam.get("/v1/skills", params=b)) == set()
    assert speaking(await sam.put("/v1/skills/sarcasm", params=b)) == {"sarcasm"}
    assert speaking(await sam.get("/v1/skills")) == set()
    assert speaking(await sam.delete("/v1/skills/sarcasm", params=b)) == set()
