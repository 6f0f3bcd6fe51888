"""Who reaches the port and never comes to the point: every bound is met, and nothing is kept."""

import asyncio
import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import httpx
from fastapi import FastAPI

from api.resources.stream import MOST_AT_ONCE
from tests.api.conftest import PRINCIPALS, assert_problem
from tests.api.memory_executive import MemoryExecutive


@asynccontextmanager
async def _listening(
    address: str, name: str, **more: str
) -> AsyncIterator[AsyncIterator[dict[str, str]]]:
    headers = {"Authorization": f"Bearer {name}-key", **more}
    async with (
        httpx.AsyncClient(base_url=address, headers=headers, timeout=10) as client,
        client.stream("GET", "/v1/stream") as answer,
    ):
        assert answer.headers["content-type"].startswith("text/event-stream")
        assert answer.headers["x-request-id"]
        yield _read(answer)


async def _read(answer: httpx.Response) -> AsyncIterator[dict[str, str]]:
    notice: dict[str, str] = {}
    async for line in answer.aiter_lines():
        if not line:
            yield notice
            notice = {}
            continue
        name, _, value = line.partition(": ")
        notice[name or "comment"] = value


async def _next(notices: AsyncIterator[dict[str, str]], event: str) -> dict[str, str]:
    async with asyncio.timeout(60):
        async for notice in notices:
            if notice.get("event") == event:
                return notice
    raise AssertionError("the stream ended")


async def _send(address: str, name: str, text: str) -> str:
    headers = {"Authorization": f"Bearer {name}-key"}
    async with httpx.AsyncClient(base_url=address, headers=headers) as client:
        answer = await client.post("/v1/events", json={"text": text})
    decision_id: str = answer.json()["decision_id"]
    return decision_id


async def test_what_is_decided_is_told_with_an_id(address: str):
    async with _listening(address, "captain") as notices:
        await _next(notices, "open")
        decision_id = await _send(address, "engineer", "smoke")
        notice = await _next(notices, "decision")
        assert json.loads(notice["data"])["decision_id"] == decision_id
        assert int(notice["id"]) > 0


async def test_who_comes_back_hears_what_was_missed(address: str):
    async with _listening(address, "captain") as notices:
        await _next(notices, "open")
        await _send(address, "engineer", "heard")
        last = (await _next(notices, "decision"))["id"]
    await _send(address, "engineer", "missed")
    async with _listening(address, "captain", **{"Last-Event-ID": last}) as notices:
        await _next(notices, "open")
        missed = await anext(notices)
        assert (missed["event"], json.loads(missed["data"])["text"]) == ("decision", "missed")
    for old in ("17", "not-an-id"):
        async with _listening(address, "captain", **{"Last-Event-ID": old}) as notices:
            await _next(notices, "open")
            assert (await anext(notices))["event"] == "gap"


async def test_nothing_is_missed_after_open(address: str, executive: MemoryExecutive):
    async with _listening(address, "captain") as notices:
        await _next(notices, "open")
        assert len(executive.notices._listeners) == 1


async def test_another_tenant_hears_nothing(address: str):
    async with _listening(address, "captain") as ours, _listening(address, "stranger") as theirs:
        await _next(ours, "open")
        await _next(theirs, "open")
        await _send(address, "engineer", "ours")
        await _send(address, "stranger", "theirs")
        assert json.loads((await _next(ours, "decision"))["data"])["text"] == "ours"
        assert json.loads((await _next(theirs, "decision"))["data"])["text"] == "theirs"


async def test_a_notice_with_line_breaks_stays_one_notice(address: str):
    async with _listening(address, "captain") as notices:
        await _next(notices, "open")
        await _send(address, "engineer", "a\r\ndata: b\n\nevent: approval\u2028c")
        notice = await _next(notices, "decision")
        assert json.loads(notice["data"])["text"] == "a\r\ndata: b\n\nevent: approval\u2028c"


async def test_a_heartbeat_comes_while_nothing_happens(address: str):
    async with _listening(address, "captain") as notices:
        async with asyncio.timeout(60):
            async for notice in notices:
                if notice.get("comment") == "still here":
                    return
    raise AssertionError("no heartbeat")


async def test_a_listener_that_leaves_is_forgotten(address: str, executive: MemoryExecutive):
    async with _listening(address, "captain") as notices:
        await _next(notices, "open")
        assert executive.notices._listeners
    async with asyncio.timeout(60):
        while executive.notices._listeners:  # noqa: ASYNC110 - the server notices in its own time
            await asyncio.sleep(0.01)


async def test_a_query_is_no_key(clients: dict[str, httpx.AsyncClient]):
    answer = await clients["nobody"].get("/v1/stream?access_token=captain-key")
    assert_problem(answer, 401, "unauthenticated")


async def test_the_stream_ends_with_its_key(address: str, executive: MemoryExecutive):
    async with _listening(address, "captain") as notices:
        await _next(notices, "open")
        del executive.keys.principals["captain-key"]
        async with asyncio.timeout(60):
            told = [notice async for notice in notices if "event" in notice]
        assert told == []


async def test_one_holder_does_not_take_every_connection(app: FastAPI, address: str):
    listening = app.state.listening
    who = (PRINCIPALS["captain"].tenant_id, PRINCIPALS["captain"].user)
    listening[who] = MOST_AT_ONCE - 1
    async with _listening(address, "captain") as notices:
        await _next(notices, "open")
        assert listening[who] == MOST_AT_ONCE
        headers = {"Authorization": "Bearer captain-key"}
        async with httpx.AsyncClient(base_url=address, headers=headers) as client:
            assert_problem(await client.get("/v1/stream"), 429, "too-many")
        async with _listening(address, "engineer") as others:
            await _next(others, "open")
    async with httpx.AsyncClient(base_url=address, headers=headers) as client:
        async with asyncio.timeout(60):  # the place is free again once the service has noticed
            while listening[who] >= MOST_AT_ONCE:
                await client.get("/v1/decisions")
