"""`/v1/feedback`, `/v1/responses`, `/v1/heuristics` over a real server: who may, and what comes."""

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
from tests.openai_server import OpenAIServer, Rule
from tests.serving import serving

pytestmark = pytest.mark.asyncio(loop_scope="module")

SHELF = Path(__file__).parents[1] / "shelf"
SAYS: dict[str, Any] = {
    "action": None,
    "arguments": [],
    "predicted_success": 0.7,
    "confidence": 0.8,
    "say": "Dry the books.",
}
PEOPLE = {
    "ann": Principal(user="ann", tenant_id="default", roles=("reader",)),
    "bot": Principal(user="bot", tenant_id="default", roles=("reader",), kind="service"),
    "gus": Principal(user="gus", tenant_id="default", roles=("guest",)),
    "olav": Principal(user="olav", tenant_id="elsewhere", roles=("reader",)),
}
Clients = dict[str, httpx.AsyncClient]


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def clients(tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[Clients]:
    async with AsyncExitStack() as stack:
        server = stack.enter_context(OpenAIServer(Rule(says=SAYS)))
        settings = Settings(
            data_dir=tmp_path_factory.mktemp("data"),
            packs=(str(SHELF),),
            model="test",
            model_base_url=server.base_url,
            embedder="none",
        )
        executive = await stack.enter_async_context(open_executive(settings))
        address = await stack.enter_async_context(serving(create_app(executive)))
        made = {}
        for name, principal in PEOPLE.items():
            headers = {"Authorization": f"Bearer {await executive.keys.make(principal)}"}
            client = httpx.AsyncClient(base_url=address, headers=headers, timeout=30)
            made[name] = await stack.enter_async_context(client)
        yield made


async def happens(clients: Clients, text: str) -> dict[str, Any]:
    event = {
        "text": text,
        "session_id": text,
        "salience": {"goal_relevance": 0.9},
        "kind": "ambient",
    }
    answer = await clients["ann"].post("/v1/events?wait=true", json=event)
    assert answer.status_code == 200, answer.text
    return dict(answer.json())


async def rate(clients: Clients, who: str, response: str, **given: Any) -> httpx.Response:
    return await clients[who].post(
        "/v1/feedback", json={"response_id": response, "rating": "good", **given}
    )


async def learned(clients: Clients, who: str = "ann") -> list[dict[str, Any]]:
    found = (await clients[who].get("/v1/heuristics")).json()["heuristics"]
    return [one for one in found if one["heuristic"]["origin"] == "learned"]


async def taught(clients: Clients, text: str) -> str:
    """Have a heuristic learned, and return its id."""
    await rate(clients, "ann", (await happens(clients, text))["response_id"])
    found = [one["heuristic"] for one in await learned(clients)]
    return next(str(one["heuristic_id"]) for one in found if one["condition"] == text)


async def test_a_rated_answer_is_learned_shown_changed_and_unlearned(clients: Clients) -> None:
    response = (await happens(clients, "The roof leaks"))["response_id"]
    rated = await rate(clients, "ann", response)
    assert (rated.status_code, rated.json()["explicit"]["sign"]) == (200, "good")
    name = await taught(clients, "The roof leaks")
    traced = (await clients["ann"].get(f"/v1/responses/{response}")).json()
    assert (traced["trace"]["path"], traced["trace"]["context_text"]) == ("llm", "The roof leaks")
    changed = await clients["ann"].patch(f"/v1/heuristics/{name}", json={"says": "Fetch a bucket."})
    assert changed.json()["heuristic"]["says"] == "Fetch a bucket."
    assert (await clients["ann"].get(f"/v1/heuristics/{name}")).json() == changed.json()
    await rate(clients, "ann", response, rating="bad", attribution="wrong_answer")
    after = (await clients["ann"].get(f"/v1/heuristics/{name}")).json()
    assert (after["confidence"]["goods"], after["confidence"]["bads"]) == (0, 1)
    assert after["heuristic"]["disabled"] is not None


async def test_who_changes_nothing_here_teaches_and_changes_nothing(clients: Clients) -> None:
    response = (await happens(clients, "The window is broken"))["response_id"]
    name = await taught(clients, "The door squeaks")
    before = await learned(clients)
    assert_problem(await rate(clients, "gus", response), 403, "forbidden")
    for who in ("gus", "bot"):
        hushed = await clients[who].patch(f"/v1/heuristics/{name}", json={"disabled": "mine"})
        assert_problem(hushed, 403, "forbidden")
    assert await learned(clients, "gus") == before  # to look at it is open to all of the tenant


async def test_another_tenant_finds_nothing(clients: Clients) -> None:
    name = await taught(clients, "The lamp is out")
    response = (await happens(clients, "The lamp is broken"))["response_id"]
    olav = clients["olav"]
    assert await learned(clients, "olav") == []
    assert_problem(await rate(clients, "olav", response), 404, "not-found")
    assert_problem(await olav.get(f"/v1/responses/{response}"), 404, "not-found")
    assert_problem(await olav.get(f"/v1/heuristics/{name}"), 404, "not-found")
    changed = await olav.patch(f"/v1/heuristics/{name}", json={"says": "Mine."})
    assert_problem(changed, 404, "not-found")


@pytest.mark.parametrize(
    "change",
    [
        {"floor": 0.9, "ceiling": 0.1},
        {"floor": 2},
        {"weight": -1},
        {"says": ""},
        {"confidence": 1.0},
        {"origin": "pack"},
    ],
)
async def test_a_change_that_makes_no_sense_is_422(
    clients: Clients, change: dict[str, Any]
) -> None:
    name = await taught(clients, "The shelf is dusty")
    before = await learned(clients)
    refused = await clients["ann"].patch(f"/v1/heuristics/{name}", json=change)
    assert refused.status_code == 422, refused.text
    assert await learned(clients) == before


@pytest.mark.parametrize(
    "given",
    [{}, {"response_id": "x"}, {"response_id": "x", "rating": "great"}, {"rating": "good"}],
)
async def test_feedback_that_is_none_is_422(clients: Clients, given: dict[str, Any]) -> None:
    assert (await clients["ann"].post("/v1/feedback", json=given)).status_code == 422


async def test_a_locked_one_is_not_unlearned_by_a_rating_and_waits_for_an_approval(
    clients: Clients,
) -> None:
    name = await taught(clients, "The gutter is full")
    ann = clients["ann"]
    assert (await ann.patch(f"/v1/heuristics/{name}", json={"locked": True})).status_code == 200
    made = (await ann.get(f"/v1/heuristics/{name}")).json()["heuristic"]
    await rate(clients, "ann", made["made_from"], rating="bad", attribution="wrong_answer")
    assert (await ann.get(f"/v1/heuristics/{name}")).json()["heuristic"] == made
    for change in ({"says": "Leave it."}, {"locked": False}, {"disabled": "it is full"}):
        assert (await ann.patch(f"/v1/heuristics/{name}", json=change)).status_code == 202
    assert (await ann.get(f"/v1/heuristics/{name}")).json()["heuristic"] == made
