"""A client that goes away at any moment neither stops what it asked for nor has it done twice."""

import asyncio
from contextlib import suppress
from pathlib import Path

import httpx

from api.app import create_app
from state.errors import Conflict
from tests.safety.benches import CAPTAIN, sql, yes
from tests.safety.executives import message, opened_executive
from tests.safety.valves import effects
from tests.torture.counts import few_or_many
from tests.torture.tally import Tally


@few_or_many(12, 400)
async def test_an_approval_cut_off_at_any_await_is_done_once_or_still_asked(
    data_dir: Path, pack: Path, tally: Tally, count: int
) -> None:
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
