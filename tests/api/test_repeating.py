"""A request sent twice, and an answer asked for twice, on the real Executive."""

import asyncio
import json
from pathlib import Path
from typing import Any

import httpx
import pytest

from api.app import create_app
from state.principal import Principal
from tests.api.conftest import assert_problem
from tests.safety.benches import CAPTAIN, ENGINEER
from tests.safety.executives import Opened, opened_executive
from tests.safety.shared import data_dir, fresh, pack  # noqa: F401 - fixtures
from tools.storage.idempotency import SqlIdempotency
from tools.storage.retention import forget_person

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
            ended = await after_a_start.claim(ENGINEER, "k-3", "?", hours=1)
            assert ended.standing == "unknown"

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
            missing = await client.get("/v1/approvals/none", headers=known)
            assert "etag" not in missing.headers
