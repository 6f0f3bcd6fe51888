"""What is no message of the protocol is answered as JSON-RPC says, over HTTP and on stdio."""

import asyncio
import json
import sys
from operator import itemgetter
from pathlib import Path
from typing import Any

import pytest

from tests.graph.harbour import HARBOUR
from tests.mcp.doorway import Doorway
from tests.mcp.gates import environment

ASKS = {"jsonrpc": "2.0", "id": 7, "method": "tools/list"}
CALL = ASKS | {"method": "tools/call"}
HEADERS = {
    "Content-Type": "application/json",
    "Accept": "application/json, text/event-stream",
}
WRONG: list[tuple[Any, int, Any]] = [
    ("{nope", -32_700, None),
    ("", -32_700, None),
    ("[" * 5_000, -32_700, None),
    ('{"id": NaN}', -32_700, None),
    ([ASKS], -32_600, None),
    ("null", -32_600, None),
    (5, -32_600, None),
    ("[]", -32_600, None),
    ({"id": 7, "method": "ping"}, -32_600, 7),
    (ASKS | {"jsonrpc": "1.0"}, -32_600, 7),
    (ASKS | {"id": None}, -32_600, None),
    (ASKS | {"id": {}}, -32_600, None),
    (ASKS | {"id": True}, -32_600, None),
    (ASKS | {"id": 1.5}, -32_600, None),
    (ASKS | {"method": 5}, -32_600, 7),
    ({"jsonrpc": "2.0", "id": 7}, -32_600, 7),
    ({"jsonrpc": "2.0", "result": {}}, -32_600, None),
    (ASKS | {"method": "nope"}, -32_601, 7),
    (ASKS | {"method": "resources/list", "id": "a"}, -32_601, "a"),
    (ASKS | {"method": "tools/approve"}, -32_601, 7),
    (CALL | {"params": []}, -32_602, 7),
    (CALL | {"params": {"name": 5}}, -32_602, 7),
    (CALL | {"params": {"name": "show_lock", "arguments": []}}, -32_602, 7),
    (CALL | {"params": {"name": "no_such_tool"}}, -32_602, 7),
]
"""What is sent, the code of its error, and the id that the answer names."""
SILENT = [
    {"jsonrpc": "2.0", "method": "notifications/initialized"},
    {"jsonrpc": "2.0", "method": "nope"},
    {"jsonrpc": "2.0", "id": 1, "result": {}},
]


def _written(sent: Any) -> str:
    return sent if isinstance(sent, str) else json.dumps(sent)


def _assert_says(answer: Any, code: int, named: Any) -> None:
    assert (answer["jsonrpc"], answer["error"]["code"]) == ("2.0", code), answer
    assert answer["id"] == named
    assert "pydantic" not in json.dumps(answer)
    assert "validation error" not in json.dumps(answer)


@pytest.mark.asyncio(loop_scope="module")
@pytest.mark.parametrize(("sent", "code", "named"), WRONG)
async def test_over_http_a_wrong_message_is_answered_with_its_error(
    doorway: Doorway, sent: Any, code: int, named: Any
):
    async with doorway.http(**HEADERS) as agent:
        answer = await agent.post("/mcp", content=_written(sent))
    assert answer.status_code == (400 if code in (-32_700, -32_600) else 200)
    _assert_says(answer.json(), code, named)


@pytest.mark.asyncio(loop_scope="module")
@pytest.mark.parametrize("sent", SILENT)
async def test_over_http_what_asks_for_nothing_is_taken(doorway: Doorway, sent: Any):
    async with doorway.http(**HEADERS) as agent:
        answer = await agent.post("/mcp", content=_written(sent))
    assert (answer.status_code, answer.content) == (202, b"")


async def test_on_stdio_every_line_has_its_answer(tmp_path: Path, learnt_once: Path):
    process = await asyncio.create_subprocess_exec(
        *(sys.executable, "-m", "api.cli", "mcp", "--as", "tug:keeper"),
        *("--data-dir", str(tmp_path / "data"), "--pack", str(HARBOUR)),
        cwd=tmp_path,
        env=environment(learnt_once),
        stdin=asyncio.subprocess.PIPE,
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.DEVNULL,
    )
    assert process.stdin is not None
    assert process.stdout is not None
    hello = {"protocolVersion": "2025-06-18", "capabilities": {}}
    hello["clientInfo"] = {"name": "test", "version": "1"}
    greeting = ASKS | {"id": 0, "method": "initialize", "params": hello}
    process.stdin.write(f"{json.dumps(greeting)}\n".encode())
    assert json.loads(await process.stdout.readline())["id"] == 0
    for sent in SILENT:
        process.stdin.write(f"\n{_written(sent)}\n".encode())
    for sent, code, named in filter(itemgetter(0), WRONG):  # an empty line is none
        process.stdin.write(f"{_written(sent)}\n".encode())
        _assert_says(json.loads(await process.stdout.readline()), code, named)
    process.stdin.write(f"{json.dumps(ASKS)}\n".encode())
    assert json.loads(await process.stdout.readline())["result"]["tools"]
    process.stdin.close()
    assert await process.wait() == 0
