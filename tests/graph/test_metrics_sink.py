"""Counters go to Redis as they stand; whatever it does, decisions are made and figures are kept."""

import asyncio
import shutil
import socket
import subprocess
import sys
from collections.abc import AsyncIterator
from pathlib import Path

import pytest
from pydantic import SecretStr

from api.cli.doctor.report import run_checks
from graph.scheduler import run_scheduler
from graph.settings import Settings
from state.errors import BadInput
from tests.graph.conftest import OpenHarbour
from tests.graph.harbour import Harbour
from tests.graph.test_policy_first import READER, RECENT, SHELF
from tests.tools.observability.quality.resp_server import RespServer, running
from tools.observability.metrics_export import MetricsExporter, RedisSink

KEY = "prefrontal:metrics:default:shelf"


@pytest.fixture
async def redis() -> AsyncIterator[RespServer]:
    async with running(RespServer()) as server:
        yield server


def exporting_of(shelf: Harbour) -> MetricsExporter:
    found = shelf.executive.maintenance.exporting
    assert found is not None
    return found


async def test_counters_are_told_as_they_stand(open_harbour: OpenHarbour, redis: RespServer):
    async with open_harbour(packs=(str(SHELF),), metrics_redis_url=redis.url) as shelf:
        assert await exporting_of(shelf).export() == 0
        await shelf.says(RECENT, READER)
        await shelf.says("find me books", READER, session_id="new")
        assert await exporting_of(shelf).export() == 1
        assert await exporting_of(shelf).export() == 0
    assert redis.hashes[KEY] == {
        "turns": "2",
        "direct_search_turns": "2",
        "direct_search_tool_calls": "1",
        "clarification_first": "1",
        "recency_asked": "1",
        "recency_kept": "1",
        "stage_due": "1",
        "stage_made": "1",
    }


async def test_a_reset_is_told_too(open_harbour: OpenHarbour, redis: RespServer) -> None:
    admin = READER.model_copy(update={"roles": ("admin",)})
    async with open_harbour(packs=(str(SHELF),), metrics_redis_url=redis.url) as shelf:
        await shelf.says(RECENT, READER)
        await exporting_of(shelf).export()
        await shelf.executive.quality.reset("shelf", admin)
        await exporting_of(shelf).export()
    assert set(redis.hashes[KEY].values()) == {"0"}


async def test_a_start_tells_what_was_counted_before(open_harbour: OpenHarbour, redis: RespServer):
    async with open_harbour(packs=(str(SHELF),)) as shelf:
        await shelf.says(RECENT, READER)
    async with open_harbour(packs=(str(SHELF),), metrics_redis_url=redis.url) as shelf:
        assert await exporting_of(shelf).export() == 1
    assert redis.hashes[KEY]["turns"] == "1"


@pytest.mark.parametrize(
    "fault", [b"-ERR out of memory\r\n", b"-LOADING dataset\r\n", b"?nonsense\r\n"]
)
async def test_a_store_that_refuses_is_told_again_and_stops_nothing(
    open_harbour: OpenHarbour, redis: RespServer, fault: bytes
) -> None:
    redis.fault = fault
    async with open_harbour(packs=(str(SHELF),), metrics_redis_url=redis.url) as shelf:
        assert (await shelf.says(RECENT, READER)).outcome == "executed"
        exporting = exporting_of(shelf)
        assert await exporting.export() == 0
        assert "Redis does not take the metrics" in exporting.problem
        assert any("Redis does not take" in one for one in shelf.executive.degraded)
        assert (await shelf.says(RECENT, READER)).outcome == "executed"
        redis.fault = None
        assert await exporting.export() == 1
        assert exporting.problem == ""
        assert not any("Redis" in one for one in shelf.executive.degraded)
    assert redis.hashes[KEY]["turns"] == "2"


async def test_a_store_that_is_not_there_yet_is_found_when_it_is(open_harbour: OpenHarbour):
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        server = RespServer(port=free.getsockname()[1])
    async with open_harbour(packs=(str(SHELF),), metrics_redis_url=server.url) as shelf:
        await shelf.says(RECENT, READER)
        assert await exporting_of(shelf).export() == 0
        async with running(server):
            assert await exporting_of(shelf).export() == 1
    assert server.hashes[KEY]["turns"] == "1"


async def test_the_password_is_sent_and_never_told(open_harbour: OpenHarbour) -> None:
    async with running(RespServer(password="open-sesame")) as server:
        url = server.url.replace("open-sesame", "shut-sesame")
        async with open_harbour(packs=(str(SHELF),), metrics_redis_url=url) as shelf:
            await shelf.says(RECENT, READER)
            exporting = exporting_of(shelf)
            assert await exporting.export() == 0
            assert "sesame" not in exporting.problem + repr(exporting)
            assert "sesame" not in repr(shelf.executive.settings)
        async with open_harbour(packs=(str(SHELF),), metrics_redis_url=server.url) as shelf:
            assert await exporting_of(shelf).export() == 1
    assert server.hashes[KEY]["turns"] == "1"


async def test_the_clocks_turn_tells_them_by_itself(open_harbour: OpenHarbour, redis: RespServer):
    async with open_harbour(packs=(str(SHELF),), metrics_redis_url=redis.url) as shelf:
        await shelf.says(RECENT, READER)
        async with run_scheduler(shelf.executive), asyncio.timeout(60):
            await redis.told.wait()
    assert redis.hashes[KEY]["turns"] == "1"


@pytest.mark.parametrize(
    ("url", "state", "says"),
    [
        (None, "ok", "told to Redis"),
        ("redis://127.0.0.1:9/0", "degraded", "does not take the metrics (ConnectionError)"),
        ("http://127.0.0.1", "broken", "must be redis://"),
    ],
)
async def test_the_doctor_looks_whether_it_is_there(
    redis: RespServer, tmp_path: Path, url: str | None, state: str, says: str
) -> None:
    given = {"metrics_redis_url": url or redis.url, "data_dir": tmp_path / "data"}
    found = await run_checks(Settings.model_validate(given), 1.0)
    (metrics,) = [one for one in found if one.what == "metrics"]
    assert metrics.state == state
    assert says in metrics.says


def test_a_url_of_something_else_is_refused() -> None:
    with pytest.raises(BadInput, match="redis://, rediss:// or unix://"):
        RedisSink.at(SecretStr("http://127.0.0.1"))


def test_nothing_of_redis_is_imported_without_its_url() -> None:
    code = "import sys, tools.observability.metrics_export; sys.exit('redis' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0


@pytest.mark.skipif(shutil.which("redis-server") is None, reason="no redis-server here")
async def test_a_real_server_takes_them(open_harbour: OpenHarbour, tmp_path: Path) -> None:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    words = ("--port", str(port), "--bind", "127.0.0.1", "--save", "", "--dir", str(tmp_path))
    server = await asyncio.create_subprocess_exec(
        "redis-server", *words, stdout=asyncio.subprocess.PIPE
    )
    assert server.stdout is not None
    try:
        await server.stdout.readuntil(b"Ready to accept connections")
        url = f"redis://127.0.0.1:{port}/0"
        async with open_harbour(packs=(str(SHELF),), metrics_redis_url=url) as shelf:
            await shelf.says(RECENT, READER)
            exporting = exporting_of(shelf)
            assert await exporting.export() == 1
            assert isinstance(exporting.sink, RedisSink)
            assert await exporting.sink.client.hget(KEY, "turns") in (b"1", "1")
    finally:
        server.terminate()
        await server.wait()
