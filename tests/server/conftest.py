"""A real `langgraph dev` on loopback, one for all tests of this folder."""

import asyncio
import os
import re
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Generator, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import httpx
import pytest
from langgraph_sdk import get_sync_client
from langgraph_sdk.client import SyncLangGraphClient
from sqlalchemy import create_engine, text

from state.principal import Principal
from tests.lasting import Lasting
from tests.learning import learn
from tests.serving import START_SECONDS
from tools.access.api_keys import SqlKeys
from tools.storage.database import Database

ROOT = Path(__file__).parents[2]


@dataclass(frozen=True)
class Served:
    """Where the server listens, the folder it works in, and keys.

    Of the boss, a bridge, the engineer who asks, and an engineer of another tenant.
    """

    url: str
    data_dir: Path
    key: str
    bridge_key: str
    engineer_key: str
    stranger_key: str

    def api(self, key: str | None = None) -> httpx.Client:
        """Call our routes as the boss, or with another key."""
        return httpx.Client(
            base_url=self.url, headers={"Authorization": f"Bearer {key or self.key}"}, timeout=30
        )

    def rows(self, query: str) -> list[tuple[object, ...]]:
        engine = create_engine(f"sqlite:///{self.data_dir / 'prefrontal.sqlite'}")
        try:
            with engine.connect() as connection:
                return [tuple(row) for row in connection.execute(text(query))]
        finally:
            engine.dispose()

    def executions(self) -> int:
        """Count what the ledger ran above Class A."""
        query = (
            "select count(*) from ledger_entry e join ledger_action a using (action_id)"
            " where e.event = 'started' and a.execution_class <> 'A'"
        )
        [(count,)] = self.rows(query)
        assert isinstance(count, int)
        return count


_SERVED = Lasting[Served](Path(__file__).parent)


@pytest.fixture
def served(tmp_path_factory: pytest.TempPathFactory, learnt_once: Path) -> Served:
    """Return the server of this folder's tests; the first of them starts it."""
    return _SERVED.get(lambda: _serving(tmp_path_factory.mktemp("served"), learnt_once))


@pytest.hookimpl(wrapper=True)
def pytest_runtest_teardown(nextitem: pytest.Item | None) -> Generator[None, object, object]:
    """End the server after the last test of this folder: idle it takes 1.5 % of a processor."""
    try:
        return (yield)
    finally:
        _SERVED.end_before(nextitem)


@contextmanager
def _serving(data_dir: Path, learnt: Path) -> Iterator[Served]:
    learn("vessel", data_dir, learnt)
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    environment = os.environ | {
        # Relative, as by default: resolving it asks for the working folder, which blocks.
        "EXECUTIVE_DATA_DIR": os.path.relpath(data_dir, ROOT),
        "EXECUTIVE_PACKS": "vessel",
        "EXECUTIVE_POLICY_FILE": str(_patient_policy(data_dir)),
        "LANGGRAPH_CLI_NO_ANALYTICS": "1",
        "LANGGRAPH_NO_VERSION_CHECK": "true",
        "LANGGRAPH_DISABLE_FILE_PERSISTENCE": "true",
        "LANGSMITH_TRACING": "false",
    }
    log = (data_dir / "server.log").open("wb")
    server = subprocess.Popen(
        [
            Path(sys.executable).with_name("langgraph"),
            *("dev", "--config", ROOT / "langgraph.json", "--host", "127.0.0.1"),
            *("--port", str(port), "--no-browser", "--no-reload"),
        ],
        cwd=ROOT,
        env=environment,
        stdout=log,
        stderr=subprocess.STDOUT,
        start_new_session=True,
    )
    try:
        url = f"http://127.0.0.1:{port}"
        _wait_until_ready(url, server, data_dir)
        yield Served(url, data_dir, *_make_keys(data_dir))
    finally:
        os.killpg(server.pid, signal.SIGTERM)
        server.wait(20)
        log.close()


@contextmanager
def keyed(served: Served, key: str | None) -> Iterator[SyncLangGraphClient]:
    """Call the server's own routes with a key; None: without any."""
    headers = None if key is None else {"Authorization": f"Bearer {key}"}
    client = get_sync_client(url=served.url, headers=headers)
    try:
        yield client
    finally:
        client.http.client.close()


@pytest.fixture
def client(served: Served) -> Iterator[SyncLangGraphClient]:
    """Return a client with the key of Ann, who is an engineer."""
    with keyed(served, served.engineer_key) as client:
        yield client


def _patient_policy(data_dir: Path) -> Path:
    """Let the tests of this folder, which share their people, ask more than a person may."""
    text = (ROOT / "policy.toml").read_text("utf-8")
    changed = re.sub(r"^asks_per_hour = \d+$", "asks_per_hour = 1000", text, flags=re.MULTILINE)
    assert changed != text
    file = data_dir / "policy.toml"
    file.write_text(changed, "utf-8")
    return file


def _wait_until_ready(url: str, server: subprocess.Popen[bytes], data_dir: Path) -> None:
    deadline = time.monotonic() + START_SECONDS
    while time.monotonic() < deadline:
        if server.poll() is not None:
            break
        try:
            if httpx.get(f"{url}/readyz", timeout=5).status_code == 200:
                return
        except httpx.TransportError:
            time.sleep(0.2)
    raise AssertionError((data_dir / "server.log").read_text()[-4000:])


def _make_keys(data_dir: Path) -> list[str]:
    holders = (
        Principal(user="boss", tenant_id="default", roles=("captain", "chief_engineer")),
        Principal(user="bridge", tenant_id="default", roles=("integrator",), kind="service"),
        Principal(user="ann", tenant_id="default", roles=("engineer",)),
        Principal(user="ann", tenant_id="elsewhere", roles=("engineer", "captain")),
    )

    async def make() -> list[str]:
        database = Database(f"sqlite:///{data_dir / 'prefrontal.sqlite'}")
        try:
            return [await SqlKeys(database).make(holder) for holder in holders]
        finally:
            await database.close()

    return asyncio.run(make())
