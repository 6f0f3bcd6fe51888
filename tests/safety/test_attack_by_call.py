"""The same ways round the gate for what an agent proposed, over HTTP and over MCP."""

from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

import httpx
import pytest

from state.approval import LedgerAction
from state.principal import Principal
from tests.safety.attacks import ATTACKS
from tests.safety.benches import CAPTAIN, sql, yes
from tests.safety.executives import Opened, opened_executive
from tests.safety.test_attack import OFTEN
from tests.safety.valves import effects
from tests.torture.serving import clients

AGENT = Principal(user="valve-agent", tenant_id="aurora", roles=("engineer",), kind="service")
ARGUMENTS = {"valve": "V-101"}


async def _over_http(client: httpx.AsyncClient) -> Any:
    call = {"action": "open_valve", "arguments": ARGUMENTS}
    return (await client.post("/v1/proposals", json=call)).json()


async def _over_mcp(client: httpx.AsyncClient) -> Any:
    params = {"name": "open_valve", "arguments": ARGUMENTS}
    message = {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": params}
    headers = {"Accept": "application/json, text/event-stream"}
    answer = await client.post("/mcp", json=message, headers=headers)
    return answer.json()["result"]["structuredContent"]


DOORS: dict[str, Callable[[httpx.AsyncClient], Awaitable[Any]]] = {
    "HTTP": _over_http,
    "MCP": _over_mcp,
}
NAMES = [pytest.param(name, marks=() if name in OFTEN else pytest.mark.torture) for name in ATTACKS]


@pytest.mark.parametrize("door", DOORS)
@pytest.mark.parametrize("name", NAMES)
async def test_an_attack_on_an_agents_call_neither_runs_it_nor_takes_it_away(
    data_dir: Path, pack: Path, monkeypatch: pytest.MonkeyPatch, name: str, door: str
):
    monkeypatch.setattr("api.mcp.tools.WAIT_SECONDS", 0.0)
    async with (
        opened_executive(data_dir, pack) as opened,
        clients(opened.executive, AGENT) as (agent,),
    ):
        asked = await DOORS[door](agent)
        assert asked["status"] == "pending_approval", asked
        shown = await opened.executive.approvals.get(asked["approval"]["id"], "aurora")
        await ATTACKS[name](opened, shown)
        assert _opened_valves(data_dir) == []
        assert (await opened.executive.approvals.get(shown.action_id, "aurora")).state == "pending"

        settled = await opened.executive.approvals.answer(shown.action_id, yes(shown), CAPTAIN)
        assert settled.state == "succeeded"
        await _assert_done_once(opened, agent, shown, data_dir)

        await ATTACKS[name](opened, shown)
        await opened.recover()
        await _assert_done_once(opened, agent, shown, data_dir)


async def _assert_done_once(
    opened: Opened, agent: httpx.AsyncClient, shown: LedgerAction, data_dir: Path
) -> None:
    assert _opened_valves(data_dir) == [shown.action_id]
    rows = sql(
        data_dir,
        "select standing, outcome from decision where decision_id = ?",
        (shown.decision_id,),
    )
    assert rows == [("recorded", "executed")]
    trace = await opened.executive.records.trace(shown.decision_id, "aurora")
    assert trace.record.action_id == shown.action_id
    view = (await agent.get(f"/v1/proposals/{shown.decision_id}")).json()
    assert (view["status"], view["arguments"]) == ("executed", ARGUMENTS)


def _opened_valves(data_dir: Path) -> list[str]:
    return [each["action_id"] for each in effects(data_dir) if each["action"] == "open_valve"]
