"""Reads take turns, requests repeat, lists come a page at a time."""

import asyncio
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any, cast

import httpx
import pytest
from fastapi import FastAPI

from api.app import create_app
from api.http import admission as turns
from api.http.admission import AT_ONCE, OWN, ReadLimiter, RefusalCounter
from api.http.problems import Problem
from api.resources.health import _looked_once
from graph.executive import Executive
from state.principal import Principal
from tests.api.conftest import assert_problem
from tests.api.memory_executive import MemoryExecutive
from tests.safety.benches import CAPTAIN, ENGINEER, STRANGER, sql, yes
from tests.safety.executives import Opened, opened_executive
from tests.safety.shared import (
    data_dir,  # noqa: F401 - fixtures
    fresh,  # noqa: F401 - fixtures
    pack,  # noqa: F401 - fixtures
)
from tests.torture.serving import clients
from tools.storage.idempotency import SqlIdempotency
from tools.storage.retention import forget_person

# Reads take turns: who reads most waits for themselves, and a change waits for nobody's reads.

Release = Callable[[], None]


async def settled(*tasks: "asyncio.Task[Release]") -> int:
    """Let them come as far as they can; tell how many have their turn."""
    for _step in range(20):
        await asyncio.sleep(0)
    return sum(task.done() for task in tasks)


async def test_a_holder_has_a_few_turns_and_others_have_the_rest():
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


async def test_whom_we_have_not_seen_read_one_by_one(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(turns, "PAUSE_SECONDS", 0.0)
    reading = ReadLimiter()
    two = [asyncio.create_task(reading.take(b"", is_known=False)) for _read in range(2)]
    assert await settled(*two) == 1
    two[0].result()()
    (await two[1])()
    async with asyncio.timeout(10):
        while reading._lanes:  # noqa: ASYNC110 - the pause is a turn of the loop
            await asyncio.sleep(0)


async def test_too_many_and_too_late_are_told_to_come_back(monkeypatch: pytest.MonkeyPatch):
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


async def test_polls_queue_apart_from_the_reads_of_their_key(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(turns, "MOST_WAITING", OWN)
    reading = ReadLimiter()
    polls = [asyncio.create_task(reading.take(b"loud", is_poll=True)) for _poll in range(1_000)]
    assert await settled(*polls) == OWN
    read = asyncio.create_task(reading.take(b"loud"))
    assert await settled(read) == 1
    read.result()()
    for poll in polls:  # each has its turn, reads where its call stands, and gives it back
        (await poll)()
    assert reading._lanes == {}


@pytest.mark.parametrize(
    ("url", "is_poll"),
    [
        ("/v1/proposals/p-1?wait=20", True),
        ("/v1/proposals/p-1", False),
        ("/v1/decisions?wait=20", False),
    ],
)
async def test_a_request_that_waits_for_a_call_is_a_poll(
    app: FastAPI, monkeypatch: pytest.MonkeyPatch, url: str, *, is_poll: bool
):
    taken: list[bool] = []

    async def take(_self: ReadLimiter, _holder: object, **said: bool) -> Release:
        taken.append(said.get("is_poll", False))
        return lambda: None

    monkeypatch.setattr(ReadLimiter, "take", take)
    headers = {"Authorization": "Bearer engineer-key"}
    transport = httpx.ASGITransport(app)
    async with httpx.AsyncClient(transport=transport, base_url="http://127.0.0.1") as client:
        for _known in range(2):  # of a key that was never seen before any read is a stranger's
            await client.get("/v1/decisions", headers=headers)
        await client.get(url, headers=headers)
    assert taken[-1] is is_poll


async def test_a_place_is_free_again_when_the_answer_begins(
    app: FastAPI, executive: MemoryExecutive
):
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
):
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


def test_what_is_told_to_come_back_is_counted_for_its_tenant():
    refused = RefusalCounter()
    refused.count("aurora", "places")
    refused.count("aurora", "reads")
    refused.count("aurora", "reads")
    refused.count(None, "full")
    told = refused.exposition("aurora")
    assert 'prefrontal_requests_refused_total{tenant="aurora",why="reads"} 2\n' in told
    assert 'prefrontal_strangers_refused_total{why="full"} 1\n' in told
    assert 'why="reads"' not in refused.exposition("borealis")


# A request sent twice, and an answer asked for twice, on the real Executive.

CUT_OFF = 9


def _client(opened: Opened, key: str) -> httpx.AsyncClient:
    return httpx.AsyncClient(
        transport=httpx.ASGITransport(create_app(opened.executive)),
        base_url="http://127.0.0.1",
        headers={"Authorization": f"Bearer {key}"},
    )


async def test_a_request_with_a_key_is_done_once(
    data_dir: Path,  # noqa: F811
    pack: Path,  # noqa: F811
):
    async with opened_executive(data_dir, pack) as opened:
        mine, other = [await opened.executive.keys.make(who) for who in (ENGINEER, CAPTAIN)]
        async with _client(opened, mine) as client, _client(opened, other) as captain:
            keyed = {"Idempotency-Key": "k-1"}
            said = {"text": "label valve V-9", "session_id": "s-1"}
            both = await asyncio.gather(
                *(client.post("/v1/messages", json=said, headers=keyed) for _twice in range(2))
            )
            first = next(one for one in both if one.status_code == 200)
            for late in both:
                if late is not first and late.status_code != 200:
                    assert_problem(late, 409, "under-way")
                    assert late.headers["retry-after"] == "1"
            again = await client.post("/v1/messages", json=said, headers=keyed)
            assert (again.status_code, again.json()) == (200, first.json())
            assert again.headers["idempotent-replayed"] == "true"
            assert again.headers["x-request-id"] != first.headers["x-request-id"]
            assert len((await client.get("/v1/decisions")).json()["decisions"]) == 1

            changed = await client.post("/v1/messages", json=said | {"text": "x"}, headers=keyed)
            assert_problem(changed, 422, "key-reused")
            moved = await client.post("/v1/goals", json=said, headers=keyed)
            assert_problem(moved, 422, "key-reused")
            reader = ENGINEER.model_copy(update={"roles": (), "scopes": ("read", "ask")})
            async with _client(opened, await opened.executive.keys.make(reader)) as lesser:
                kept = await lesser.post("/v1/messages", json=said, headers=keyed)
            assert_problem(kept, 422, "key-reused")  # what it says is not for these rights
            theirs = await captain.post("/v1/messages", json=said, headers=keyed)
            assert "idempotent-replayed" not in theirs.headers  # the key of another is another

            refused = {"Idempotency-Key": "k-2"}
            assert_problem(
                await client.post("/v1/messages", json={"text": ""}, headers=refused),
                422,
                "invalid",
            )
            mended = await client.post("/v1/messages", json=said, headers=refused)
            assert mended.status_code == 200

            await opened.executive.idempotency.claim(ENGINEER, "k-3", "?", hours=1)
            after_a_start = SqlIdempotency(opened.box.database)
            assert (await after_a_start.claim(ENGINEER, "k-3", "?", hours=1)).standing == "unknown"

            for wrong in ("", "a b", "é", "x" * 256):
                sent = {b"Idempotency-Key": wrong.encode("latin-1")}
                answer = await client.post("/v1/messages", json=said, headers=sent)
                assert_problem(answer, 400, "bad-request")
            lines = keyed | {"Content-Type": "application/x-ndjson"}
            answer = await client.post("/v1/events", content=json.dumps(said), headers=lines)
            assert_problem(answer, 400, "bad-request")
        await _is_let_go(opened)


async def test_who_went_away_comes_back_for_the_answer(
    data_dir: Path,  # noqa: F811
    pack: Path,  # noqa: F811
):
    """Cut off at one moment or another: it is done once, and its key is never lost."""
    async with opened_executive(data_dir, pack) as opened:
        mine = await opened.executive.keys.make(ENGINEER)
        async with _client(opened, mine) as client:
            replayed = 0
            for number in range(CUT_OFF):
                said = {"text": "label valve V-9", "session_id": f"s-{number}"}
                keyed = {"Idempotency-Key": f"k-{number}"}
                first = asyncio.create_task(client.post("/v1/messages", json=said, headers=keyed))
                while not opened.executive.idempotency._at_work:  # noqa: ASYNC110 - the key is taken
                    await asyncio.sleep(0)
                for _turn in range(number * 6):
                    await asyncio.sleep(0)
                first.cancel()
                await asyncio.wait([first])
                again = await client.post("/v1/messages", json=said, headers=keyed)
                for _try in range(500):
                    if again.status_code != 409:
                        break
                    assert_problem(again, 409, "under-way")
                    again = await client.post("/v1/messages", json=said, headers=keyed)
                assert again.status_code == 200
                replayed += "idempotent-replayed" in again.headers
                page = await client.get("/v1/decisions", params={"session_id": f"s-{number}"})
                made = [each["decision_id"] for each in page.json()["decisions"]]
                assert made == [again.json()["decision_id"]]
            assert replayed == CUT_OFF


async def test_a_key_that_nobody_is_at_says_so(
    data_dir: Path,  # noqa: F811
    pack: Path,  # noqa: F811
    monkeypatch: pytest.MonkeyPatch,
):
    async with opened_executive(data_dir, pack) as opened:
        mine = await opened.executive.keys.make(ENGINEER)

        async def broken(*_given: object, **_named: object) -> None:
            raise RuntimeError("fell over")

        monkeypatch.setattr(opened.executive, "submit", broken)
        async with _client(opened, mine) as client:
            keyed, said = {"Idempotency-Key": "k-1"}, {"text": "label valve V-9"}
            fell = await client.post("/v1/messages", json=said, headers=keyed)
            assert_problem(fell, 500, "internal")
            again = await client.post("/v1/messages", json=said, headers=keyed)
            assert_problem(again, 409, "outcome-unknown")


async def _is_let_go(opened: Opened) -> None:
    database, kept = opened.box.database, SqlIdempotency(opened.box.database)

    def count(connection: Any) -> int:
        return int(connection.exec_driver_sql("select count(*) from kept_answer").scalar())

    before = await database.read(count)
    await kept.claim(CAPTAIN, "k-9", "?", hours=-1)
    await kept.let_old_go()
    assert await database.read(count) == before
    await database.write(lambda one: forget_person(one, ENGINEER.tenant_id, ENGINEER.user))
    assert await database.read(count) == 1


async def test_who_has_an_answer_is_not_sent_it_again(
    data_dir: Path,  # noqa: F811
    pack: Path,  # noqa: F811
):
    async with opened_executive(data_dir, pack) as opened:
        await opened.asked()
        key = await opened.executive.keys.make(CAPTAIN)
        stranger = Principal(user="ingrid", tenant_id="borealis")
        theirs = await opened.executive.keys.make(stranger)
        async with _client(opened, key) as client, _client(opened, theirs) as elsewhere:
            first = await client.get("/v1/approvals")
            known = {"If-None-Match": f'W/"old", {first.headers["etag"]}'}
            again = await client.get("/v1/approvals", headers=known)
            assert (again.status_code, again.content) == (304, b"")
            assert again.headers["etag"] == first.headers["etag"]
            assert (await elsewhere.get("/v1/approvals", headers=known)).status_code == 200
            await opened.asked("open valve V-7", "e-2")
            assert (await client.get("/v1/approvals", headers=known)).status_code == 200
            assert "etag" not in (await client.get("/v1/approvals/none", headers=known)).headers


# Lists a page at a time, on the real Executive: nothing twice, nothing left out, in order.


async def _pages(client: httpx.AsyncClient, path: str, name: str) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = []
    cursor = None
    while page := (
        await client.get(path, params={"limit": 2} | ({"cursor": cursor} if cursor else {}))
    ).json():
        assert len(page[name]) <= 2
        found += page[name]
        cursor = page["next_cursor"]
        if cursor is None:
            break
    return found


async def test_what_waits_is_listed_by_what_runs_out_first_page_by_page(
    data_dir: Path,  # noqa: F811
    pack: Path,  # noqa: F811
):
    async with opened_executive(data_dir, pack) as opened:
        asked = [await opened.asked(f"open valve V-{n}", f"e-{n}") for n in range(1, 6)]
        for number in range(3):
            await opened.ask(f"label valve V-{number}", f"o-{number}")
        ids = [one.action_id for one in asked]
        urgent = [ids[3], ids[0], ids[4], ids[1], ids[2]]
        for place, action_id in enumerate(urgent[:-1]):
            seconds = f"(julianday('now') - 2440587.5) * 86400.0 + {100 + place}"
            change = f"update ledger_action set expires_at = {seconds} where action_id = ?"
            sql(data_dir, change, (action_id,))
        async with clients(opened.executive, CAPTAIN, STRANGER) as [captain, stranger]:
            listed = await _pages(captain, "/v1/approvals", "approvals")
            assert [one["action_id"] for one in listed] == urgent
            offers = await _pages(captain, "/v1/offers", "offers")
            assert len({one["offer_id"] for one in offers}) == len(offers) == 3
            actions = await _pages(captain, "/v1/actions", "actions")
            assert {one["action_id"] for one in actions} >= set(ids)
            assert len({one["action_id"] for one in actions}) == len(actions)

            first = await captain.get("/v1/approvals", params={"limit": 2})
            for shown in asked[3], asked[0]:  # the page's last one is answered in between
                await opened.executive.approvals.answer(shown.action_id, yes(shown), CAPTAIN)
            next_page = {"limit": 2, "cursor": first.json()["next_cursor"]}
            after = (await captain.get("/v1/approvals", params=next_page)).json()["approvals"]
            assert [one["action_id"] for one in after] == urgent[2:4]

            for path in ("/v1/approvals", "/v1/actions", "/v1/offers"):
                for client in (captain, stranger):
                    wrong = ids[0] if client is stranger else "none"
                    assert_problem(await client.get(path, params={"cursor": wrong}), 422, "invalid")


async def test_lists_of_a_session_and_of_a_tenant_go_on_where_the_page_before_ended(
    data_dir: Path,  # noqa: F811
    pack: Path,  # noqa: F811
):
    async with opened_executive(data_dir, pack) as opened:
        guest = CAPTAIN.model_copy(update={"user": "vic", "roles": ("guest",)})
        async with clients(opened.executive, CAPTAIN, guest) as [captain, other]:
            for number in range(5):
                for path, body in (
                    ("/v1/reminders", {"text": f"look {number}", "in_seconds": 60 + number % 2}),
                    ("/v1/goals", {"text": f"paint deck {number}"}),
                    ("/v1/modulations", {"kind": "heighten", "topic": f"pump {'abcde'[number]}"}),
                    ("/v1/refusals", {"action": "open_valve", "arguments": {}, "reason": "no"}),
                    ("/v1/messages", {"text": f"read gauge G-{number}"}),
                ):
                    answer = await captain.post(path, json=body)
                    assert answer.status_code == 200, answer.text
            for path, name in (
                ("/v1/reminders", "reminders"),
                ("/v1/goals", "goals"),
                ("/v1/modulations", "modulations"),
                ("/v1/refusals", "refusals"),
                ("/v1/memory", "said"),
                ("/v1/heuristics", "heuristics"),
                ("/v1/skills", "skills"),
            ):
                whole = (await captain.get(path, params={"limit": 100})).json()
                assert whole["next_cursor"] is None
                listed = await _pages(captain, path, name)
                assert listed == whole[name], path
                assert len(listed) >= 5 or name in ("heuristics", "skills")
                assert_problem(await captain.get(path, params={"cursor": "99999"}), 422, "invalid")
            assert (await other.get("/v1/refusals")).json()["refusals"] == []
            first = (await captain.get("/v1/refusals", params={"limit": 1})).json()["next_cursor"]
            unseen = await other.get("/v1/refusals", params={"cursor": first})
            assert_problem(unseen, 422, "invalid")
