"""A harbour whose approvals are told to a sink on loopback, for tests of links and buttons."""

import asyncio
import json
import re
import sqlite3
from collections.abc import AsyncIterator, Mapping
from contextlib import AsyncExitStack, asynccontextmanager, closing
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import httpx

from api.app import create_app
from graph.executive import Executive
from graph.settings import ROOT, Settings
from graph.wiring.composition import open_executive
from state.principal import Principal
from tests.graph.harbour import HARBOUR, KEEPER
from tests.serving import serving
from tests.tables import FILE, lay_tables
from tools.notifications.approval_links import ApprovalLinks

PEOPLE = {
    "amir": KEEPER,
    "ingrid": Principal(user="ingrid", tenant_id="default", roles=("master",)),
    "olga": Principal(user="olga", tenant_id="default", roles=("master",)),
    "nils": Principal(user="nils", tenant_id="default", roles=("warden",)),
    "bot": Principal(user="bot", tenant_id="default", roles=("master",), kind="service"),
}
CHANNELS = """
[[channel]]
name = "ingrid-mail"
url = "json://127.0.0.1:{port}/ingrid"
people = ["ingrid"]
[[channel]]
name = "nils-mail"
url = "json://127.0.0.1:{port}/nils"
people = ["nils"]
[[channel]]
name = "olga-mail"
url = "json://127.0.0.1:{port}/olga"
people = ["olga"]
[[channel]]
name = "bridge"
url = "json://127.0.0.1:{port}/bridge"
roles = ["master"]
[[person]]
name = "olga"
away = true
deputy = "ingrid"
[[channel]]
name = "deck"
url = "http://127.0.0.1:{port}/deck"
roles = ["master"]
buttons = true
[[person]]
name = "ingrid"
slack = "U1"
[[person]]
name = "nils"
slack = "U2"
[slack]
signing_secret = "not-a-real-signing-secret"
team = "T1"
[[escalation]]
after = 0.75
roles = ["warden"]
"""
Json = dict[str, Any]


@dataclass
class Sink:
    """A service on loopback that takes messages as JSON."""

    port: int = 0
    status: int = 200
    taken: list[tuple[str, Json]] = field(default_factory=list)

    async def serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        head = (await reader.readuntil(b"\r\n\r\n")).decode()
        length = re.search(r"(?i)content-length: (\d+)", head)
        body = await reader.readexactly(int(length[1]) if length else 0)
        if self.status < 300:
            self.taken.append((head.split()[1].strip("/"), json.loads(body)))
        writer.write(f"HTTP/1.1 {self.status} X\r\nContent-Length: 0\r\n\r\n".encode())
        await writer.drain()
        writer.close()

    def to(self, name: str) -> list[Json]:
        return [message for path, message in self.taken if path == name]


@dataclass
class Quay:
    """The service, the messages it sent, and a browser without a key."""

    executive: Executive
    sink: Sink
    browser: httpx.AsyncClient
    data_dir: Path
    keys: dict[str, str]

    async def ask(self, lock: str) -> str:
        """Have an approval wait; give its id."""
        headers = {"Authorization": f"Bearer {self.keys['amir']}"}
        said = {"text": f"close lock {lock}", "session_id": lock}
        answer = await self.browser.post("/v1/messages", json=said, headers=headers)
        assert answer.json()["outcome"] == "awaiting_approval", answer.text
        return str(answer.json()["action_id"])

    async def told(self, name: str, action_id: str) -> list[Json]:
        """Send what is due; give the messages about an approval to one recipient."""
        await self.executive.channels.tick()
        standing = await self.executive.approvals.get(action_id)
        return [one for one in self.sink.to(name) if standing.digest in one["message"]]

    async def token(self, action_id: str, person: str = "ingrid", minutes: float = 10) -> str:
        standing = await self.executive.approvals.get(action_id)
        return await ApprovalLinks(self.executive._box.database).make(standing, person, minutes)

    async def post(self, token: str, *, origin: str | None = "own", **sent: str) -> httpx.Response:
        headers = {"Origin": str(self.browser.base_url)} if origin == "own" else {}
        if origin not in (None, "own"):
            headers = {"Origin": origin}
        return await self.browser.post(f"/answer/{token}", data=sent, headers=headers)

    async def state(self, action_id: str) -> str:
        return (await self.executive.approvals.get(action_id)).state

    def sql(self, statement: str, *given: object) -> list[tuple[Any, ...]]:
        with closing(sqlite3.connect(self.data_dir / FILE)) as connection, connection:
            return connection.execute(statement, given).fetchall()

    def age(self, action_id: str, seconds: float) -> None:
        """Let an approval be older than it is."""
        moved = "set asked_at = asked_at - ?, expires_at = expires_at - ? where action_id = ?"
        self.sql(f"update ledger_action {moved}", seconds, seconds, action_id)


@asynccontextmanager
async def opened(
    data_dir: Path, learnt: Path, policy: Mapping[str, str] | None = None
) -> AsyncIterator[Quay]:
    (data_dir / "cache").symlink_to(learnt)
    lay_tables(data_dir)
    sink = Sink()
    server = await asyncio.start_server(sink.serve, "127.0.0.1", 0)
    sink.port = server.sockets[0].getsockname()[1]
    given = (ROOT / "policy.toml").read_text("utf-8")
    changes = {"\nasks_per_hour = 30": "\nasks_per_hour = 900", **(policy or {})}
    for before, after in changes.items():
        assert before in given
        given = given.replace(before, after)
    (data_dir / "policy.toml").write_text(given, "utf-8")
    (data_dir / "channels.toml").write_text(CHANNELS.format(port=sink.port), "utf-8")
    async with AsyncExitStack() as stack:
        stack.callback(server.close)
        settings = Settings(
            data_dir=data_dir,
            packs=(str(HARBOUR),),
            policy_file=data_dir / "policy.toml",
            public_url="http://quay",
            allowed_private_hosts=(f"127.0.0.1:{sink.port}",),
        )
        executive = await stack.enter_async_context(open_executive(settings))
        address = await stack.enter_async_context(serving(create_app(executive)))
        keys = {name: await executive.keys.make(one) for name, one in PEOPLE.items()}
        browser = httpx.AsyncClient(base_url=address, timeout=30)
        await stack.enter_async_context(browser)
        yield Quay(executive, sink, browser, data_dir, keys)
