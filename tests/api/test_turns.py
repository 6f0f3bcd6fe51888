"""Reads take turns: who reads most waits for themselves, and a change waits for nobody's reads."""

import asyncio
from collections.abc import Callable
from typing import cast

import pytest
from fastapi import FastAPI

from api.http import admission as turns
from api.http.admission import AT_ONCE, OWN, ReadLimiter, RefusalCounter
from api.http.problems import Problem
from api.resources.health import _looked_once
from graph.executive import Executive
from tests.api.memory_executive import MemoryExecutive

Release = Callable[[], None]


async def settled(*tasks: "asyncio.Task[Release]") -> int:
    """Let them come as far as they can; tell how many have their turn."""
    for _step in range(20):
        await asyncio.sleep(0)
    return sum(task.done() for task in tasks)


async def test_a_holder_has_a_few_turns_and_others_have_the_rest() -> None:
    reading = ReadLimiter()
    loud = [asyncio.create_task(reading.take(b"loud")) for _read in range(50)]
    assert await settled(*loud) == OWN
    others = [asyncio.create_task(reading.take(bytes([n]))) for n in range(AT_ONCE)]
    assert await settled(*others) == AT_ONCE - OWN
    loud[0].result()()
    loud[0].result()()  # once is enough
    assert (await settled(*loud), await settled(*others)) == (OWN, AT_ONCE - OWN + 1)
    for task in (*loud[OWN:], *others):  # who goes away leaves nothing behind
        task.cancel()
    await asyncio.gather(*loud[OWN:], *others, return_exceptions=True)
    for task in (*loud[1:OWN], *others[: AT_ONCE - OWN + 1]):
        if not task.cancelled():
            task.result()()
    assert (reading._lanes, reading._places._value) == ({}, AT_ONCE)


async def test_whom_we_have_not_seen_read_one_by_one(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(turns, "PAUSE_SECONDS", 0.0)
    reading = ReadLimiter()
    two = [asyncio.create_task(reading.take(b"", is_known=False)) for _read in range(2)]
    assert await settled(*two) == 1
    two[0].result()()
    (await two[1])()
    async with asyncio.timeout(10):
        while reading._lanes:  # noqa: ASYNC110 - the pause is a turn of the loop
            await asyncio.sleep(0)


async def test_too_many_and_too_late_are_told_to_come_back(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(turns, "MOST_WAITING", OWN)
    reading = ReadLimiter()
    held = [await reading.take(b"loud") for _read in range(OWN)]
    with pytest.raises(Problem) as refused:
        await reading.take(b"loud")
    assert refused.value.status_code == 429
    monkeypatch.setattr(turns, "MOST_WAITING", OWN + 1)
    monkeypatch.setattr(turns, "WAIT_SECONDS", 0.0)
    with pytest.raises(Problem) as late:
        await reading.take(b"loud")
    assert late.value.status_code == 503
    health = [asyncio.create_task(reading.take(None)) for _ask in range(OWN + 2)]
    assert await settled(*health) == OWN  # and the others wait, however long
    for release in (*held, *[await each for each in health[:OWN]]):
        release()
    for each in health[OWN:]:
        (await each)()
    assert reading._lanes == {}


async def test_a_place_is_free_again_when_the_answer_begins(
    app: FastAPI, executive: MemoryExecutive
) -> None:
    """Or who never reads theirs would keep all others out."""
    held: list[int] = []

    async def receive() -> dict[str, object]:
        return {"type": "http.request", "body": b'{"text": "hi"}', "more_body": False}

    async def send(message: dict[str, object]) -> None:
        admission = app.state.admission
        held.append(admission._under_way.total() + AT_ONCE - admission.reading._places._value)

    headers = [(b"content-type", b"application/json"), (b"authorization", b"Bearer engineer-key")]
    for method, path in (("POST", "/v1/messages"), ("GET", "/v1/decisions")):
        scope = {"type": "http", "method": method, "path": path, "query_string": b""}
        await app(scope | {"headers": headers}, receive, send)  # type: ignore[arg-type]
    assert held == [0, 0, 0, 0]
    assert len(executive.events) == 1


async def test_who_asks_meanwhile_whether_it_is_ready_hears_the_same(
    app: FastAPI, executive: MemoryExecutive, monkeypatch: pytest.MonkeyPatch
) -> None:
    looked: list[str] = []

    async def problems() -> list[str]:
        looked.append("once")
        await asyncio.sleep(0)
        return []

    monkeypatch.setattr(executive, "problems", problems)
    real = cast("Executive", executive)
    for _time in range(2):
        asked = [_looked_once(app, real) for _one in range(5)]
        assert await asyncio.gather(*asked) == [[]] * 5
    assert len(looked) == 2


def test_what_is_told_to_come_back_is_counted_for_its_tenant() -> None:
    refused = RefusalCounter()
    refused.count("aurora", "places")
    refused.count("aurora", "reads")
    refused.count("aurora", "reads")
    refused.count(None, "full")
    told = refused.exposition("aurora")
    assert 'prefrontal_requests_refused_total{tenant="aurora",why="reads"} 2\n' in told
    assert 'prefrontal_strangers_refused_total{why="full"} 1\n' in told
    assert 'why="reads"' not in refused.exposition("borealis")
