"""Fifty clients at once, minutes of everything there is to ask: nothing is lost, nothing breaks."""

import asyncio
import os
import random
import time
from collections import Counter, defaultdict
from contextlib import AsyncExitStack
from itertools import count as counting
from pathlib import Path
from typing import Any

import httpx
import pytest

from state.principal import Principal
from tests.safety.benches import FILE, sql
from tests.torture.serving import own_process
from tests.torture.tally import Tally
from tools.storage.database import Database
from tools.storage.keys import SqlKeys

CLIENTS = 50
PEOPLE = tuple(
    Principal(
        user=f"user-{number}", tenant_id=f"tenant-{number % 5}", roles=("captain", "engineer")
    )
    for number in range(CLIENTS)
)
READS = ("/v1/decisions?limit=20", "/v1/approvals", "/v1/offers", "/v1/quiet", "/v1/queries")
SAID = ("read gauge G-1", "label valve V-9", "open valve V-101", "what is the weather like")


class Load:
    """What was sent, how it was answered and how long that took."""

    def __init__(self, until: float) -> None:
        self.until = until
        self.answers: Counter[tuple[str, int]] = Counter()
        self.seconds: dict[str, list[float]] = defaultdict(list)
        self.decided: Counter[str] = Counter()
        self.numbers = counting()

    async def one(self, client: httpx.AsyncClient, who: Principal, dice: random.Random) -> None:
        while time.monotonic() < self.until:
            if dice.random() < 0.5:
                await self._ask(client, "read", "GET", dice.choice(READS))
                continue
            said = {"text": dice.choice(SAID), "session_id": f"{who.user}-{dice.randrange(9)}"}
            number = next(self.numbers)
            made = await self._ask(
                client, "say", "POST", "/v1/messages", said | {"event_id": f"e-{number}"}
            )
            if made is None:
                continue
            self.decided[who.tenant_id] += 1
            if made["approval"] and dice.random() < 0.5:
                yes = {"decision": "approve", "digest": made["approval"]["digest"]}
                await self._ask(
                    client, "answer", "POST", f"/v1/approvals/{made['approval']['action_id']}", yes
                )

    async def _ask(
        self,
        client: httpx.AsyncClient,
        what: str,
        method: str,
        path: str,
        body: dict[str, str] | None = None,
    ) -> Any:
        """Ask once; None when it was not answered with 200."""
        started = time.perf_counter()
        answer = await client.request(method, path, json=body)
        self.seconds[what].append(time.perf_counter() - started)
        self.answers[what, answer.status_code] += 1
        assert answer.status_code < 500 or answer.status_code == 503, answer.text
        if answer.status_code in (429, 503):
            assert int(answer.headers["retry-after"]) >= 1
            await asyncio.sleep(0.2)
        return answer.json() if answer.status_code == 200 else None


@pytest.mark.torture
@pytest.mark.parametrize("count", [300], ids=["5 minutes"])
async def test_fifty_clients_lose_nothing_and_meet_no_fault(
    data_dir: Path, pack: Path, tmp_path: Path, tally: Tally, count: int
) -> None:
    keys = await _keys(data_dir)
    with own_process(data_dir, pack, tmp_path) as (process, address):
        load = Load(time.monotonic() + count)
        async with AsyncExitStack() as stack:
            clients = [
                await stack.enter_async_context(
                    httpx.AsyncClient(
                        base_url=address, headers={"Authorization": f"Bearer {key}"}, timeout=60
                    )
                )
                for key in keys
            ]
            before = _resident(process.pid)
            await asyncio.gather(
                *(
                    load.one(client, who, random.Random(number))
                    for number, (client, who) in enumerate(zip(clients, PEOPLE, strict=True))
                )
            )
            after = _resident(process.pid)
            assert (await clients[0].get("/readyz")).status_code == 200
    kept = dict(sql(data_dir, "select tenant_id, count(*) from decision group by tenant_id"))
    assert kept == load.decided  # what was answered is there, and nothing else
    assert sql(data_dir, "select count(*) from decision where standing = 'accepted'") == [(0,)]
    assert {status for _what, status in load.answers} <= {200, 409, 429, 503}
    for (what, status), number in sorted(load.answers.items()):
        tally.add(f"requests under load: {what} {status}", number)
    for what, seconds in sorted(load.seconds.items()):
        ordered = sorted(seconds)
        p50, p95 = (ordered[int(len(ordered) * share)] * 1_000 for share in (0.5, 0.95))
        print(f"{what}: {len(ordered)}, p50 {p50:.0f} ms, p95 {p95:.0f} ms")
    print(f"resident: {before / 2**20:.0f} MB before, {after / 2**20:.0f} MB after")


def _resident(pid: int) -> int:
    pages = int(Path(f"/proc/{pid}/statm").read_text().split()[1])
    return pages * os.sysconf("SC_PAGE_SIZE")


async def _keys(data_dir: Path) -> list[str]:
    database = Database(f"sqlite:///{data_dir / FILE}")
    try:
        return [await SqlKeys(database).make(who) for who in PEOPLE]
    finally:
        await database.close()
