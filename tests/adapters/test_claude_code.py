"""Claude Code's hook, started as Claude Code starts it: an event on its input, an answer out."""

import asyncio
import json
import os
import sys
from pathlib import Path
from typing import Any

from tests.adapters.conftest import ROOT, People, Service

Json = dict[str, Any]


async def hook(service: Service, state: Path, event: Json, *words: str) -> tuple[int, Json]:
    process = await asyncio.create_subprocess_exec(
        sys.executable,
        "-m",
        "prefrontal.adapters.claude_code",
        "--state",
        str(state),
        *words,
        env={
            **os.environ,
            "PYTHONPATH": str(ROOT / "sdk"),
            "PREFRONTAL_URL": service.url,
            "PREFRONTAL_KEY": service.keys["agent"],
        },
        stdin=asyncio.subprocess.PIPE,
        stdout=asyncio.subprocess.PIPE,
    )
    told, _ = await process.communicate(json.dumps(event).encode())
    answer = json.loads(told)["hookSpecificOutput"] if told else {}
    return process.returncode or 0, answer


def listed(state: Path) -> list[Path]:
    return list(state.iterdir())


def event(kind: str, command: str, **more: Any) -> Json:
    return {
        "session_id": "s1",
        "cwd": "/work",
        "hook_event_name": kind,
        "tool_name": "Bash",
        "tool_input": {"command": command},
        **more,
    }


async def test_a_tool_is_asked_for_allowed_and_its_end_reported(
    service: Service, people: People, tmp_path: Path
):
    asked = asyncio.create_task(hook(service, tmp_path, event("PreToolUse", "make clean")))
    await people.edit("Bash", {"input": {"command": "make -n"}}, input={"command": "make clean"})
    code, answer = await asked
    assert (code, answer["permissionDecision"]) == (0, "allow")
    assert answer["updatedInput"] == {"command": "make -n"}
    [kept] = listed(tmp_path)
    assert kept.stat().st_mode & 0o077 == 0
    ended = event("PostToolUse", "make -n", tool_response={"stdout": "rm x"})
    assert (await hook(service, tmp_path, ended))[0] == 0
    assert not listed(tmp_path)
    page = await people.clients["ingrid"].get("/v1/approvals", params={"state": "succeeded"})
    assert "make -n" in json.dumps(page.json())


async def test_a_refusal_is_told_in_the_form_of_each_event(
    service: Service, people: People, tmp_path: Path
):
    asked = asyncio.create_task(hook(service, tmp_path, event("PermissionRequest", "rm -rf x")))
    await people.refuse("Bash", "keep it", input={"command": "rm -rf x"})
    code, answer = await asked
    assert (code, answer["decision"]["behavior"]) == (0, "deny")
    assert "keep it" in answer["decision"]["message"]
    wait = ("--wait", "0")
    code, answer = await hook(service, tmp_path, event("PreToolUse", "rm -rf y"), *wait)
    assert (code, answer["permissionDecision"]) == (0, "deny")
    page = await people.clients["ingrid"].get("/v1/approvals", params={"state": "pending"})
    shown = {each["dialog"]["title"] for each in page.json()["approvals"]}
    assert 'Bash: command "rm -rf y"' in shown
    told = answer["permissionDecisionReason"]
    assert "Nothing has run. Make the same call again after a person approved it" in told
    assert "check_proposal" not in told
    assert "Do not propose" not in told
    await people.approve("Bash", input={"command": "rm -rf y"})
    code, answer = await hook(service, tmp_path, event("PreToolUse", "rm -rf y"))
    assert (code, answer["permissionDecision"]) == (0, "allow")
    failed = event("PostToolUseFailure", "rm -rf y", error="exit 1")
    assert (await hook(service, tmp_path, failed))[0] == 0
    assert not listed(tmp_path)


async def test_what_is_free_passes_and_what_cannot_be_asked_is_blocked(
    service: Service, tmp_path: Path
):
    free = ("--free", "Bash")
    assert await hook(service, tmp_path, event("PreToolUse", "ls"), *free) == (0, {})
    assert (await hook(service, tmp_path, {"hook_event_name": "PreToolUse"}))[0] == 2
    nowhere = Service("http://127.0.0.1:1", service.keys)
    code, answer = await hook(nowhere, tmp_path, event("PreToolUse", "ls"))
    assert (code, answer["permissionDecision"]) == (0, "deny")
    told = answer["permissionDecisionReason"]
    assert "nothing ran" in told
    assert "Start the service" in told
    assert "may have run" not in told
    code, _ = await hook(
        Service(service.url, {"agent": "exk_wrong"}), tmp_path, event("PreToolUse", "ls")
    )
    assert code == 2
