"""The whole service with the vessel pack in a thread of its own, and people of a tenant."""

import asyncio
import re
import threading
from collections.abc import Coroutine, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeVar

import httpx
from fastapi import FastAPI

from api.app import create_app
from graph.executive import Executive
from graph.settings import Settings
from graph.wiring.composition import open_executive
from state.principal import ACCESS, Principal
from tests.serving import START_SECONDS, serving

T = TypeVar("T")
TOKEN = re.compile(r'name="csrf" value="([^"]+)"')
TALK = (
    ("m1", "2026-03-03T09:00:00Z", "We decided to use Postgres for the queue because it lasts."),
    ("m2", "2026-08-12T10:00:00Z", "We agreed to buy <script>alert(1)</script> two oil filters."),
)
TICKET = re.compile(r'name="ticket" value="([^"]+)"')


@dataclass(frozen=True)
class Service:
    """The Executive behind its pages, on a loop of its own; browsers need ours."""

    executive: Executive
    app: FastAPI
    address: str
    loop: asyncio.AbstractEventLoop

    def run(self, coroutine: Coroutine[Any, Any, T]) -> T:
        return asyncio.run_coroutine_threadsafe(coroutine, self.loop).result(30)


@contextmanager
def running(folder: Path) -> Iterator[Service]:
    made: list[Service] = []
    up, over = threading.Event(), asyncio.Event()

    async def serve() -> None:
        settings = Settings(data_dir=folder, reports_dir=folder / "reports", packs=("vessel",))
        async with (
            open_executive(settings) as executive,
            serving(app := create_app(executive)) as address,
        ):
            made.append(Service(executive, app, address, asyncio.get_running_loop()))
            up.set()
            await over.wait()

    thread = threading.Thread(target=asyncio.run, args=(serve(),))
    thread.start()
    try:
        assert up.wait(START_SECONDS)
        yield made[0]
    finally:
        if made:
            made[0].loop.call_soon_threadsafe(over.set)
        thread.join(30)


@dataclass(frozen=True)
class Ship:
    """A tenant of its own on the one service."""

    service: Service
    tenant: str

    def key(self, user: str, *roles: str, kind: Any = "person", access: str = "full") -> str:
        who = Principal(
            user=user, tenant_id=self.tenant, roles=roles, kind=kind, scopes=ACCESS[access]
        )
        return self.service.run(self.service.executive.keys.make(who))

    def say(self, key: str, text: str, session_id: str = "default") -> dict[str, Any]:
        answer = httpx.post(
            f"{self.service.address}/v1/messages",
            headers={"Authorization": f"Bearer {key}"},
            json={"text": text, "session_id": session_id},
            timeout=30,
        )
        assert answer.status_code == 200, answer.text
        return dict(answer.json())

    @contextmanager
    def signed_in(self, key: str) -> Iterator["Visitor"]:
        with httpx.Client(base_url=self.service.address, timeout=30) as client:
            assert sign_in(client, key).status_code == 303
            yield Visitor(client)


def sign_in(client: httpx.Client, key: str, then: str = "") -> httpx.Response:
    form = client.get("/console/sign-in")
    (ticket,) = TICKET.findall(form.text)
    fields = {"key": key, "ticket": ticket, "then": then}
    return client.post("/console/sign-in", data=fields)


@dataclass(frozen=True)
class Visitor:
    """Somebody signed in, without a browser."""

    client: httpx.Client

    def get(self, way: str, **headers: str) -> httpx.Response:
        return self.client.get(f"/console{way}", headers=headers)

    def post(self, way: str, **fields: str) -> httpx.Response:
        token = TOKEN.findall(self.get("/approvals").text)[0]
        return self.client.post(f"/console{way}", data={"csrf": token} | fields)


def decided(ship: Ship, key: str, talk: Sequence[tuple[str, ...]] = TALK) -> list[str]:
    """Import a talk: id, time, words and, unless it is Ingrid, the speaker of each message."""
    messages = [
        {"message_id": name, "speaker": (*by, "ingrid")[0], "content": said, "timestamp": at}
        for name, at, said, *by in talk
    ]
    answer = httpx.post(
        f"{ship.service.address}/v1/journal/import",
        headers={"Authorization": f"Bearer {key}"},
        json={"messages": messages},
        timeout=30,
    )
    return [one["decision_id"] for one in answer.json()["messages"]]
