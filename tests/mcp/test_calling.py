"""Calls to an MCP server: each meets the tool that was approved, and tells what became of it."""

import ast
import asyncio
import os
import signal
import socket
import threading
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path

import pytest
import uvicorn
from mcp.server.fastmcp import FastMCP
from mcp.types import ToolAnnotations
from pydantic import SecretStr
from starlette.types import ASGIApp, Receive, Scope, Send

from state.errors import BadInput, Conflict, NotFound, Unreachable
from tests.architecture.source import Source, product
from tests.mcp.conftest import OpenBench
from tests.mcp.servers import Bench, become, calls, honest, left_running, lying
from tools.adapters.mcp.connection import MAX_TOOLS
from tools.catalog.pack_schema import McpServer
from tools.gate.handlers.python_handlers import MAX_TEXT
from tools.gate.handlers.remote_handlers import NotKnown
from tools.platform.egress import Egress
from tools.platform.egress_policy import AllowedHosts
from tools.platform.process_resources import MOST_LINE_CHARACTERS, MOST_OUTPUT_LINES, ProcessOutput


async def test_reads_and_writes_reach_the_server(open_bench: OpenBench, tmp_path: Path):
    async with open_bench(honest(tmp_path)) as bench:
        assert (await bench.call("add_entry", text="fog", mood="alarmed")).text == "written"
        found = await bench.call("search_entries", query="fog")
    assert found.text == "alarmed: fog"
    assert found.data == {"result": ["alarmed: fog"]}


async def test_one_process_serves_many_calls_and_ends(open_bench: OpenBench, tmp_path: Path):
    async with open_bench(honest(tmp_path)) as bench:
        told = await asyncio.gather(*(bench.call("show_process") for _ in range(5)))
    assert len({each.text for each in told}) == 1
    with pytest.raises(ProcessLookupError):
        os.kill(int(told[0].text), 0)


async def test_what_a_server_writes_beside_messages_is_told_without_secrets(
    tmp_path: Path,
):
    before = _open_files()
    said: list[str] = []
    egress = Egress(secrets={"T": SecretStr("canary-4711")})
    bench = Bench(lying(tmp_path, "noisy", env={"T": "${T}"}), tmp_path, egress, said.append)
    await bench.list()
    await bench.connection.close()
    assert said[0] == "U+001B[2J I write on your terminal"
    assert "I know •••" in said
    assert r"(no message of MCP) Server ready on port 1" in said
    assert _open_files() <= before
    output = ProcessOutput(said.append, ())
    said.clear()
    for _line in range(2 * MOST_OUTPUT_LINES):
        output.say("x" * 2 * MOST_LINE_CHARACTERS)
    assert said == ["x" * MOST_LINE_CHARACTERS] * MOST_OUTPUT_LINES


def _open_files() -> set[Path]:
    return set(Path("/proc/self/fd").iterdir())


async def test_a_server_knows_nothing_of_our_environment(
    open_bench: OpenBench, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setenv("OPENAI_API_KEY", "canary")
    monkeypatch.setenv("EXECUTIVE_SECRET_TOKEN", "canary")
    async with open_bench(honest(tmp_path, env={"MODE": "quiet"})) as bench:
        known = (await bench.call("show_environment")).text.split("\n")
    assert "MODE" in known
    assert set(known) <= {"HOME", "LOGNAME", "MODE", "PATH", "SHELL", "TERM", "USER", "LC_CTYPE"}


async def test_a_secret_goes_to_the_server_that_names_it(tmp_path: Path):
    secrets = {"TOKEN": SecretStr("canary")}
    bench = Bench(honest(tmp_path, env={"T": "${TOKEN}"}), tmp_path, Egress(secrets=secrets))
    await bench.list()
    assert "T" in (await bench.call("show_environment")).text.split("\n")
    assert "canary" not in repr(bench.actions)
    await bench.connection.close()
    without = Bench(honest(tmp_path, env={"T": "${OPENAI_API_KEY}"}), tmp_path)
    with pytest.raises(BadInput, match="EXECUTIVE_SECRET_OPENAI_API_KEY is not set"):
        await without.list()


async def test_a_secret_that_the_server_repeats_is_blotted_wherever_it_stands(tmp_path: Path):
    server = lying(tmp_path, "echo", env={"T": "Bearer ${TOKEN}"})
    bench = Bench(server, tmp_path, Egress(secrets={"TOKEN": SecretStr("canary")}))
    try:
        await bench.list()
        assert "Pays with Bearer •••" in repr(bench.actions)
        assert "canary" not in repr(bench.actions)
        result = await bench.call("peek")
        assert result.text == "I was given Bearer •••"
        assert result.data == {"Bearer •••": ["I was given Bearer •••"]}
        with pytest.raises(NotKnown, match="failed: I was given Bearer •••;"):
            await bench.call("pay", to="harbour")
        become(tmp_path, "refuse")
        with pytest.raises(BadInput, match="refused it: Bearer ••• may not"):
            await bench.call("peek")
    finally:
        await bench.connection.close()


async def test_a_tool_that_changed_since_is_not_called(open_bench: OpenBench, tmp_path: Path):
    async with open_bench(lying(tmp_path)) as bench:
        become(tmp_path, "changed")
        with pytest.raises(Conflict, match="not what was approved"):
            await bench.call("pay", to="pirates")
        become(tmp_path, "gone")
        with pytest.raises(NotFound):
            await bench.call("pay", to="pirates")
        assert calls(tmp_path) == []
        become(tmp_path, "plain")
        await bench.call("pay", to="harbour")
    assert calls(tmp_path) == ["pay"]


async def test_another_command_behind_the_same_tool_is_another_tool(
    open_bench: OpenBench, tmp_path: Path
):
    async with open_bench(lying(tmp_path)) as bench:
        other = Bench(lying(tmp_path, "silent"), tmp_path)
        other.actions = bench.actions
        with pytest.raises(Conflict):
            await other.call("pay", to="harbour")
        await other.connection.close()
    assert calls(tmp_path) == []


@pytest.mark.parametrize("mode", ["die", "hang", "form"])
async def test_what_broke_during_the_call_is_unknown_for_a_change(
    open_bench: OpenBench, tmp_path: Path, mode: str
):
    async with open_bench(lying(tmp_path, seconds=2)) as bench:
        become(tmp_path, mode)
        with pytest.raises(NotKnown, match="its outcome is unknown"):
            await bench.call("pay", to="harbour")
        with pytest.raises(Unreachable):
            await bench.call("peek")
        become(tmp_path, "plain")
        assert (await bench.call("peek")).text
    assert calls(tmp_path) == ["pay", "peek", "peek"], "nothing is called twice by itself"
    assert left_running(tmp_path) == []


async def test_a_tool_that_fails_may_have_done_half(open_bench: OpenBench, tmp_path: Path):
    async with open_bench(honest(tmp_path)) as bench:
        with pytest.raises(NotKnown, match=r"out of inkU\+001B"):
            await bench.call("fail_halfway")


async def test_garbage_between_the_answers_is_passed_over(open_bench: OpenBench, tmp_path: Path):
    async with open_bench(lying(tmp_path)) as bench:
        become(tmp_path, "garbage")
        assert (await bench.call("pay", to="harbour")).text


async def test_ten_megabytes_are_shortened(open_bench: OpenBench, tmp_path: Path):
    async with open_bench(lying(tmp_path)) as bench:
        become(tmp_path, "huge")
        result = await bench.call("pay", to="harbour")
    assert len(result.text) < MAX_TEXT
    assert "characters" in result.text


async def test_hidden_characters_are_written_out(open_bench: OpenBench, tmp_path: Path):
    async with open_bench(lying(tmp_path)) as bench:
        become(tmp_path, "hidden")
        result = await bench.call("peek")
        assert result.text == "okU+202EU+001B[2JU+0000"
        assert result.data == {}
        become(tmp_path, "silent")
        assert (await bench.call("peek")).text == "desk is done."


async def test_a_server_that_was_killed_is_started_again(open_bench: OpenBench, tmp_path: Path):
    async with open_bench(honest(tmp_path)) as bench:
        first = int((await bench.call("show_process")).text)
        os.kill(first, signal.SIGKILL)
        assert int((await bench.call("show_process")).text) != first


async def test_a_server_that_never_answers_is_given_up_and_ended(tmp_path: Path):
    bench = Bench(lying(tmp_path, "mute", seconds=0.5), tmp_path)
    with pytest.raises(Unreachable, match="in time"):
        await bench.list()
    await bench.connection.close()
    assert left_running(tmp_path) == []


async def test_a_cancelled_call_leaves_the_server_usable(open_bench: OpenBench, tmp_path: Path):
    async with open_bench(lying(tmp_path, seconds=5)) as bench:
        become(tmp_path, "hang")
        calling = asyncio.create_task(bench.call("pay", to="harbour"))
        while not calls(tmp_path):
            await asyncio.wait([calling], timeout=0.01)
        calling.cancel()
        with pytest.raises(asyncio.CancelledError):
            await calling
        become(tmp_path, "plain")
        assert (await bench.call("peek")).text
    assert left_running(tmp_path) == []


async def test_a_slow_call_takes_no_other_call_down_with_it(open_bench: OpenBench, tmp_path: Path):
    async with open_bench(honest(tmp_path, seconds=10)) as bench:
        waiting = asyncio.create_task(bench.call("wait_for_file", name="go"))
        while not (tmp_path / "waiting").exists():
            await asyncio.wait([waiting], timeout=0.01)
        hasty = asyncio.create_task(bench.call("wait_for_file", name="never"))
        await asyncio.wait([hasty], timeout=0.05)
        hasty.cancel()
        with pytest.raises(asyncio.CancelledError):
            await hasty
        (tmp_path / "go").touch()
        assert (await waiting).text == "there"


async def test_a_command_that_is_not_there_is_named(tmp_path: Path):
    missing = lying(tmp_path).model_copy(update={"command": "/no/such/server"})
    with pytest.raises(Unreachable, match="No such file"):
        await Bench(missing, tmp_path).list()


async def test_a_server_by_url_has_to_be_on_the_list(tmp_path: Path):
    by_url = {"transport": "streamable_http", "url": "http://127.0.0.1:9/mcp"}
    bench = Bench(lying(tmp_path).model_validate(by_url), tmp_path)
    with pytest.raises(Unreachable, match="EXECUTIVE_ALLOWED_HOSTS"):
        await bench.list()


# MCP servers by URL: the same calls over streamable HTTP and SSE, to listed hosts only.

PATHS = {"streamable_http": "/mcp", "sse": "/sse"}


@dataclass
class Hosted:
    """A server by URL, and the keys that were shown to it."""

    transport: str
    place: str
    shown: list[str] = field(default_factory=list)

    def described(self, host: str | None = None) -> McpServer:
        return McpServer.model_validate(
            {
                "transport": self.transport,
                "url": f"http://{host or self.place}{PATHS[self.transport]}",
                "headers": {"Authorization": "Bearer ${KEY}"},
                "seconds": 10,
            }
        )


def _app(transport: str) -> ASGIApp:
    server = FastMCP("adder")

    @server.tool(annotations=ToolAnnotations(readOnlyHint=True))
    def add_numbers(a: int, b: int) -> int:
        """Add two numbers."""
        return a + b

    @server.tool(annotations=ToolAnnotations(readOnlyHint=True))
    def read_much() -> str:
        """Read ten megabytes."""
        return "x" * 10_000_000

    return server.streamable_http_app() if transport == "streamable_http" else server.sse_app()


@pytest.fixture(params=sorted(PATHS))
def hosted(request: pytest.FixtureRequest) -> Iterator[Hosted]:
    """Return a running server on loopback, once for each transport."""
    with socket.create_server(("127.0.0.1", 0)) as listener:
        served = Hosted(request.param, f"127.0.0.1:{listener.getsockname()[1]}")
        inner = _app(request.param)

        async def app(scope: Scope, receive: Receive, send: Send) -> None:
            if scope["type"] == "http":
                served.shown.append(dict(scope["headers"]).get(b"authorization", b"").decode())
            await inner(scope, receive, send)

        config = uvicorn.Config(
            app, log_level="critical", timeout_graceful_shutdown=1, ws="none", lifespan="on"
        )
        server = uvicorn.Server(config)
        thread = threading.Thread(target=server.run, kwargs={"sockets": [listener]})
        thread.start()
        yield served
        server.should_exit = True
        thread.join()


def _egress(hosted: Hosted) -> Egress:
    return Egress(AllowedHosts(private=frozenset({hosted.place})), {"KEY": SecretStr("canary")})


async def test_tools_by_url_are_listed_and_called(hosted: Hosted, tmp_path: Path):
    bench = Bench(hosted.described(), tmp_path, _egress(hosted))
    try:
        await bench.list()
        assert (await bench.call("add_numbers", a=2, b=3)).text == "5"
    finally:
        await bench.connection.close()
    assert set(hosted.shown) == {"Bearer canary"}


async def test_a_flood_is_broken_off(hosted: Hosted, tmp_path: Path):
    bench = Bench(hosted.described(), tmp_path, _egress(hosted))
    try:
        await bench.list()
        with pytest.raises(Unreachable):
            await bench.call("read_much")
        assert (await bench.call("add_numbers", a=1, b=1)).text == "2"
    finally:
        await bench.connection.close()


async def test_a_server_that_is_not_listed_is_not_reached(hosted: Hosted, tmp_path: Path):
    for hosts in (AllowedHosts(), AllowedHosts(public=frozenset({hosted.place}))):
        egress = Egress(hosts, {"KEY": SecretStr("canary")})
        bench = Bench(hosted.described(), tmp_path, egress)
        with pytest.raises(Unreachable, match="nothing was sent"):
            await bench.list()
    assert hosted.shown == []


# What reaches other services is used by the one caller of handlers, and made in one place.

CALLING = "tools/gate/handlers/dispatch.py"


def _named(source: Source) -> set[str]:
    names = {node.id for node in source.nodes if isinstance(node, ast.Name)}
    return names | {node.attr for node in source.nodes if isinstance(node, ast.Attribute)}


def _called(source: Source) -> set[str]:
    called = [node.func for node in source.nodes if isinstance(node, ast.Call)]
    names = {each.id for each in called if isinstance(each, ast.Name)}
    return names | {each.attr for each in called if isinstance(each, ast.Attribute)}


def users_of_calls(sources: Iterable[Source]) -> set[str]:
    ways = {"call_http", "call_mcp"}
    return {source.name for source in sources if ways & _named(source)}


def callers_of_tools(sources: Iterable[Source]) -> set[str]:
    # A framework adapter calls tools in the process of the agent whose they are.
    ours = (one for one in sources if not one.name.startswith("sdk/"))
    ways = {"call_tool", "CallToolRequestParams", "send_request"}
    return {source.name for source in ours if ways & _named(source)}


def makers_of_clients(sources: Iterable[Source]) -> set[str]:
    ways = {"AsyncClient", "AsyncHTTPTransport", "urlopen", "open_connection", "create_connection"}
    inside = (
        "state/",
        "tools/",
        "nodes/",
        "graph/wiring/composition",
        "graph/wiring/external_services",
    )
    return {
        source.name
        for source in sources
        if source.name.startswith(inside) and ways & _called(source)
    }


FINDINGS: dict[Callable[[Iterable[Source]], set[str]], str] = {
    users_of_calls: CALLING,
    callers_of_tools: "tools/adapters/mcp/connection.py",
    makers_of_clients: "tools/platform/egress.py",
}


@pytest.mark.parametrize("finding", FINDINGS, ids=lambda finding: finding.__name__)
def test_there_is_one_way_out(finding: Callable[[Iterable[Source]], set[str]]):
    assert finding(product()) == {FINDINGS[finding]}


@pytest.mark.parametrize(
    ("finding", "text"),
    [
        (users_of_calls, "from tools.gate.handlers.remote_handlers import call_http\ncall_http()"),
        (
            users_of_calls,
            "from tools.gate.handlers import remote_handlers\nremote_handlers.call_mcp()",
        ),
        (callers_of_tools, "session.call_tool('pay')"),
        (makers_of_clients, "import httpx\nhttpx.AsyncClient()"),
    ],
)
def test_another_way_would_be_found(finding: Callable[[Iterable[Source]], set[str]], text: str):
    assert finding([Source("nodes/act.py", text)]) == {"nodes/act.py"}


async def test_a_tool_of_another_form_is_left_out_and_the_others_are_used(
    open_bench: OpenBench, tmp_path: Path
):
    async with open_bench(lying(tmp_path, "crooked")) as bench:
        assert set(bench.actions) == {"desk_pay", "desk_peek", "desk_both", "desk_softly"}
        assert (await bench.call("peek")).text
    told = "\n".join(bench.troubles)
    assert "no_schema is left out: its inputSchema is not as the protocol wants it" in told
    assert "list_ropes is left out" in told


async def test_of_thousands_of_tools_the_first_are_used_and_it_is_said(
    open_bench: OpenBench, tmp_path: Path
):
    left_out = {f"show_{n}": {"leave_out": True} for n in range(100)}
    async with open_bench(lying(tmp_path, "many", tools=left_out)) as bench:
        assert set(bench.actions) == {f"desk_show_{n}" for n in range(100, 100 + MAX_TOOLS)}
        assert (await bench.call("show_299")).text
    assert "lists 2900 tools, and the first 200 are used" in str(bench.connection.trouble)
