"""A service and its people, for tests of agents that run beside it or in an environment apart."""

import asyncio
import json
import os
import socket
import subprocess
from collections.abc import AsyncIterator, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import count
from pathlib import Path
from typing import Any

import httpx
import pytest

ROOT = Path(__file__).parents[2]
SERVER = os.environ.get("PREFRONTAL_SERVER_PYTHON", str(ROOT / ".venv" / "bin" / "python"))
"""The interpreter that has the server; agents' frameworks have an environment of their own."""
_NUMBERS = count(10)
Json = dict[str, Any]


@dataclass(frozen=True)
class Service:
    """Where the service is, and keys by name."""

    url: str
    keys: dict[str, str]


@dataclass(frozen=True)
class People:
    """Who answers what agents ask."""

    clients: dict[str, httpx.AsyncClient]

    async def asked(self, action: str, **arguments: Any) -> Json:
        """Wait until an approval of this call is open."""
        async with asyncio.timeout(20):
            while True:
                page = await self.clients["ingrid"].get("/v1/approvals", params={"limit": 200})
                for one in page.json()["approvals"]:
                    if one["action"] == action and arguments.items() <= one["arguments"].items():
                        return dict(one)
                await asyncio.sleep(0.02)

    async def answer(self, action: str, decision: str, given: Json, **arguments: Any) -> Json:
        """Answer an approval as soon as it is open."""
        shown = await self.asked(action, **arguments)
        while True:
            sent = {"decision": decision, "digest": shown["digest"], **given}
            path = f"/v1/approvals/{shown['action_id']}"
            said = await self.clients["ingrid"].post(path, json=sent)
            assert said.status_code == 200, said.text
            shown, decision, given = said.json(), "approve", {}
            if shown["state"] != "pending":  # edited arguments are shown once more
                return dict(shown)

    async def approve(self, action: str, **arguments: Any) -> Json:
        return await self.answer(action, "approve", {}, **arguments)

    async def refuse(self, action: str, why: str, **arguments: Any) -> Json:
        return await self.answer(action, "reject", {"reason": why}, **arguments)

    async def edit(self, action: str, changed: Json, **arguments: Any) -> Json:
        return await self.answer(action, "edit", {"arguments": changed}, **arguments)

    async def count(self, action: str, **arguments: Any) -> int:
        """Count the approvals of a call that were ever asked for."""
        found = 0
        for state in ("pending", "rejected", "succeeded", "expired"):
            page = await self.clients["ingrid"].get(
                "/v1/approvals", params={"state": state, "limit": 200}
            )
            found += sum(
                one["action"] == action and arguments.items() <= one["arguments"].items()
                for one in page.json()["approvals"]
            )
        return found


@contextmanager
def started(folder: Path, *packs: str) -> Iterator[Service]:
    """Run the service of tests.adapters.service on a pack, else the harbour."""
    process = subprocess.Popen(
        [SERVER, "-m", "tests.adapters.service", str(folder), *packs],
        cwd=ROOT,
        env={**os.environ, "PYTHONPATH": str(ROOT), "LANGSMITH_TRACING": "false"},
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )
    assert process.stdin
    assert process.stdout
    try:
        line = process.stdout.readline()
        assert line, "the service did not start"
        yield Service(**json.loads(line))
    finally:
        process.stdin.close()
        process.stdout.close()
        process.wait(60)


@pytest.fixture(scope="session")
def service(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Service]:
    with started(tmp_path_factory.mktemp("quay")) as one:
        yield one


@pytest.fixture
async def people(service: Service) -> AsyncIterator[People]:
    clients = {
        name: httpx.AsyncClient(
            base_url=service.url, headers={"Authorization": f"Bearer {key}"}, timeout=60
        )
        for name, key in service.keys.items()
    }
    yield People(clients)
    for client in clients.values():
        await client.aclose()


@pytest.fixture
def lock() -> str:
    """Return a lock that no other test of this run has closed."""
    return f"LK-{next(_NUMBERS)}"


@pytest.fixture
def unused_port() -> int:
    """Return a port of loopback on which nobody listens."""
    with socket.socket() as one:
        one.bind(("127.0.0.1", 0))
        port: int = one.getsockname()[1]
    return port
