"""The quality of policy over HTTP and on the command line, on the real Executive with the shelf."""

from collections.abc import AsyncIterator
from contextlib import AsyncExitStack
from pathlib import Path

import httpx
import pytest

from api.app import create_app
from graph.executive import Executive
from graph.settings import Settings
from graph.wiring.composition import open_executive
from state.principal import Principal
from tests.api.conftest import assert_problem

SHELF = Path(__file__).parents[1] / "shelf"
READER = Principal(user="ann", tenant_id="default", roles=("reader",))
ADMIN = Principal(user="bo", tenant_id="default", roles=("admin",))
STRANGER = Principal(user="cy", tenant_id="other", roles=("admin",))


@pytest.fixture
async def real(data_dir: Path) -> AsyncIterator[Executive]:
    async with open_executive(Settings(data_dir=data_dir, packs=(str(SHELF),))) as executive:
        yield executive


@pytest.fixture
async def clients(real: Executive) -> AsyncIterator[dict[str, httpx.AsyncClient]]:
    app = create_app(real)
    people = {"reader": READER, "admin": ADMIN, "stranger": STRANGER}
    async with AsyncExitStack() as stack:
        made = {}
        for name, principal in people.items():
            client = httpx.AsyncClient(
                transport=httpx.ASGITransport(app, raise_app_exceptions=False),
                base_url="http://prefrontal.test",
                headers={"Authorization": f"Bearer {await real.keys.make(principal)}"},
            )
            made[name] = await stack.enter_async_context(client)
        said = await made["reader"].post("/v1/messages", json={"text": "find recent books on ice"})
        assert said.json()["outcome"] == "executed"
        yield made


async def test_rates_are_read_by_pack(clients: dict[str, httpx.AsyncClient]) -> None:
    found = (await clients["reader"].get("/v1/metrics/shelf")).json()
    assert found["turns"] == 1
    assert found["direct_search_tool_call_rate"]["value"] == 1.0
    assert found["recency_filter_compliance_rate"] == {
        "value": 1.0, "n": 1, "low": pytest.approx(0.2065, abs=1e-3), "high": 1.0,
    }  # fmt: skip
    theirs = (await clients["stranger"].get("/v1/metrics/shelf")).json()
    assert (theirs["turns"], theirs["stage_transition_success_rate"]["value"]) == (0, None)
    assert_problem(await clients["reader"].get("/v1/metrics/vessel"), 404, "not-found")


async def test_a_reset_needs_a_role_and_keeps_the_history(
    clients: dict[str, httpx.AsyncClient],
) -> None:
    refused = await clients["reader"].post("/v1/metrics/shelf/reset")
    assert_problem(refused, 403, "forbidden")
    until_now = await clients["admin"].post("/v1/metrics/shelf/reset")
    assert until_now.json()["turns"] == 1
    found = (await clients["reader"].get("/v1/metrics/shelf")).json()
    assert found["turns"] == 0
    assert found["since"]
    path = "/v1/metrics/shelf/history"
    history = await clients["reader"].get(path, params={"aggregate_minutes": 1_440})
    assert [bucket["turns"] for bucket in history.json()["buckets"]] == [1]
    theirs = await clients["stranger"].get(path)
    assert theirs.json() == {"pack": "shelf", "aggregate_minutes": 60, "buckets": []}


@pytest.mark.parametrize("minutes", ["0", "-5", "1.5", "many", "999999999"])
async def test_a_span_that_cannot_be_is_refused(
    clients: dict[str, httpx.AsyncClient], minutes: str
) -> None:
    path = f"/v1/metrics/shelf/history?aggregate_minutes={minutes}"
    assert_problem(await clients["reader"].get(path), 422, "invalid")


async def test_prometheus_finds_all_of_it_in_one_place(
    clients: dict[str, httpx.AsyncClient],
) -> None:
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
    clients: dict[str, httpx.AsyncClient], real: Executive
) -> None:
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
