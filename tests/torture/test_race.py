"""Many at once, repeated, in any order, gone away."""

import asyncio
import random
import shutil
from collections import Counter, defaultdict
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any

import httpx

from api.app import create_app
from state.approval import LedgerAction
from state.errors import Conflict
from state.event import Event
from state.principal import Principal
from tests.safety.benches import CAPTAIN, sql, yes
from tests.safety.executives import Opened, message, opened_executive
from tests.safety.valves import effects
from tests.torture.counts import few_or_many
from tests.torture.serving import clients
from tests.torture.tally import Tally

# Eight people answer the same questions at once, each in another way: one of them decides.

CLIENTS = 8
WAYS = ("approve", "reject", "edit", "double click")
ASKED_EACH = 20
"""Questions that one person causes: fewer than the cap an hour."""

Told = tuple[str, int, Mapping[str, Any]]


@few_or_many(12, 500)
async def test_of_eight_different_answers_one_counts_and_the_others_are_told(
    data_dir: Path, pack: Path, tally: Tally, count: int
):
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


AGENT = Principal(user="bosun-agent", tenant_id="aurora", roles=("engineer",), kind="service")


@few_or_many(24, 500)
async def test_calls_of_agents_that_eight_people_approve_at_once_run_once_each(
    data_dir: Path, pack: Path, tally: Tally, count: int
):
    people = [
        Principal(user=f"approver-{n}", tenant_id="aurora", roles=("captain",))
        for n in range(CLIENTS)
    ]
    calls = [{"action": "open_valve", "arguments": {"valve": f"V-{n}"}} for n in range(count)]
    async with (
        opened_executive(data_dir, pack) as opened,
        clients(opened.executive, AGENT, *people) as (agent, *several),
    ):
        asked: list[dict[str, Any]] = []
        for first in range(0, count, 100):
            made = await agent.post("/v1/proposals", json=calls[first : first + 100])
            assert made.status_code == 202
            asked += made.json()
        assert {each["status"] for each in asked} == {"pending_approval"}
        told = await asyncio.gather(
            *(_approve_all(client, n, asked) for n, client in enumerate(several))
        )
        for each in asked:
            view = await agent.get(f"/v1/proposals/{each['proposal_id']}", params={"wait": 20})
            assert view.json()["status"] == "executed"
    statuses = sum(told, Counter[int]())
    assert statuses == {200: count, 409: (CLIENTS - 1) * count}
    tally.add("racing approvals of calls")
    runs = Counter(effect["arguments"]["valve"] for effect in effects(data_dir))
    assert runs == {f"V-{n}": 1 for n in range(count)}


async def _approve_all(
    client: httpx.AsyncClient, number: int, asked: list[dict[str, Any]]
) -> Counter[int]:
    statuses: Counter[int] = Counter()
    for each in random.Random(number // 2).sample(asked, len(asked)):
        body = {"decision": "approve", "digest": each["approval"]["digest"]}
        answer = await client.post(f"/v1/approvals/{each['approval']['id']}", json=body)
        statuses[answer.status_code] += 1
    return statuses


# Events three times over and in any order lead to the decisions of one orderly delivery.

TEXTS = ("open valve V-{}", "label valve V-{}", "read gauge G-{}", "hello {}", "noise {} on deck")
AT_ONCE = 16
DECIDED = "select decision_id, standing, outcome from decision order by decision_id"
FROZEN = "select action, arguments, digest, execution_class from ledger_action order by digest"


@few_or_many(40, 10_000)
async def test_three_shuffled_deliveries_decide_what_one_decides(
    data_dir: Path, pack: Path, tmp_path: Path, tally: Tally, count: int
):
    other = Path(shutil.copytree(data_dir, tmp_path / "other"))
    once = [_event(number) for number in range(count)]
    thrice = once * 3
    random.Random(3).shuffle(thrice)
    for folder, events in ((data_dir, once), (other, thrice)):
        async with opened_executive(folder, pack) as opened:
            waiting = iter(events)

            async def work() -> None:
                for event in waiting:  # noqa: B023 - shared by the workers of this round
                    await opened.executive.submit(event)
                    tally.add("deliveries")

            await asyncio.gather(*(work() for _worker in range(AT_ONCE)))
    assert len(sql(data_dir, DECIDED)) == count
    assert sql(other, DECIDED) == sql(data_dir, DECIDED)
    assert sql(other, FROZEN) == sql(data_dir, FROZEN)
    assert _ran(other) == _ran(data_dir)


def _event(number: int) -> Event:
    """Say or report something, in a session of its own: order has no say in what is decided."""
    text = TEXTS[number % len(TEXTS)].format(number)
    named = {"session_id": f"s-{number}", "user": f"amir-{number // 20}"}
    if number % len(TEXTS) == len(TEXTS) - 1:
        named |= {"kind": "ambient"}
    return message(text, f"e-{number}", **named)


def _ran(folder: Path) -> Counter[str]:
    return Counter(str(each["arguments"]) for each in effects(folder))


# A client that goes away at any moment neither stops what it asked for nor has it done twice.


@few_or_many(12, 400)
async def test_an_approval_cut_off_at_any_await_is_done_once_or_still_asked(
    data_dir: Path, pack: Path, tally: Tally, count: int
):
    async with opened_executive(data_dir, pack) as opened:
        key = await opened.executive.keys.make(CAPTAIN)
        transport = httpx.ASGITransport(create_app(opened.executive))
        async with httpx.AsyncClient(
            transport=transport,
            base_url="http://127.0.0.1",
            headers={"Authorization": f"Bearer {key}"},
        ) as client:
            cut_off = 0
            for number in range(count):
                event = message(
                    f"open valve V-{number}", f"e-{number}", user=f"amir-{number // 20}"
                )
                record = await opened.executive.submit(event)
                shown = await opened.executive.approvals.get(record.action_id or "", "aurora")
                body = {"decision": "approve", "digest": shown.digest}
                post = client.post(f"/v1/approvals/{shown.action_id}", json=body)
                cut_off += await _cut_off(post, after=number * 60 // count)
                tally.add("requests cut off")
                await opened.executive._turns.quiet()
                state = (await opened.executive.approvals.get(shown.action_id, "aurora")).state
                assert state in ("pending", "approved", "started", "succeeded")
            assert cut_off > count // 4
        await opened.recover()
        for shown in await opened.executive.approvals.list("aurora", limit=500):
            with suppress(Conflict):  # what was cut off goes on, and may have ended since the list
                await opened.executive.approvals.answer(shown.action_id, yes(shown), CAPTAIN)
        await opened.recover()
    ran = sorted(each["arguments"]["valve"] for each in effects(data_dir))
    assert ran == sorted(f"V-{number}" for number in range(count))
    assert sql(data_dir, "select distinct state from ledger_action") == [("succeeded",)]
    assert sql(data_dir, "select distinct standing, outcome from decision") == [
        ("recorded", "executed")
    ]


async def _cut_off(request: object, after: int) -> bool:
    """Cancel a request after so many turns of the event loop; tell whether it was under way."""
    task = asyncio.ensure_future(request)  # type: ignore[call-overload]  # a coroutine of httpx
    for _turn in range(after):
        await asyncio.sleep(0)
    under_way = task.cancel()
    with suppress(asyncio.CancelledError):
        await task
    return bool(under_way)
