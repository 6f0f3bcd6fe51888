"""Calls of agents that people approve at once: by the API, signed links and Slack's buttons."""

import asyncio
import hmac
import json
import random
import time
from collections import Counter
from collections.abc import Awaitable, Callable
from hashlib import sha256
from pathlib import Path
from typing import Any
from urllib.parse import urlencode

import httpx
import pytest

from state.principal import Principal
from tests.safety.benches import sql
from tests.safety.executives import opened_executive
from tests.safety.valves import effects
from tests.torture.counts import few_or_many
from tests.torture.serving import clients
from tests.torture.tally import Tally
from tools.gate.ledger.audit import audit
from tools.notifications.approval_links import ApprovalLinks

SECRET = "not-a-real-signing-secret"
WAYS = ("api", "api", "api", "link", "link", "link", "slack", "slack")
"""How each of eight people answers."""
PEOPLE = [
    Principal(user=f"approver-{n}", tenant_id="aurora", roles=("captain",))
    for n in range(len(WAYS))
]
AGENT = Principal(user="bosun-agent", tenant_id="aurora", roles=("engineer",), kind="service")
LINK_MINUTES = 60.0
AT_ONCE = 100
MOST_SECONDS = 900.0
"""For an answer: Slack's clicks are worked off beside the others' answers."""

Json = dict[str, Any]
Answer = Callable[[httpx.AsyncClient, int, Json], Awaitable[int]]


def _channels() -> str:
    people = (
        f'[[person]]\nname = "{each.user}"\ntenant = "aurora"\nslack = "U{n}"\n'
        for n, each in enumerate(PEOPLE)
    )
    return f'[slack]\nsigning_secret = "{SECRET}"\nteam = "T1"\n{"".join(people)}'


async def _by_api(client: httpx.AsyncClient, _person: int, asked: Json) -> int:
    body = {"decision": "approve", "digest": asked["approval"]["digest"]}
    return (await client.post(f"/v1/approvals/{asked['approval']['id']}", json=body)).status_code


async def _by_link(client: httpx.AsyncClient, person: int, asked: Json) -> int:
    headers = {"Origin": str(client.base_url).rstrip("/"), "Authorization": ""}
    path = f"/answer/{asked['links'][person]}"
    answer = await client.post(path, data={"decision": "approve"}, headers=headers)
    return answer.status_code


async def _by_slack(client: httpx.AsyncClient, person: int, asked: Json) -> int:
    value = f"{asked['approval']['id']} {asked['approval']['digest']}"
    payload = {
        "type": "block_actions",
        "team": {"id": "T1"},
        "user": {"id": f"U{person}", "username": "u"},
        "response_url": "http://127.0.0.1:9/reply",
        "actions": [{"block_id": "prefrontal", "action_id": "approve", "value": value}],
    }
    body = urlencode({"payload": json.dumps(payload)}).encode()
    at = str(int(time.time()))
    signature = hmac.digest(SECRET.encode(), b"v0:%b:%b" % (at.encode(), body), sha256).hex()
    headers = {
        "Content-Type": "application/x-www-form-urlencoded",
        "X-Slack-Request-Timestamp": at,
        "X-Slack-Signature": f"v0={signature}",
        "Authorization": "",
    }
    return (
        await client.post("/v1/channels/slack/actions", content=body, headers=headers)
    ).status_code


BY: dict[str, Answer] = {"api": _by_api, "link": _by_link, "slack": _by_slack}


@few_or_many(16, 500)
async def test_calls_that_eight_people_approve_at_once_wherever_they_are_run_once_each(
    data_dir: Path, pack: Path, tally: Tally, monkeypatch: pytest.MonkeyPatch, count: int
):
    channels = data_dir / "channels.toml"
    channels.write_text(_channels(), "utf-8")
    monkeypatch.setenv("EXECUTIVE_CHANNELS_FILE", str(channels))
    calls = [{"action": "open_valve", "arguments": {"valve": f"V-{n}"}} for n in range(count)]
    async with (
        opened_executive(data_dir, pack) as opened,
        clients(opened.executive, AGENT, *PEOPLE) as (agent, *several),
    ):
        for client in (agent, *several):
            client.timeout = httpx.Timeout(MOST_SECONDS)
        links = ApprovalLinks(opened.box.database)
        asked: list[Json] = []
        for first in range(0, count, AT_ONCE):
            made = await agent.post("/v1/proposals", json=calls[first : first + AT_ONCE])
            assert made.status_code == 202, made.text
            asked += made.json()
        for each in asked:
            shown = await opened.executive.approvals.get(each["approval"]["id"], "aurora")
            each["links"] = {
                n: await links.make(shown, PEOPLE[n].user, LINK_MINUTES)
                for n, way in enumerate(WAYS)
                if way == "link"
            }

        async def answer_all(person: int, client: httpx.AsyncClient) -> Counter[tuple[str, int]]:
            statuses: Counter[tuple[str, int]] = Counter()
            for each in random.Random(person).sample(asked, count):
                statuses[WAYS[person], await BY[WAYS[person]](client, person, each)] += 1
            return statuses

        told = await asyncio.gather(*(answer_all(n, client) for n, client in enumerate(several)))
        for each in asked:
            view = await agent.get(f"/v1/proposals/{each['proposal_id']}", params={"wait": 20})
            assert view.json()["status"] == "executed"
        assert (await audit(opened.box.database, {})).report.faults == ()
    statuses = sum(told, Counter[tuple[str, int]]())
    tally.add("racing answers by API, link and Slack", statuses.total())
    ways = {way for way, _status in statuses}
    allowed = {(way, code) for way in ways for code in (200, 409)}
    assert set(statuses) <= allowed | {("link", 429)}  # links have a limit a minute
    assert statuses["slack", 409] == 0  # Slack is told afterwards
    rows = sql(
        data_dir,
        "select method, count(*) from ledger_approval where decision = 'approve' group by 1",
    )
    won = dict(rows)
    assert sum(won.values()) == count, won
    assert statuses["api", 200] + statuses["link", 200] == count - won.get("slack", 0)
    assert len(won) == len(BY) or count < AT_ONCE, won  # of many, each way came first somewhere
    runs = Counter(effect["arguments"]["valve"] for effect in effects(data_dir))
    assert runs == {f"V-{n}": 1 for n in range(count)}
