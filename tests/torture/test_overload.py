"""Ten times as many at once as are let in: each is served or told to wait, as others are served.

How soon is measured by `make bench ONLY=load`.
"""

import asyncio
from collections import Counter
from pathlib import Path

import httpx

from state.principal import Principal
from tests.api.conftest import assert_problem
from tests.architecture.source import ROOT
from tests.safety.benches import FILE, sql
from tests.torture.counts import few_or_many
from tests.torture.serving import own_process
from tests.torture.tally import Tally
from tools.storage.credentials import SqlKeys
from tools.storage.database import Database

LET_IN = 8
"""Requests of one tenant under way; set here, so that ten times as many are a load we can make."""
AT_ONCE = LET_IN * 10
POLITE = 12


@few_or_many(160, 4_000)
async def test_a_flood_is_told_to_wait_and_another_tenant_is_served(
    data_dir: Path, pack: Path, tmp_path: Path, tally: Tally, count: int
) -> None:
    loud, polite = await _keys(data_dir)
    with own_process(data_dir, pack, tmp_path, _policy(tmp_path)) as (_process, address):
        async with _client(address, loud) as flooding, _client(address, polite) as waiting:
            flood = asyncio.create_task(_flood(flooding, count))
            served = [await _say(waiting, f"polite-{number}") for number in range(POLITE)]
            flooded = await flood
            after = await _say(waiting, "after")
            health = await waiting.get("/livez")
    statuses = Counter(flooded)
    assert set(statuses) <= {200, 429, 503}, statuses
    assert statuses[200] > 0
    assert statuses[429] > 0
    assert set(served) == {200}
    assert (after, health.status_code) == (200, 200)
    decided = "select tenant_id, count(*) from decision group by tenant_id"
    assert dict(sql(data_dir, decided)) == {"loud": statuses[200], "polite": POLITE + 1}
    tally.add("requests of a flood", count)
    tally.add("requests of a flood told to wait", statuses[429] + statuses[503])


async def _flood(client: httpx.AsyncClient, count: int) -> list[int]:
    """Keep ten times as many under way as are let in."""
    numbers = iter(range(count))

    async def go_on() -> list[int]:
        return [await _say(client, f"loud-{number}") for number in numbers]

    each = await asyncio.gather(*(go_on() for _client in range(AT_ONCE)))
    return [status for one in each for status in one]


async def _say(client: httpx.AsyncClient, session: str) -> int:
    said = {"text": "read gauge G-1", "session_id": session}
    answer = await client.post("/v1/messages", json=said)
    if answer.status_code != 200:
        problem = {429: "too-many", 503: "busy"}[answer.status_code]
        assert_problem(answer, answer.status_code, problem)
        assert int(answer.headers["retry-after"]) >= 1
    return answer.status_code


def _client(address: str, key: str) -> httpx.AsyncClient:
    return httpx.AsyncClient(
        base_url=address,
        headers={"Authorization": f"Bearer {key}"},
        timeout=60,
        limits=httpx.Limits(max_connections=AT_ONCE, keepalive_expiry=2.0),
    )


def _policy(folder: Path) -> Path:
    policy = (ROOT / "policy.toml").read_text("utf-8")
    assert "tenant_at_once = 32" in policy
    file = folder / "policy.toml"
    file.write_text(policy.replace("tenant_at_once = 32", f"tenant_at_once = {LET_IN}"), "utf-8")
    return file


async def _keys(data_dir: Path) -> list[str]:
    database = Database(f"sqlite:///{data_dir / FILE}")
    try:
        keys = SqlKeys(database)
        return [
            await keys.make(Principal(user="ann", tenant_id=tenant))
            for tenant in ("loud", "polite")
        ]
    finally:
        await database.close()
