"""Regrets, the stream of one session and what modulates it, over a real server."""

import asyncio
import json
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import httpx
import pytest
import pytest_asyncio
from httpx_sse import aconnect_sse

from api.app import create_app
from graph.settings import Settings
from graph.wiring.composition import open_executive
from prefrontal.client import Client
from state.principal import Principal
from tests.api.conftest import assert_problem
from tests.architecture.source import ROOT
from tests.serving import serving

POLICY = '[[sessions]]\nnames = ["cabin"]\nusers = ["amir"]\n'


@dataclass(frozen=True)
class House:
    """A service that runs, and its people's keys."""

    address: str
    keys: dict[str, str]

    def client(self, name: str) -> httpx.AsyncClient:
        headers = {"Authorization": f"Bearer {self.keys[name]}"}
        return httpx.AsyncClient(base_url=self.address, headers=headers, timeout=30)


@pytest.fixture
def policy(tmp_path: Path) -> Path:
    file = tmp_path / "policy.toml"
    file.write_text((ROOT / "policy.toml").read_text("utf-8") + POLICY, "utf-8")
    return file


@pytest_asyncio.fixture
async def house(tmp_path: Path, policy: Path) -> AsyncIterator[House]:
    settings = Settings(
        data_dir=tmp_path / "data", packs=("companion",), embedder="none", policy_file=policy
    )
    async with AsyncExitStack() as stack:
        executive = await stack.enter_async_context(open_executive(settings))
        address = await stack.enter_async_context(serving(create_app(executive)))
        people = {"amir": "player", "bo": "player", "wim": "watcher"}
        keys = {
            name: await executive.keys.make(
                Principal(user=name, tenant_id="default", roles=(role,))
            )
            for name, role in people.items()
        }
        yield House(address, keys)


@asynccontextmanager
async def hearing(
    house: House, name: str, **params: str
) -> AsyncIterator[list[tuple[str, dict[str, Any]]]]:
    """Collect what a person hears of the stream from now on."""
    heard: list[tuple[str, dict[str, Any]]] = []
    is_open = asyncio.Event()

    async def collect() -> None:
        async with (
            house.client(name) as client,
            aconnect_sse(client, "GET", "/v1/stream", params=params) as source,
        ):
            async for event in source.aiter_sse():
                heard.append((event.event, json.loads(event.data)))
                is_open.set()

    collecting = asyncio.create_task(collect())
    async with asyncio.timeout(60):
        await is_open.wait()
    try:
        yield heard
    finally:
        collecting.cancel()
        await asyncio.gather(collecting, return_exceptions=True)


async def until(heard: list[tuple[str, dict[str, Any]]], kind: str, session_id: str) -> Any:
    async with asyncio.timeout(60):
        while True:
            for name, data in heard:
                if name == kind and data["session_id"] == session_id:
                    return data
            await asyncio.sleep(0.01)


async def tell(house: House, text: str, session_id: str, level: float = 0.95) -> dict[str, Any]:
    sent = {
        "text": text,
        "source": "oven",
        "session_id": session_id,
        "salience": {"goal_relevance": level},
    }
    async with house.client("amir") as client:
        answer = await client.post("/v1/events", json=sent)
    record: dict[str, Any] = answer.json()
    return record


async def test_a_regret_of_each_kind_is_counted_wherever_numbers_stand(house: House) -> None:
    told = await tell(house, "The oven is hot", "kitchen")
    silent = await tell(house, "The oven ticks", "kitchen", 0.3)
    assert (told["outcome"], silent["outcome"]) == ("spoke", "passed")
    async with house.client("amir") as amir:
        await amir.post("/v1/messages", json={"text": "who cares", "session_id": "kitchen"})
        way = f"/v1/decisions/{silent['decision_id']}/feedback"
        rated = await amir.post(way, json={"rating": "should_have_told"})
        assert rated.status_code == 200
        assert rated.json()["woken"] == "oven|ambient|"
        found = (await amir.get("/v1/regrets")).json()
        assert {one["decision_id"]: one["kind"] for one in found["newest"]} == {
            told["decision_id"]: "utterance",
            silent["decision_id"]: "silence",
        }
        [oven] = found["sources"]
        assert (oven["source"], oven["events"], oven["spoken"]) == ("oven", 2, 1)
        assert (oven["utterances_per_100"], oven["silences_per_100"]) == (50.0, 50.0)
        scraped = (await amir.get("/metrics")).text
        assert 'prefrontal_regretted_utterances{tenant="default",source="oven"} 1' in scraped
        assert 'prefrontal_regrets_per_100_events{tenant="default",kind="silence"} 50' in scraped
        spoken = f"/v1/decisions/{told['decision_id']}/feedback"
        refused = await amir.post(spoken, json={"rating": "should_have_told"})
        assert_problem(refused, 409, "conflict")
        assert_problem(await amir.post(way, json={"rating": "good"}), 422, "invalid")
    async with house.client("wim") as wim:
        refused = await wim.post(way, json={"rating": "should_have_told"})
        assert_problem(refused, 403, "forbidden")


async def test_the_regret_of_a_closed_session_is_its_readers_alone(house: House) -> None:
    silent = await tell(house, "The oven ticks", "cabin", 0.3)
    way = f"/v1/decisions/{silent['decision_id']}/feedback"
    async with house.client("amir") as amir, house.client("bo") as bo:
        assert_problem(await bo.post(way, json={"rating": "should_have_told"}), 404, "not-found")
        await amir.post(way, json={"rating": "should_have_told"})
        assert len((await amir.get("/v1/regrets")).json()["newest"]) == 1
        theirs = (await bo.get("/v1/regrets")).json()
        assert (theirs["newest"], theirs["total"]["silences"]) == ([], 1)


async def test_a_client_hears_its_own_session_alone(house: House) -> None:
    async with hearing(house, "bo", session_id="kitchen") as heard, hearing(house, "bo") as every:
        await tell(house, "The oven is hot", "hall")
        await tell(house, "The oven is hot", "cabin")
        mine = await tell(house, "The oven is hot", "kitchen")
        said = await until(heard, "output", "kitchen")
        assert said["decision_id"] == mine["decision_id"]
        await until(every, "output", "kitchen")
        assert {data.get("session_id") for kind, data in heard if kind != "open"} == {"kitchen"}
        sessions = {data.get("session_id") for kind, data in every if kind != "open"}
        assert sessions == {"kitchen", "hall"}


async def test_a_closed_session_is_heard_by_its_readers_alone(house: House) -> None:
    async with house.client("bo") as bo:
        refused = await bo.get("/v1/stream", params={"session_id": "cabin"})
        assert_problem(refused, 403, "forbidden")
    async with hearing(house, "amir", session_id="cabin") as heard:
        await tell(house, "The oven is hot", "cabin")
        assert (await until(heard, "decision", "cabin"))["spoke"]


async def test_the_sdk_hears_one_session(house: House) -> None:
    def first() -> str:
        with Client(house.address, house.keys["amir"]) as client:
            notices = client.listen(after=0, session_id="kitchen")
            found = next(one for one in notices if one.kind == "output")
            return str(found.data["session_id"])

    await tell(house, "The oven is hot", "hall")
    await tell(house, "The oven is hot", "kitchen")
    async with asyncio.timeout(60):
        assert await asyncio.to_thread(first) == "kitchen"


async def test_a_gateway_is_told_what_modulates_its_session(house: House) -> None:
    async with hearing(house, "amir", session_id="kitchen") as heard, house.client("amir") as amir:

        async def asks(text: str) -> dict[str, Any]:
            heard[:] = []
            await amir.post("/v1/messages", json={"text": text, "session_id": "kitchen"})
            found: dict[str, Any] = await until(heard, "modulation", "kitchen")
            return found

        muted = await asks("be quiet for ten minutes")
        assert (muted["changed"], muted["is_quiet"], muted["reason"]) == (["quiet"], True, "muted")
        assert muted["until"] is not None
        standing = (await amir.get("/v1/quiet", params={"session_id": "kitchen"})).json()
        assert muted["until"] == standing["until"]
        assert muted["threshold"] == pytest.approx(standing["threshold"], abs=1e-3)
        free = await asks("you can talk")
        assert (free["changed"], free["is_quiet"]) == (["quiet"], False)
        rule = await asks("stop telling me about gulls")
        assert rule["changed"] == ["topics"]
        assert [(one["topic"], one["kind"]) for one in rule["topics"]] == [("gulls", "suppress")]
        picky = {"session_id": "kitchen", "kind": "adjust_threshold", "amount": 0.1}
        heard[:] = []
        await amir.post("/v1/modulations", json=picky)
        shifted = await until(heard, "modulation", "kitchen")
        assert shifted["changed"] == ["threshold"]
        by = shifted["threshold"] - shifted["usual_threshold"]
        assert by == pytest.approx(0.1, abs=1e-3)
        heard[:] = []
        await tell(house, "The oven is hot", "kitchen")
        await until(heard, "decision", "kitchen")
        assert not [kind for kind, _data in heard if kind == "modulation"]
