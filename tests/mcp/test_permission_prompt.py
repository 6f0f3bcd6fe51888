"""Claude Code's `--permission-prompt-tool`, called by a real MCP client as Claude Code calls it."""

import asyncio
import json
import os
import sys
from pathlib import Path
from typing import Any

import pytest
from mcp import ClientSession, StdioServerParameters
from mcp.client.stdio import stdio_client

from tests.mcp.doorway import Doorway, words
from tests.mcp.gates import ROOT, environment

pytestmark = pytest.mark.asyncio(loop_scope="module")
Json = dict[str, Any]


class Claude:
    """What Claude Code does: ask the prompt, run the tool, fire its hook."""

    def __init__(self, session: ClientSession, settings: dict[str, str]) -> None:
        self.session, self.settings = session, settings

    async def asks(self, tool: str, given: Json, call_id: str = "toolu_1") -> Json:
        sent = {"tool_name": tool, "input": given, "tool_use_id": call_id}
        answer = await self.session.call_tool("permission_prompt", sent)
        assert not answer.isError
        return dict(json.loads(words(answer)))

    async def ended(self, tool: str, given: Json, call_id: str = "toolu_1") -> None:
        """Fire PostToolUse as the settings of docs/tutorials/gate-your-agent.md say."""
        event = {
            "hook_event_name": "PostToolUse",
            "session_id": "s1",
            "tool_name": tool,
            "tool_input": given,
            "tool_use_id": call_id,
            "tool_response": "done",
        }
        process = await asyncio.create_subprocess_exec(
            *(sys.executable, "-m", "prefrontal.adapters.claude_code"),
            env=self.settings,
            stdin=asyncio.subprocess.PIPE,
        )
        await process.communicate(json.dumps(event).encode())
        assert process.returncode == 0


@pytest.fixture
def settings(doorway: Doorway, learnt_once: Path, tmp_path: Path) -> dict[str, str]:
    return {
        **environment(learnt_once),
        "PYTHONPATH": f"{ROOT}{os.pathsep}{ROOT / 'sdk'}",
        "PREFRONTAL_URL": doorway.address,
        "PREFRONTAL_KEY": doorway.keys["agent"],
        "XDG_STATE_HOME": str(tmp_path / "state"),
    }


def started(settings: dict[str, str], wait: str) -> Any:
    arguments = ["-m", "api.cli", "mcp", "--permission-prompt", wait]
    return stdio_client(
        StdioServerParameters(command=sys.executable, args=arguments, env=settings, cwd=ROOT)
    )


def kept(settings: dict[str, str]) -> list[Path]:
    return [*Path(settings["XDG_STATE_HOME"]).rglob("*.json")]


async def asked(doorway: Doorway, tool: str) -> Json:
    async with doorway.http("ingrid") as ingrid, asyncio.timeout(30):
        while True:
            page = (await ingrid.get("/v1/approvals")).json()["approvals"]
            if found := [one for one in page if one["action"] == tool]:
                return dict(found[0])
            await asyncio.sleep(0.05)


async def answers(doorway: Doorway, tool: str, decision: str, **given: Any) -> None:
    shown = await asked(doorway, tool)
    async with doorway.http("ingrid") as ingrid:
        while shown["state"] == "pending":  # edited arguments are shown once more
            sent = {"decision": decision, "digest": shown["digest"], **given}
            said = await ingrid.post(f"/v1/approvals/{shown['action_id']}", json=sent)
            assert said.status_code == 200, said.text
            shown, decision, given = said.json(), "approve", {}


async def status(doorway: Doorway, tool: str) -> list[str]:
    async with doorway.http("ingrid") as ingrid:
        found = []
        for state in ("started", "succeeded", "rejected"):
            page = await ingrid.get("/v1/approvals", params={"state": state, "limit": 200})
            found += [one["state"] for one in page.json()["approvals"] if one["action"] == tool]
        return found


async def test_allow_carries_the_approved_input_and_the_hook_reports_the_end(
    doorway: Doorway, settings: dict[str, str]
):
    async with started(settings, "30") as ends, ClientSession(*ends) as session:
        await session.initialize()
        claude = Claude(session, settings)
        wanted = asyncio.create_task(claude.asks("Bash", {"command": "rm -r out"}))
        changed = {"input": {"command": "rm -r out/tmp"}}
        await answers(doorway, "Bash", "edit", arguments=changed)
        allowed = await wanted
        assert allowed == {"behavior": "allow", "updatedInput": {"command": "rm -r out/tmp"}}
        assert await status(doorway, "Bash") == ["started"]
        await claude.ended("Bash", allowed["updatedInput"])
        assert await status(doorway, "Bash") == ["succeeded"]
    assert kept(settings) == []


async def test_a_no_is_a_deny_with_its_reason_and_is_not_asked_again(
    doorway: Doorway, settings: dict[str, str]
):
    async with started(settings, "30") as ends, ClientSession(*ends) as session:
        await session.initialize()
        claude = Claude(session, settings)
        wanted = asyncio.create_task(claude.asks("Write", {"file_path": "/etc/hosts"}))
        await answers(doorway, "Write", "reject", reason="not this file")
        for denied in (await wanted, await claude.asks("Write", {"file_path": "/etc/hosts"}, "t2")):
            assert denied["behavior"] == "deny"
            assert "not this file" in denied["message"]
        assert await status(doorway, "Write") == ["rejected"]


async def test_what_waits_is_denied_for_now_and_allowed_once_it_is_approved(
    doorway: Doorway, settings: dict[str, str]
):
    call = {"path": "a.txt", "text": "b"}
    async with started(settings, "0") as ends, ClientSession(*ends) as session:
        await session.initialize()
        denied = await Claude(session, settings).asks("Edit", call, "toolu_7")
        assert denied["behavior"] == "deny"
        assert "Nothing has run" in denied["message"]
    await answers(doorway, "Edit", "approve")
    async with started(settings, "0") as ends, ClientSession(*ends) as session:  # a restart
        await session.initialize()
        allowed = await Claude(session, settings).asks("Edit", call, "toolu_8")
        assert allowed == {"behavior": "allow", "updatedInput": call}
        assert await status(doorway, "Edit") == ["started"]


async def test_what_cannot_be_asked_is_denied(doorway: Doorway, settings: dict[str, str]):
    person = {**settings, "PREFRONTAL_KEY": doorway.keys["amir"]}
    async with started(person, "0") as ends, ClientSession(*ends) as session:
        await session.initialize()
        listed = {tool.name for tool in (await session.list_tools()).tools}
        assert {"permission_prompt", "show_lock"} <= listed
        denied = await Claude(session, person).asks("Bash", {"command": "ls"})
        assert denied["behavior"] == "deny"  # a person's key gets no permit
        wrong = await session.call_tool("permission_prompt", {"tool_name": "Bash", "input": "ls"})
        assert json.loads(words(wrong))["behavior"] == "deny"


async def test_the_tool_is_offered_to_nobody_else(doorway: Doorway):
    async with doorway.client() as session:
        assert "permission_prompt" not in {one.name for one in (await session.list_tools()).tools}


async def test_without_a_key_it_does_not_start(settings: dict[str, str]):
    named = {name: value for name, value in settings.items() if name != "PREFRONTAL_KEY"}
    process = await asyncio.create_subprocess_exec(
        *(sys.executable, "-m", "api.cli", "mcp", "--permission-prompt", "1"),
        env=named,
        cwd=ROOT,
        stderr=asyncio.subprocess.PIPE,
    )
    _, said = await process.communicate()
    assert process.returncode
    assert b"PREFRONTAL_KEY" in said
