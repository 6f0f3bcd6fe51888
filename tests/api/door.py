"""The door for agents on a real server: a client a principal, and what the stream tells."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import httpx
import pytest
import pytest_asyncio

from api.app import create_app
from graph.settings import ROOT, Settings
from graph.wiring.composition import open_executive
from state.notice import Notice
from state.principal import Principal
from tests.graph.harbour import HARBOUR, Harbour
from tests.serving import serving
from tests.tables import lay_tables
from tools.platform.clock import SystemClock, VirtualClock
from tools.response.delivery import Subscription

PEOPLE = {
    "agent": Principal(user="tug-agent", tenant_id="default", roles=("keeper",), kind="service"),
    "other": Principal(user="barge-agent", tenant_id="default", roles=("keeper",), kind="service"),
    "relay": Principal(
        user="relay", tenant_id="default", roles=("integrator", "keeper"), kind="service"
    ),
    "guest": Principal(user="guest-agent", tenant_id="default", kind="service"),
    "bridge": Principal(
        user="bridge-agent", tenant_id="default", roles=("keeper", "master"), kind="service"
    ),
    "amir": Principal(user="amir", tenant_id="default", roles=("keeper",)),
    "ingrid": Principal(user="ingrid", tenant_id="default", roles=("master",)),
    "olav": Principal(user="olav", tenant_id="elsewhere", roles=("master", "keeper")),
}
Json = dict[str, Any]


@dataclass
class Door:
    """The service, and a client a principal."""

    harbour: Harbour
    clients: dict[str, httpx.AsyncClient]

    async def propose(
        self, action: str, who: str = "agent", status: int | None = None, **given: Any
    ) -> Json:
        sent = {"action": action, **given}
        answer = await self.clients[who].post("/v1/proposals", json=sent)
        if status is not None:
            assert answer.status_code == status, answer.text
        assert answer.status_code in (200, 202), answer.text
        return dict(answer.json())

    async def read(self, proposal: Json, who: str = "agent", wait: float = 0) -> Json:
        path = f"/v1/proposals/{proposal['proposal_id']}"
        answer = await self.clients[who].get(path, params={"wait": wait} if wait else {})
        assert answer.status_code == 200, answer.text
        return dict(answer.json())

    async def answer(self, proposal: Json, decision: str = "approve", **given: Any) -> Json:
        approval = proposal["approval"]
        sent = {"decision": decision, "digest": approval["digest"], **given}
        said = await self.clients["ingrid"].post(f"/v1/approvals/{approval['id']}", json=sent)
        assert said.status_code == 200, said.text
        return dict(said.json())

    async def choose(self, proposal: Json, who: str = "amir") -> httpx.Response:
        choice = proposal["choice"]
        path = f"/v1/offers/{choice['offer_id']}"
        return await self.clients[who].post(path, json={"chip_id": choice["chip_id"]})


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def door(tmp_path_factory: pytest.TempPathFactory, learnt_once: Path) -> AsyncIterator[Door]:
    data_dir = tmp_path_factory.mktemp("door")
    (data_dir / "cache").symlink_to(learnt_once)
    lay_tables(data_dir)
    async with AsyncExitStack() as stack:
        policy = tmp_path_factory.mktemp("policy") / "policy.toml"
        closed = '\n[[sessions]]\nnames = ["board-*"]\nroles = ["master"]\n'
        policy.write_text((ROOT / "policy.toml").read_text("utf-8") + closed, "utf-8")
        settings = Settings(
            data_dir=data_dir,
            packs=(str(HARBOUR),),
            public_url="http://quay",
            policy_file=policy,
        )
        executive = await stack.enter_async_context(open_executive(settings))
        address = await stack.enter_async_context(serving(create_app(executive)))
        clients = {}
        for name, principal in PEOPLE.items():
            headers = {"Authorization": f"Bearer {await executive.keys.make(principal)}"}
            client = httpx.AsyncClient(base_url=address, headers=headers, timeout=40)
            clients[name] = await stack.enter_async_context(client)
        clock = VirtualClock(SystemClock().now())
        yield Door(Harbour(executive, clock, data_dir), clients)


async def told_of(listener: Subscription, asked: Json) -> list[str]:
    """List the statuses that the stream has told of a call."""
    told = [each.data async for each in until_quiet(listener) if each.kind == "proposal"]
    return [each["status"] for each in told if each["proposal_id"] == asked["proposal_id"]]


async def until_quiet(listener: Subscription) -> AsyncIterator[Notice]:
    with suppress(TimeoutError):
        while True:
            async with asyncio.timeout(0.5):
                yield await anext(listener)
