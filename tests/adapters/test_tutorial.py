"""docs/tutorials/gate-your-agent.md runs as it is written."""

import asyncio
import json
import os
import re
import sys
from pathlib import Path
from typing import Any

import pytest

from tests.adapters.conftest import ROOT, People, Service
from tests.adapters.drivers.harbour import Call
from tests.adapters.test_claude_code import event

PAGE = (ROOT / "docs" / "tutorials" / "gate-your-agent.md").read_text("utf-8")
LANGCHAIN, OPENAI, _MCP, PLAIN = re.findall(
    r"^```python\n(.*?)^```$", PAGE, re.MULTILINE | re.DOTALL
)
SETTINGS, SERVERS = re.findall(r"^```json\n(.*?)^```$", PAGE, re.MULTILINE | re.DOTALL)


def run(block: str, service: Service, **given: Any) -> Any:
    names = {"URL": service.url, "AGENT": service.keys["clerk"], "__name__": "page", **given}
    exec(block, names)
    if "gate" in names:
        names["gate"].client.close()
    return names["answer"]


async def test_the_langchain_agent(service: Service, people: People):
    pytest.importorskip("langchain")
    from tests.adapters.drivers.langchain import scripted

    calls = [Call("read_report", {"name": "May"}), Call("delete_report", {"name": "May"})]
    model = scripted([[each] for each in calls])
    running = asyncio.create_task(asyncio.to_thread(run, LANGCHAIN, service, MODEL=model))
    await people.approve("delete_report", name="May")
    told = [one.content for one in (await running)["messages"] if one.type == "tool"]
    assert told == ["The report of May: all is well.", "The report of May is deleted."]


async def test_the_openai_agent(service: Service, people: People):
    pytest.importorskip("agents", reason="run `make test-adapters`")
    from agents import set_tracing_disabled

    from tests.adapters.drivers.openai_agents import ScriptedModel

    set_tracing_disabled(True)
    model = ScriptedModel([[Call("archive_report", {"name": "May"})]])
    running = asyncio.create_task(asyncio.to_thread(run, OPENAI, service, MODEL=model))
    await people.approve("archive_report", name="May")
    assert await running == "done"


async def test_the_plain_function(service: Service):
    answer = await asyncio.to_thread(run, PLAIN, service)
    assert answer == "There is a report of May."


async def test_the_hooks_of_claude_code(service: Service, people: People, tmp_path: Path):
    hooks = json.loads(SETTINGS)["hooks"]

    async def fire(said: dict[str, Any]) -> str:
        [matched] = hooks[said["hook_event_name"]]
        assert re.fullmatch(matched["matcher"], said["tool_name"])
        [command] = matched["hooks"]
        words = command["command"].split()
        assert words[0] == "prefrontal-hook"
        process = await asyncio.create_subprocess_exec(
            *(sys.executable, "-m", "prefrontal.adapters.claude_code", *words[1:]),
            env={
                **os.environ,
                "PYTHONPATH": str(ROOT / "sdk"),
                "PREFRONTAL_URL": service.url,
                "PREFRONTAL_KEY": service.keys["clerk"],
                "XDG_STATE_HOME": str(tmp_path),
            },
            stdin=asyncio.subprocess.PIPE,
            stdout=asyncio.subprocess.PIPE,
        )
        told, _ = await process.communicate(json.dumps(said).encode())
        assert process.returncode == 0
        return told.decode()

    wish = event("PreToolUse", "x") | {"tool_name": "Write", "tool_input": {"file_path": "a"}}
    running = asyncio.create_task(fire(wish))
    await people.approve("Write", input={"file_path": "a"})
    assert '"permissionDecision": "allow"' in await running
    end = wish | {"hook_event_name": "PostToolUse", "tool_response": "written"}
    assert not await fire(end)
