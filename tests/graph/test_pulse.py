"""The clock's own turn: what is due is done, and a bad second is not the last one."""

import asyncio
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace
from typing import Any, cast

from graph.executive import Executive
from graph.scheduler import deliver_webhooks, run_scheduler, tick
from state.reader import whole
from tests.graph.conftest import OpenHarbour
from tests.graph.harbour import Harbour
from tests.tools.gate.handlers.service import running
from tests.tools.notifications.receiving import TUNING, endpoint, sending
from tools.notifications.webhooks import Outbox
from tools.platform.egress import Egress
from tools.platform.egress_policy import AllowedHosts
from tools.storage.database import Database

GOAL = {"goal_relevance": 0.9}


class Failing:
    """An Executive whose first turns fail; it says when it was called again."""

    def __init__(self) -> None:
        self.calls: list[str] = []
        self.approvals = self.proposals = self
        self.ticked_again = asyncio.Event()

    async def settle_answered(self) -> int:
        self.calls.append("settle")
        return 0

    async def resume_unfinished(self, *, older_seconds: float = 0.0) -> int:
        self.calls.append("resume")
        raise RuntimeError("the disk is gone for a moment")

    async def release_due(self) -> int:
        self.calls.append("release")
        raise RuntimeError("the disk is gone for a moment")

    async def reconcile(self) -> int:
        self.calls.append("reconcile")
        if self.calls.count("reconcile") == 2:
            self.ticked_again.set()
        return 0


async def test_a_tick_releases_what_is_due(harbour: Harbour) -> None:
    await harbour.signals(busy="call")
    held = await harbour.happens("Fog rolls in", salience={**GOAL, "threat": 0.5})
    await tick(harbour.executive)
    assert (await harbour.record(held.decision_id)).outcome == "held"
    harbour.pass_seconds(600)
    await tick(harbour.executive)
    assert (await harbour.record(held.decision_id)).outcome == "spoke"


async def test_a_tick_closes_questions_that_ran_out(harbour: Harbour) -> None:
    waiting = await harbour.says("close lock LK-12")
    await tick(harbour.executive)
    assert (await harbour.record(waiting.decision_id)).outcome == "awaiting_approval"
    harbour.alter("UPDATE ledger_action SET expires_at = 1")
    await tick(harbour.executive)
    ended = await harbour.record(waiting.decision_id)
    assert (ended.outcome, ended.reason) == ("refused", "approval_expired")


async def test_a_tick_picks_up_what_was_left_and_leaves_what_is_under_way(harbour: Harbour):
    event = harbour.event("The ferry is early", salience=GOAL)
    await harbour.executive.accept(event)
    await tick(harbour.executive)
    assert await harbour.records() == []
    harbour.alter("UPDATE decision SET accepted_at = accepted_at - 61")
    await tick(harbour.executive)
    (record,) = await harbour.records()
    assert record.event_id == event.event_id


async def test_ticking_twice_does_nothing_twice(harbour: Harbour) -> None:
    await harbour.answers((await harbour.says("close lock LK-12")).action_id)
    for _second in range(3):
        await tick(harbour.executive)
    assert harbour.effects() == ["close_lock LK-12 None"]


async def test_what_was_left_is_decided_when_the_pulse_begins(open_harbour: OpenHarbour) -> None:
    async with open_harbour() as before:
        event = before.event("The ferry is early", salience=GOAL)
        await before.executive.accept(event)
    async with open_harbour() as after:
        listening = after.executive.notices.listen(whole("default"))
        async with run_scheduler(after.executive), asyncio.timeout(60):
            async for notice in listening:
                if notice.kind == "decision":
                    break
        assert (await after.record(event.decision_id)).outcome == "spoke"


async def test_a_bad_second_is_not_the_last_one() -> None:
    failing = Failing()
    async with run_scheduler(cast("Executive", failing)), asyncio.timeout(60):
        await failing.ticked_again.wait()
    assert failing.calls[:5] == ["settle", "resume", "release", "resume", "reconcile"]


async def test_the_pulse_ends_with_its_block(harbour: Harbour) -> None:
    before = asyncio.all_tasks()
    async with run_scheduler(harbour.executive):
        assert (
            len(asyncio.all_tasks() - before) == 7
        )  # turns, keeping, export, notes, webhooks, vectors
    left: set[Any] = asyncio.all_tasks() - before
    assert left == set()


async def test_an_endpoint_that_never_answers_holds_up_no_other(data_dir: Path) -> None:
    async def never(_writer: asyncio.StreamWriter) -> None:
        await slow.ended.wait()

    async with running() as slow, running() as quick:
        arrived: asyncio.Queue[int] = asyncio.Queue()

        async def count(_writer: asyncio.StreamWriter) -> None:
            arrived.put_nowait(len(quick.requests))

        slow.answer = never
        quick.says(b"HTTP/1.1 204 No Content\r\n\r\n", after=count)
        database = Database(f"sqlite:///{data_dir / 'prefrontal.sqlite'}")
        outbox = Outbox(database, (endpoint(slow.port, name="slow"), endpoint(quick.port)))
        hosts = frozenset(f"127.0.0.1:{one.port}" for one in (slow, quick))
        given = replace(
            sending(outbox, quick.port),
            egress=Egress(AllowedHosts(private=hosts)),
            tuning=TUNING.model_copy(update={"request_seconds": 600}),
        )
        told = asyncio.create_task(
            deliver_webhooks(cast("Executive", SimpleNamespace(webhooks=given)))
        )
        for number in (1, 2):
            await outbox.keep("context:decision:indexed", "default", {"decision_id": "dec-1"}, ())
            assert await arrived.get() == number
            assert len(slow.requests) <= 1
        told.cancel()
        await asyncio.gather(told, return_exceptions=True)
        await database.close()
