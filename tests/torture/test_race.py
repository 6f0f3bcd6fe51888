"""Eight people answer the same questions at once, each in another way: one of them decides."""

import asyncio
import random
from collections import Counter, defaultdict
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import httpx

from state.approval import LedgerAction
from state.principal import Principal
from tests.safety.executives import Opened, message, opened_executive
from tests.safety.valves import effects
from tests.torture.counts import few_or_many
from tests.torture.serving import clients
from tests.torture.tally import Tally

CLIENTS = 8
WAYS = ("approve", "reject", "edit", "double click")
ASKED_EACH = 20
"""Questions that one person causes: fewer than the cap an hour."""

Told = tuple[str, int, Mapping[str, Any]]


@few_or_many(12, 500)
async def test_of_eight_different_answers_one_counts_and_the_others_are_told(
    data_dir: Path, pack: Path, tally: Tally, count: int
) -> None:
    people = [
        Principal(user=f"approver-{n}", tenant_id="aurora", roles=("captain", "engineer"))
        for n in range(CLIENTS)
    ]
    async with opened_executive(data_dir, pack) as opened:
        shown = [await _asked(opened, number) for number in range(count)]
        async with clients(opened.executive, *people) as several:
            answers = await asyncio.gather(
                *(_answer_all(client, n, shown) for n, client in enumerate(several))
            )
        states = {
            each.action_id: await opened.executive.approvals.get(each.action_id, "aurora")
            for each in shown
        }
    told: dict[str, list[tuple[int, Mapping[str, Any]]]] = defaultdict(list)
    for action_id, status, body in (each for several_told in answers for each in several_told):
        told[action_id].append((status, body))
        tally.add("racing answers")
    runs = Counter(effect["arguments"]["valve"] for effect in effects(data_dir))
    for each in shown:
        statuses = Counter(status for status, _body in told[each.action_id])
        assert statuses[200] == 1, statuses
        assert set(statuses) == {200, 409}
        standing = {body["standing"] for status, body in told[each.action_id] if status == 409}
        assert standing <= {"approved", "started", "succeeded", "rejected", "superseded"}
        ended = states[each.action_id].state
        assert ended in ("succeeded", "rejected", "superseded")
        assert runs[each.arguments["valve"]] == (0 if ended == "rejected" else 1)


async def _asked(opened: Opened, number: int) -> LedgerAction:
    event = message(f"open valve V-{number}", f"e-{number}", user=f"amir-{number // ASKED_EACH}")
    record = await opened.executive.submit(event)
    return await opened.executive.approvals.get(record.action_id or "", "aurora")


async def _answer_all(
    client: httpx.AsyncClient, number: int, shown: list[LedgerAction]
) -> list[Told]:
    """Answer everything in an order that is shared by two clients, each in a way of its own."""
    chance = random.Random(number)
    told: list[Told] = []
    for each in random.Random(number // 2).sample(shown, len(shown)):
        way = chance.choice(WAYS)
        body: dict[str, Any] = {"decision": way, "digest": each.digest}
        if way == "edit":
            body["arguments"] = {**each.arguments, "turns": 1 + number}
        if way == "double click":
            body["decision"] = "approve"
        clicks = 2 if way == "double click" else 1
        posts = (client.post(f"/v1/approvals/{each.action_id}", json=body) for _ in range(clicks))
        for response in await asyncio.gather(*posts):
            told.append((each.action_id, response.status_code, response.json()))  # noqa: PERF401
    return told
