"""What the log says of requests: that they came, never what was in them."""

import json
from pathlib import Path

import httpx
import pytest
import structlog
from fastapi import FastAPI

from api.app import create_app
from state.principal import Principal
from tests.api.conftest import assert_problem
from tests.api.memory_executive import MemoryExecutive


async def test_alive_and_ready_ask_for_no_key(clients: dict[str, httpx.AsyncClient]):
    for path in ("/livez", "/readyz"):
        assert (await clients["nobody"].get(path)).status_code == 200
        assert (await clients["nobody"].head(path)).status_code == 200


async def test_ready_says_what_is_degraded(
    clients: dict[str, httpx.AsyncClient], executive: MemoryExecutive
):
    executive.degraded.append("no model: words come from templates")
    answer = await clients["nobody"].get("/readyz")
    assert answer.json() == {"status": "ready", "degraded": ["no model: words come from templates"]}


async def test_not_ready_says_why(
    clients: dict[str, httpx.AsyncClient], executive: MemoryExecutive
):
    executive.reasons.append("the disk is full")
    answer = await clients["nobody"].get("/readyz")
    assert assert_problem(answer, 503, "not-ready")["reasons"] == ["the disk is full"]
    assert (await clients["nobody"].get("/livez")).status_code == 200


async def test_before_the_start_everything_but_life_is_503():
    app: FastAPI = create_app()
    async with httpx.AsyncClient(
        transport=httpx.ASGITransport(app), base_url="http://prefrontal.test"
    ) as client:
        assert (await client.get("/livez")).status_code == 200
        for path in ("/readyz", "/v1/decisions"):
            answer = await client.get(path, headers={"Authorization": "Bearer captain-key"})
            assert_problem(answer, 503, "not-ready")
            assert answer.headers["retry-after"]


ACTIONS = """
actions:
  ring_bell:
    summary: "Ring the bell"
    verb: show
    words: [ring]
    object: bell
    effect: read
    handler: "handlers:ring_bell"
    examples: ["ring the bell"]
"""
HANDLERS = '''"""The one handler."""

from state.action import ActionResult, HandlerContext


def ring_bell(context: HandlerContext) -> ActionResult:
    """Ring it."""
    return ActionResult(text="Ding.")
'''


async def test_the_app_opens_an_executive_of_its_own_and_closes_it(
    data_dir: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    pack = tmp_path / "bell"
    pack.mkdir()
    (pack / "actions.yaml").write_text(ACTIONS)
    (pack / "handlers.py").write_text(HANDLERS)
    monkeypatch.setenv("EXECUTIVE_DATA_DIR", str(data_dir))
    monkeypatch.setenv("EXECUTIVE_PACKS", str(pack))
    app = create_app()
    transport = httpx.ASGITransport(app)
    async with httpx.AsyncClient(transport=transport, base_url="http://bell.test") as client:
        async with app.router.lifespan_context(app):
            person = Principal(user="ben", tenant_id="aurora", roles=("engineer",))
            key = await app.state.executive.keys.make(person)
            client.headers["Authorization"] = f"Bearer {key}"
            accepted = await client.post(
                "/v1/events", json={"text": "Level 3"}, headers={"Prefer": "respond-async"}
            )
            assert accepted.status_code == 202
        assert_problem(await client.get("/v1/decisions"), 503, "not-ready")
        async with app.router.lifespan_context(app):
            decided = (await client.get("/v1/decisions")).json()["decisions"]
    assert [each["decision_id"] for each in decided] == [accepted.json()["decision_id"]]


@pytest.mark.usefixtures("every_line")
async def test_the_log_holds_neither_words_nor_keys(captain: httpx.AsyncClient):
    with structlog.testing.capture_logs() as lines:
        await captain.post("/v1/messages", json={"text": "canary-quux", "session_id": "s-quux"})
        await captain.post("/v1/messages", json={"text": "boom canary-quux"})
        await captain.get("/v1/decisions?session_id=s-quux")
        await captain.get("/v1/decisions", headers={"Authorization": "Bearer pf_quux"})
    told = json.dumps(lines)
    assert len(lines) >= 4
    assert "quux" not in told
    assert "captain-key" not in told
    assert {line["event"] for line in lines} == {"request", "unexpected", "permission_refused"}
