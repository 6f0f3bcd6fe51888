"""Many clients answer the same questions at once, over HTTP: each is answered once, run once."""

import asyncio
import random
from collections import Counter
from collections.abc import Sequence
from contextlib import AsyncExitStack
from pathlib import Path

import httpx
import pytest

from graph.executive import Executive
from state.approval import LedgerAction
from tests.safety.benches import CAPTAIN, ENGINEER, sql
from tests.safety.executives import Opened, opened_executive
from tests.safety.valves import effects
from tests.torture.serving import served

CLIENTS = 8


@pytest.mark.parametrize(
    "count", [pytest.param(40, id="40"), pytest.param(500, id="500", marks=pytest.mark.torture)]
)
async def test_eight_clients_who_all_approve_run_each_action_once(
    data_dir: Path, pack: Path, count: int
) -> None:
    async with opened_executive(data_dir, pack) as opened:
        shown = [await _asked(opened, n) for n in range(count)]
        answers = await _race(opened.executive, shown, ["approve"] * CLIENTS)
        states = [await opened.executive.approvals.get(each.action_id, "aurora") for each in shown]
    assert Counter(status for status, _state in answers) == {200: count, 409: count * 7}
    assert {state for status, state in answers if status == 200} == {"succeeded"}
    assert {each.state for each in states} == {"succeeded"}
    assert sorted(_effects(data_dir)) == sorted(each.action_id for each in shown)
    assert sql(data_dir, "select distinct standing, outcome from decision") == [
        ("recorded", "executed")
    ]


@pytest.mark.parametrize(
    "count", [pytest.param(20, id="20"), pytest.param(200, id="200", marks=pytest.mark.torture)]
)
async def test_of_a_yes_and_a_no_at_once_one_counts_and_is_what_happens(
    data_dir: Path, pack: Path, count: int
) -> None:
    async with opened_executive(data_dir, pack) as opened:
        shown = [await _asked(opened, n) for n in range(count)]
        answers = await _race(opened.executive, shown, ["approve", "reject"] * (CLIENTS // 2))
        states = {
            each.action_id: (await opened.executive.approvals.get(each.action_id, "aurora")).state
            for each in shown
        }
    assert Counter(status for status, _state in answers) == {200: count, 409: count * 7}
    assert set(states.values()) <= {"succeeded", "rejected"}
    done = sorted(_effects(data_dir))
    assert done == sorted(action for action, state in states.items() if state == "succeeded")
    outcomes = Counter(outcome for (outcome,) in sql(data_dir, "select outcome from decision"))
    assert outcomes == Counter(
        {"succeeded": "executed", "rejected": "refused"}[state] for state in states.values()
    )


async def _race(
    executive: Executive, shown: Sequence[LedgerAction], decisions: Sequence[str]
) -> list[tuple[int, str | None]]:
    """Let a client a decision answer everything, each in an order of its own."""
    keys = [await executive.keys.make(who) for who in (ENGINEER, CAPTAIN)]
    async with served(executive) as address, AsyncExitStack() as stack:

        async def answer_all(number: int, decision: str) -> list[tuple[int, str | None]]:
            client = await stack.enter_async_context(
                httpx.AsyncClient(
                    base_url=address,
                    headers={"Authorization": f"Bearer {keys[number % 2]}"},
                    timeout=60,
                )
            )
            order = random.Random(number // 2).sample(list(shown), len(shown))
            answers = []
            for each in order:
                body = {"decision": decision, "digest": each.digest}
                response = await client.post(f"/v1/approvals/{each.action_id}", json=body)
                answers.append((response.status_code, response.json().get("state")))
            return answers

        clients = (answer_all(number, decision) for number, decision in enumerate(decisions))
        return [answer for answers in await asyncio.gather(*clients) for answer in answers]


def _effects(data_dir: Path) -> list[str]:
    return [each["action_id"] for each in effects(data_dir)]


async def _asked(opened: Opened, number: int) -> LedgerAction:
    # By several: one person's questions would wait in a queue.
    return await opened.asked(f"open valve V-{number}", f"e-{number}", user=f"amir-{number // 20}")
