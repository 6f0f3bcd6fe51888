"""Calls to an MCP server: each meets the tool that was approved, and tells what became of it."""

import asyncio
import os
import signal
from pathlib import Path
from typing import TextIO

import pytest
from pydantic import SecretStr

from state.errors import BadInput, Conflict, NotFound, Unreachable
from tests.mcp.conftest import OpenBench
from tests.mcp.servers import Bench, become, calls, honest, left_running, lying
from tools.adapters.mcp import connection as opening
from tools.gate.handlers.python_handlers import MAX_TEXT
from tools.gate.handlers.remote_handlers import NotKnown
from tools.platform.egress import Egress


async def test_reads_and_writes_reach_the_server(open_bench: OpenBench, tmp_path: Path) -> None:
    async with open_bench(honest(tmp_path)) as bench:
        assert (await bench.call("add_entry", text="fog", mood="alarmed")).text == "written"
        found = await bench.call("search_entries", query="fog")
    assert found.text == "alarmed: fog"
    assert found.data == {"result": ["alarmed: fog"]}


async def test_one_process_serves_many_calls_and_ends(
    open_bench: OpenBench, tmp_path: Path
) -> None:
    async with open_bench(honest(tmp_path)) as bench:
        told = await asyncio.gather(*(bench.call("show_process") for _ in range(5)))
    assert len({each.text for each in told}) == 1
    with pytest.raises(ProcessLookupError):
        os.kill(int(told[0].text), 0)


async def test_nothing_stays_open_of_what_a_server_complains_into(
    open_bench: OpenBench, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    files = []
    before = opening._nowhere

    def opened() -> TextIO:
        files.append(before())
        return files[-1]

    monkeypatch.setattr(opening, "_nowhere", opened)
    async with open_bench(honest(tmp_path)) as bench:
        await bench.call("show_process")
        assert [file.closed for file in files] == [False]
    assert [file.closed for file in files] == [True]


async def test_a_server_knows_nothing_of_our_environment(
    open_bench: OpenBench, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "canary")
    monkeypatch.setenv("EXECUTIVE_SECRET_TOKEN", "canary")
    async with open_bench(honest(tmp_path, env={"MODE": "quiet"})) as bench:
        known = (await bench.call("show_environment")).text.split("\n")
    assert "MODE" in known
    assert set(known) <= {"HOME", "LOGNAME", "MODE", "PATH", "SHELL", "TERM", "USER", "LC_CTYPE"}


async def test_a_secret_goes_to_the_server_that_names_it(tmp_path: Path) -> None:
    secrets = {"TOKEN": SecretStr("canary")}
    bench = Bench(honest(tmp_path, env={"T": "${TOKEN}"}), tmp_path, Egress(secrets=secrets))
    await bench.list()
    assert "T" in (await bench.call("show_environment")).text.split("\n")
    assert "canary" not in repr(bench.actions)
    await bench.connection.close()
    without = Bench(honest(tmp_path, env={"T": "${OPENAI_API_KEY}"}), tmp_path)
    with pytest.raises(BadInput, match="EXECUTIVE_SECRET_OPENAI_API_KEY is not set"):
        await without.list()


async def test_a_secret_that_the_server_repeats_is_blotted_wherever_it_stands(
    tmp_path: Path,
) -> None:
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


async def test_a_tool_that_changed_since_is_not_called(
    open_bench: OpenBench, tmp_path: Path
) -> None:
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
) -> None:
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
) -> None:
    async with open_bench(lying(tmp_path, seconds=2)) as bench:
        become(tmp_path, mode)
        with pytest.raises(NotKnown, match="whether it was done"):
            await bench.call("pay", to="harbour")
        with pytest.raises(Unreachable):
            await bench.call("peek")
        become(tmp_path, "plain")
        assert (await bench.call("peek")).text
    assert calls(tmp_path) == ["pay", "peek", "peek"], "nothing is called twice by itself"
    assert left_running(tmp_path) == []


async def test_a_tool_that_fails_may_have_done_half(open_bench: OpenBench, tmp_path: Path) -> None:
    async with open_bench(honest(tmp_path)) as bench:
        with pytest.raises(NotKnown, match=r"out of inkU\+001B"):
            await bench.call("fail_halfway")


async def test_garbage_between_the_answers_is_passed_over(
    open_bench: OpenBench, tmp_path: Path
) -> None:
    async with open_bench(lying(tmp_path)) as bench:
        become(tmp_path, "garbage")
        assert (await bench.call("pay", to="harbour")).text


async def test_ten_megabytes_are_shortened(open_bench: OpenBench, tmp_path: Path) -> None:
    async with open_bench(lying(tmp_path)) as bench:
        become(tmp_path, "huge")
        result = await bench.call("pay", to="harbour")
    assert len(result.text) < MAX_TEXT
    assert "characters" in result.text


async def test_hidden_characters_are_written_out(open_bench: OpenBench, tmp_path: Path) -> None:
    async with open_bench(lying(tmp_path)) as bench:
        become(tmp_path, "hidden")
        result = await bench.call("peek")
        assert result.text == "okU+202EU+001B[2JU+0000"
        assert result.data == {}
        become(tmp_path, "silent")
        assert (await bench.call("peek")).text == "desk is done."


async def test_a_server_that_was_killed_is_started_again(
    open_bench: OpenBench, tmp_path: Path
) -> None:
    async with open_bench(honest(tmp_path)) as bench:
        first = int((await bench.call("show_process")).text)
        os.kill(first, signal.SIGKILL)
        assert int((await bench.call("show_process")).text) != first


async def test_a_server_that_never_answers_is_given_up_and_ended(tmp_path: Path) -> None:
    bench = Bench(lying(tmp_path, "mute", seconds=0.5), tmp_path)
    with pytest.raises(Unreachable, match="in time"):
        await bench.list()
    await bench.connection.close()
    assert left_running(tmp_path) == []


async def test_a_cancelled_call_leaves_the_server_usable(
    open_bench: OpenBench, tmp_path: Path
) -> None:
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


async def test_a_slow_call_takes_no_other_call_down_with_it(
    open_bench: OpenBench, tmp_path: Path
) -> None:
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


async def test_a_command_that_is_not_there_is_named(tmp_path: Path) -> None:
    missing = lying(tmp_path).model_copy(update={"command": "/no/such/server"})
    with pytest.raises(Unreachable, match="No such file"):
        await Bench(missing, tmp_path).list()


async def test_a_server_by_url_has_to_be_on_the_list(tmp_path: Path) -> None:
    by_url = {"transport": "streamable_http", "url": "http://127.0.0.1:9/mcp"}
    bench = Bench(lying(tmp_path).model_validate(by_url), tmp_path)
    with pytest.raises(Unreachable, match="EXECUTIVE_ALLOWED_HOSTS"):
        await bench.list()
