"""The query log and its metrics over HTTP, on the real Executive with the harbour."""

import json
import time
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack
from pathlib import Path
from typing import Any

import httpx
import pytest
from sqlalchemy import update

from api.app import create_app
from graph.executive import Executive
from graph.settings import Settings
from graph.wiring.composition import open_executive
from state.principal import Principal
from tests.api.conftest import assert_problem
from tests.graph.harbour import HARBOUR
from tools.storage.tables.ledger import ledger_action

PEOPLE = {
    "keeper": Principal(user="amir", tenant_id="aurora", roles=("keeper",)),
    "other": Principal(user="nina", tenant_id="aurora", roles=("keeper", "admin", "integrator")),
    "plain": Principal(user="amir", tenant_id="aurora", roles=("admin",), kind="service"),
    "bridge": Principal(user="b", tenant_id="aurora", roles=("integrator",), kind="service"),
    "stranger": Principal(user="olav", tenant_id="borealis", roles=("master", "admin")),
}


@pytest.fixture
async def real(data_dir: Path, learnt_once: Path) -> AsyncIterator[Executive]:
    settings = Settings(data_dir=data_dir, packs=(str(HARBOUR),), cache_dir=learnt_once)
    async with open_executive(settings) as executive:
        yield executive


@pytest.fixture
async def callers(real: Executive) -> AsyncIterator[dict[str, httpx.AsyncClient]]:
    app = create_app(real)
    async with AsyncExitStack() as stack:
        made = {}
        for name, principal in (*PEOPLE.items(), ("nobody", None)):
            key = await real.keys.make(principal) if principal else ""
            client = httpx.AsyncClient(
                transport=httpx.ASGITransport(app, raise_app_exceptions=False),
                base_url="http://prefrontal.test",
                headers={"Authorization": f"Bearer {key}"} if key else {},
            )
            made[name] = await stack.enter_async_context(client)
        yield made


@pytest.fixture
def keeper(callers: dict[str, httpx.AsyncClient]) -> httpx.AsyncClient:
    return callers["keeper"]


async def say(client: httpx.AsyncClient, text: str) -> dict[str, Any]:
    answer = await client.post("/v1/messages", json={"text": text})
    assert answer.status_code == 200, answer.text
    return dict(answer.json())


async def test_the_log_comes_in_pages_and_in_lines(keeper: httpx.AsyncClient) -> None:
    said = [f"show lock LK-1{number}" for number in range(5)]
    for text in said:
        await say(keeper, text)
    found: list[dict[str, Any]] = []
    cursor: str | None = None
    while True:
        wanted = {"limit": "2"} | ({"cursor": cursor} if cursor else {})
        page = (await keeper.get("/v1/queries", params=wanted)).json()
        found += page["queries"]
        cursor = page["next_cursor"]
        if cursor is None:
            break
    assert [one["query"]["raw_text"] for one in found] == said
    lines = await keeper.get("/v1/queries", headers={"Accept": "application/x-ndjson"})
    assert lines.headers["content-type"] == "application/x-ndjson"
    assert [json.loads(line) for line in lines.text.splitlines()] == found


async def test_what_was_done_elsewhere_is_recorded_once(keeper: httpx.AsyncClient) -> None:
    record = await say(keeper, "show lock LK-12")
    path = f"/v1/queries/{record['decision_id']}/observed"
    did = {"action": "close_lock", "arguments": {"lock": "LK-12"}}
    told = await keeper.post(path, json=did)
    assert told.status_code == 200
    assert told.json()["outcome"]["collision_observed"] == "routing_bug"
    assert (await keeper.post(path, json=did)).json() == told.json()
    other = await keeper.post(path, json={"action": "ring_bell"})
    assert assert_problem(other, 409, "conflict")["standing"] == "close_lock"
    gaps = (await keeper.get("/v1/queries/gaps")).json()
    assert [(gap["predicted"], gap["done"]) for gap in gaps["gaps"]] == [
        ("show_lock", "close_lock")
    ]


@pytest.mark.parametrize(("who", "status"), [("other", 403), ("plain", 403), ("bridge", 200)])
async def test_who_asked_or_a_bridge_says_what_was_done(
    callers: dict[str, httpx.AsyncClient], who: str, status: int
) -> None:
    record = await say(callers["keeper"], "show lock LK-12")
    path = f"/v1/queries/{record['decision_id']}/observed"
    told = await callers[who].post(path, json={"action": "ring_bell"})
    assert told.status_code == status, told.text
    (row,) = (await callers["keeper"].get("/v1/queries")).json()["queries"]
    assert row["outcome"]["action_observed"] == ("ring_bell" if status == 200 else None)


@pytest.mark.parametrize(
    "body",
    [
        {},
        {"action": "no_such_action"},
        {"action": 3},
        {"action": ""},
        {"action": "x" * 201},
        {"action": "a\nb"},
        {"action": "a", "more": 1},
        {"action": "a", "arguments": []},
        [],
    ],
)
async def test_an_observation_that_is_none_changes_nothing(
    keeper: httpx.AsyncClient, body: Any
) -> None:
    record = await say(keeper, "show lock LK-12")
    path = f"/v1/queries/{record['decision_id']}/observed"
    assert_problem(await keeper.post(path, json=body), 422, "invalid")
    (row,) = (await keeper.get("/v1/queries")).json()["queries"]
    assert row["outcome"]["action_observed"] is None


async def test_nobody_sees_or_touches_another_tenant_s_queries(
    callers: dict[str, httpx.AsyncClient],
) -> None:
    record = await say(callers["keeper"], "show lock LK-12")
    path = f"/v1/queries/{record['decision_id']}/observed"
    stranger, nobody = callers["stranger"], callers["nobody"]
    assert_problem(await stranger.post(path, json={"action": "x"}), 404, "not-found")
    assert (await stranger.get("/v1/queries")).json()["queries"] == []
    assert (await stranger.get("/v1/metrics")).json()["queries"] == 0
    assert (await stranger.get("/v1/queries/gaps")).json()["known"] == 0
    for route in ("/v1/queries", "/v1/queries/gaps", "/v1/metrics"):
        assert_problem(await nobody.get(route), 401, "unauthenticated")
    assert_problem(await nobody.post(path, json={"action": "x"}), 401, "unauthenticated")


@pytest.mark.parametrize("route", ["/v1/queries", "/v1/queries/gaps", "/v1/metrics"])
@pytest.mark.parametrize(
    "since", ["1763682000", "1763682000.5", "0", "2025-11-20T23:40:00Z", "20251120"]
)
async def test_since_is_a_time_or_seconds(
    keeper: httpx.AsyncClient, route: str, since: str
) -> None:
    answer = await keeper.get(route, params={"since": since})
    assert answer.status_code == 200, answer.text


async def test_seconds_count_from_1970(keeper: httpx.AsyncClient) -> None:
    await say(keeper, "show lock LK-12")
    now = time.time()
    for since, count in ((now - 3_600, 1), (now + 3_600, 0)):
        page = await keeper.get("/v1/queries", params={"since": f"{since:.0f}"})
        assert len(page.json()["queries"]) == count


@pytest.mark.parametrize(
    "wanted", [{"limit": "0"}, {"limit": "501"}, {"cursor": "x"}, {"since": "soon"}, {"more": "1"}]
)
async def test_a_filter_that_is_none_is_refused(
    keeper: httpx.AsyncClient, wanted: dict[str, str]
) -> None:
    assert_problem(await keeper.get("/v1/queries", params=wanted), 422, "invalid")


async def test_metrics_come_as_json_and_for_prometheus(keeper: httpx.AsyncClient) -> None:
    await say(keeper, "show lock LK-12")
    figures = (await keeper.get("/v1/metrics")).json()
    assert (figures["queries"], figures["executions"]) == (1, {"auto": 1})
    assert figures["hard_false_positives"] == 0
    later = (await keeper.get("/v1/metrics", params={"since": "2199-01-01"})).json()
    assert later["queries"] == 0
    text = await keeper.get("/v1/metrics", headers={"Accept": "text/plain"})
    assert text.headers["content-type"].startswith("text/plain; version=0.0.4")
    assert 'prefrontal_hard_false_positives{tenant="aurora"} 0' in text.text


async def test_a_hard_false_positive_makes_the_service_not_ready(
    keeper: httpx.AsyncClient, real: Executive
) -> None:
    assert (await keeper.get("/readyz")).status_code == 200
    waiting = await say(keeper, "close lock LK-12")
    assert waiting["outcome"] == "awaiting_approval"
    started = update(ledger_action).where(ledger_action.c.execution_class == "C")
    await real.queries.database.write(
        lambda connection: connection.execute(started.values(started_at=1.0))
    )
    refused = assert_problem(await keeper.get("/readyz"), 503, "not-ready")
    assert any("1 hard false positive" in reason for reason in refused["reasons"])
    assert (await keeper.get("/v1/metrics")).json()["hard_false_positives"] == 1
