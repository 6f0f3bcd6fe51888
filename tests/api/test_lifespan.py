from pathlib import Path

import httpx
import pytest

from api.app import create_app
from state.principal import Principal
from tests.api.conftest import assert_problem

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
