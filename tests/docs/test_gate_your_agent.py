"""docs/tutorials/gate-your-agent.md: the key, MCP and Claude Code's prompt run as written.

The blocks of the frameworks run in tests/adapters/test_tutorial.py.
"""

import asyncio
import json
import re
import shlex
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest
from mcp import ClientSession, StdioServerParameters
from mcp.client.stdio import stdio_client
from typer.testing import CliRunner

from api.cli import cli
from graph.settings import ROOT, Settings
from graph.wiring.composition import open_executive
from state.principal import Principal
from tests.mcp.gates import environment
from tests.threaded import Running, running

PAGE = (ROOT / "docs" / "tutorials" / "gate-your-agent.md").read_text("utf-8")
BLOCK = re.compile(r"^```(\w+)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
BLOCKS = BLOCK.findall(PAGE)
[MCP] = [block for kind, block in BLOCKS if kind == "python" and "import ClientSession" in block]
[SERVERS] = [block for kind, block in BLOCKS if kind == "json" and "mcpServers" in block]
[COMMAND] = [block for kind, block in BLOCKS if kind == "sh" and block.startswith("claude ")]
MARTA = Principal(user="marta", tenant_id="default", roles=("chief_engineer", "admin"))


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("data")


@pytest.fixture(scope="module")
def service(folder: Path) -> Iterator[Running]:
    settings = Settings(data_dir=folder, packs=("vessel",))
    with running(open_executive(settings), MARTA) as one:
        yield one


@pytest.fixture
def keys(service: Running, folder: Path) -> list[str]:
    """Make the agent's keys with the page's own commands, where the service was started."""
    lines = re.findall(r"prefrontal keys create [\w -]+", PAGE)
    named = {"EXECUTIVE_DATA_DIR": str(folder)}  # a service in a test says nowhere that it runs
    answers = [CliRunner().invoke(cli, shlex.split(line)[1:], env=named) for line in lines]
    assert [one.exit_code for one in answers] == [0, 0], [one.output for one in answers]
    return [re.findall(r"pf_[\w-]+", one.output)[0] for one in answers]


async def approve(service: Running, action: str) -> None:
    """Approve a call as soon as it is asked for."""
    headers = {"Authorization": f"Bearer {service.keys[0]}"}
    async with httpx.AsyncClient(base_url=service.url, headers=headers) as marta:
        async with asyncio.timeout(30):
            while True:
                page = (await marta.get("/v1/approvals")).json()["approvals"]
                if asked := [one for one in page if one["action"] == action]:
                    break
                await asyncio.sleep(0.05)
        sent = {"decision": "approve", "digest": asked[0]["digest"]}
        said = await marta.post(f"/v1/approvals/{asked[0]['action_id']}", json=sent)
        assert said.status_code == 200, said.text


async def test_the_mcp_client_reads_and_its_change_waits(service: Running, keys: list[str]):
    names: dict[str, Any] = {"URL": service.url, "AGENT": keys[1], "__name__": "page"}
    running = asyncio.create_task(asyncio.to_thread(exec, MCP, names))
    await approve(service, "close_work_order")
    await running
    read, closed = names["answer"]
    assert "WO-1042" in read
    assert "WO-1042" in closed
    assert "Waiting" not in closed


async def test_claude_code_asks_the_server_of_its_settings(
    service: Running, keys: list[str], learnt_once: Path, tmp_path: Path
):
    [(name, server)] = json.loads(SERVERS)["mcpServers"].items()
    assert f"--permission-prompt-tool mcp__{name}__permission_prompt" in COMMAND
    assert server["command"] == "prefrontal"
    own = {
        "PREFRONTAL_URL": service.url,
        "PREFRONTAL_KEY": keys[0],
        "XDG_STATE_HOME": str(tmp_path),
    }
    started = StdioServerParameters(
        command=sys.executable,
        args=["-m", "api.cli", *server["args"]],
        env=environment(learnt_once) | own,
        cwd=ROOT,
    )
    async with stdio_client(started) as ends, ClientSession(*ends) as session:
        await session.initialize()
        call = {"tool_name": "Bash", "input": {"command": "make clean"}, "tool_use_id": "toolu_1"}
        running = asyncio.create_task(session.call_tool("permission_prompt", call))
        await approve(service, "Bash")
        said = json.loads((await running).content[0].text)  # type: ignore[union-attr]
    assert said == {"behavior": "allow", "updatedInput": {"command": "make clean"}}
