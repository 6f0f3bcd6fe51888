"""Query log, quality and journal over HTTP."""

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

# The query log and its metrics over HTTP, on the real Executive with the harbour.

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


async def test_the_log_comes_in_pages_and_in_lines(keeper: httpx.AsyncClient):
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


async def test_what_was_done_elsewhere_is_recorded_once(keeper: httpx.AsyncClient):
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
):
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
async def test_an_observation_that_is_none_changes_nothing(keeper: httpx.AsyncClient, body: Any):
    record = await say(keeper, "show lock LK-12")
    path = f"/v1/queries/{record['decision_id']}/observed"
    assert_problem(await keeper.post(path, json=body), 422, "invalid")
    (row,) = (await keeper.get("/v1/queries")).json()["queries"]
    assert row["outcome"]["action_observed"] is None


async def test_nobody_sees_or_touches_another_tenant_s_queries(
    callers: dict[str, httpx.AsyncClient],
):
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
async def test_since_is_a_time_or_seconds(keeper: httpx.AsyncClient, route: str, since: str):
    answer = await keeper.get(route, params={"since": since})
    assert answer.status_code == 200, answer.text


async def test_seconds_count_from_1970(keeper: httpx.AsyncClient):
    await say(keeper, "show lock LK-12")
    now = time.time()
    for since, count in ((now - 3_600, 1), (now + 3_600, 0)):
        page = await keeper.get("/v1/queries", params={"since": f"{since:.0f}"})
        assert len(page.json()["queries"]) == count


@pytest.mark.parametrize(
    "wanted", [{"limit": "0"}, {"limit": "501"}, {"cursor": "x"}, {"since": "soon"}, {"more": "1"}]
)
async def test_a_filter_that_is_none_is_refused(keeper: httpx.AsyncClient, wanted: dict[str, str]):
    assert_problem(await keeper.get("/v1/queries", params=wanted), 422, "invalid")


async def test_metrics_come_as_json_and_for_prometheus(keeper: httpx.AsyncClient):
    await say(keeper, "show lock LK-12")
    figures = (await keeper.get("/v1/metrics")).json()
    assert (figures["queries"], figures["executions"]) == (1, {"auto": 1})
    assert figures["hard_false_positives"] == 0
    assert (await keeper.get("/v1/metrics", params={"since": "2199-01-01"})).json()["queries"] == 0
    text = await keeper.get("/v1/metrics", headers={"Accept": "text/plain"})
    assert text.headers["content-type"].startswith("text/plain; version=0.0.4")
    assert 'prefrontal_hard_false_positives{tenant="aurora"} 0' in text.text


async def test_a_hard_false_positive_makes_the_service_not_ready(
    keeper: httpx.AsyncClient, real: Executive
):
    assert (await keeper.get("/readyz")).status_code == 200
    assert (await say(keeper, "close lock LK-12"))["outcome"] == "awaiting_approval"
    started = update(ledger_action).where(ledger_action.c.execution_class == "C")
    await real.queries.database.write(
        lambda connection: connection.execute(started.values(started_at=1.0))
    )
    refused = assert_problem(await keeper.get("/readyz"), 503, "not-ready")
    assert any("1 unauthorized execution" in reason for reason in refused["reasons"])
    assert (await keeper.get("/v1/metrics")).json()["hard_false_positives"] == 1


# The quality of policy over HTTP and on the command line, on the real Executive with the shelf.

SHELF = Path(__file__).parents[1] / "shelf"
READER = Principal(user="ann", tenant_id="default", roles=("reader",))
ADMIN = Principal(user="bo", tenant_id="default", roles=("admin",))
STRANGER = Principal(user="cy", tenant_id="other", roles=("admin",))


@pytest.fixture
async def real_quality(data_dir: Path) -> AsyncIterator[Executive]:
    async with open_executive(Settings(data_dir=data_dir, packs=(str(SHELF),))) as executive:
        yield executive


@pytest.fixture
async def clients(real_quality: Executive) -> AsyncIterator[dict[str, httpx.AsyncClient]]:
    app = create_app(real_quality)
    people = {"reader": READER, "admin": ADMIN, "stranger": STRANGER}
    async with AsyncExitStack() as stack:
        made = {}
        for name, principal in people.items():
            client = httpx.AsyncClient(
                transport=httpx.ASGITransport(app, raise_app_exceptions=False),
                base_url="http://prefrontal.test",
                headers={"Authorization": f"Bearer {await real_quality.keys.make(principal)}"},
            )
            made[name] = await stack.enter_async_context(client)
        said = await made["reader"].post("/v1/messages", json={"text": "find recent books on ice"})
        assert said.json()["outcome"] == "executed"
        yield made


async def test_rates_are_read_by_pack(clients: dict[str, httpx.AsyncClient]):
    found = (await clients["reader"].get("/v1/metrics/shelf")).json()
    assert found["turns"] == 1
    assert found["direct_search_tool_call_rate"]["value"] == 1.0
    assert found["recency_filter_compliance_rate"] == {
        "value": 1.0, "n": 1, "low": pytest.approx(0.2065, abs=1e-3), "high": 1.0,
    }  # fmt: skip
    theirs = (await clients["stranger"].get("/v1/metrics/shelf")).json()
    assert (theirs["turns"], theirs["stage_transition_success_rate"]["value"]) == (0, None)
    assert_problem(await clients["reader"].get("/v1/metrics/vessel"), 404, "not-found")


async def test_a_reset_needs_a_role_and_keeps_the_history(clients: dict[str, httpx.AsyncClient]):
    assert_problem(await clients["reader"].post("/v1/metrics/shelf/reset"), 403, "forbidden")
    assert (await clients["admin"].post("/v1/metrics/shelf/reset")).json()["turns"] == 1
    found = (await clients["reader"].get("/v1/metrics/shelf")).json()
    assert found["turns"] == 0
    assert found["since"]
    path = "/v1/metrics/shelf/history"
    history = await clients["reader"].get(path, params={"aggregate_minutes": 1_440})
    assert [bucket["turns"] for bucket in history.json()["buckets"]] == [1]
    theirs = await clients["stranger"].get(path)
    assert theirs.json() == {"pack": "shelf", "aggregate_minutes": 60, "buckets": []}


@pytest.mark.parametrize("minutes", ["0", "-5", "1.5", "many", "999999999"])
async def test_a_span_that_cannot_be_is_refused(clients: dict[str, httpx.AsyncClient], minutes):
    path = f"/v1/metrics/shelf/history?aggregate_minutes={minutes}"
    assert_problem(await clients["reader"].get(path), 422, "invalid")


async def test_prometheus_finds_all_of_it_in_one_place(clients: dict[str, httpx.AsyncClient]):
    scraped = await clients["reader"].get("/metrics")
    assert "# TYPE prefrontal_requests_refused_total counter" in scraped.text
    assert scraped.headers["content-type"].startswith("text/plain")
    lines = scraped.text.splitlines()
    labels = 'tenant="default",pack="shelf"'
    assert f"prefrontal_direct_search_tool_call_ratio{{{labels}}} 1" in lines
    assert f"prefrontal_clarification_first_ratio{{{labels}}} 0" in lines
    assert f"prefrontal_stage_transition_success_of{{{labels}}} 1" in lines
    assert 'prefrontal_queries{tenant="default",class="auto"} 1' in lines
    assert (await clients["reader"].post("/metrics")).status_code == 405


async def test_a_turn_that_missed_is_explained_by_its_row_alone(
    clients: dict[str, httpx.AsyncClient], real_quality: Executive
):
    said = await clients["reader"].post(
        "/v1/messages", json={"text": "find me books", "session_id": "new"}
    )
    found = (await clients["reader"].get("/v1/metrics/shelf")).json()
    (missed,) = found["missed"]
    assert missed["decision_id"] == said.json()["decision_id"]
    assert missed["misses"] == ["clarified_first"]
    trace = (await clients["reader"].get(f"/v1/decisions/{missed['decision_id']}")).json()
    assert trace["stages"]["policy"]["intent"] == "direct_search"
    assert trace["stages"]["policy"]["force_tool"] == "find_books"
