"""Storage that is full, locked, read-only or gone: nothing runs without a committed claim."""

import shutil
import sqlite3
from collections.abc import AsyncIterator
from contextlib import closing, suppress
from pathlib import Path
from time import perf_counter
from typing import Any

import pytest
from langchain_core.runnables import RunnableConfig
from langgraph.checkpoint.sqlite.aio import AsyncSqliteSaver
from langgraph.types import Command

from state.approval import LedgerAction
from state.errors import AgentError, Busy, Conflict
from state.record import DecisionRecord
from tests.safety.benches import CAPTAIN, ENGINEER, FILE, no, sql, yes
from tests.safety.executives import Opened, message, opened_executive
from tests.safety.lies import forged
from tests.safety.valves import effects
from tests.torture.counts import few_or_many
from tests.torture.failing import Failing
from tests.torture.serving import clients
from tests.torture.tally import Tally
from tools.storage import database
from tools.storage import database as trying

LONG = "x" * 3_000
"""A note that takes pages of its own wherever it is written."""


@pytest.mark.parametrize(
    ("for_good", "every"),
    [
        pytest.param(False, 1, id="once", marks=pytest.mark.torture),
        pytest.param(True, 1, id="for good", marks=pytest.mark.torture),
        pytest.param(True, 4, id="for good, every fourth call"),
    ],
)
async def test_a_checkpointer_that_throws_at_any_call_leaves_the_ledger_right(
    data_dir: Path, pack: Path, tally: Tally, for_good: bool, every: int
):
    for nth in range(1, 100, every):
        failing = Failing(nth, for_good=for_good)
        event = message("open valve V-101", f"e-{nth}", user=f"amir-{nth // 20}")
        async with opened_executive(data_dir, pack, saving=failing.around) as opened:
            with suppress(sqlite3.OperationalError):
                await opened.executive.submit(event)
            await _say_yes(opened, event.decision_id)
            failing.is_armed = False
            await opened.recover()
            await _say_yes(opened, event.decision_id)
            await opened.recover()
            assert await _standing(opened, event.decision_id) == ("executed", 1)
        tally.add("calls of a checkpointer that failed")
        if not failing.was_reached:
            break
    else:
        pytest.fail("it never came to its end")
    assert nth > 5


@few_or_many(5, 60)
async def test_a_full_disk_at_any_stage_runs_nothing_unclaimed_and_nothing_twice(
    data_dir: Path, pack: Path, tally: Tally, count: int
):
    for room in range(count) if count > 5 else range(0, 2 * count, 2):
        who = f"amir-{room // 20}"
        event = message("open valve V-101", f"e-{room}", user=who, payload={"note": LONG})
        async with opened_executive(data_dir, pack) as opened:
            await _leave_pages(opened, room)
            with suppress(AgentError, sqlite3.OperationalError):
                await opened.executive.submit(event)
                await _say_yes(opened, event.decision_id)
            _assert_claimed(data_dir)
            await _leave_pages(opened, 100_000)
            await opened.executive.submit(event)
            await opened.recover()
            await _say_yes(opened, event.decision_id)
            await opened.recover()
            assert await _standing(opened, event.decision_id) == ("executed", 1)
        tally.add("stages with a full disk")


async def test_a_full_disk_is_told_as_503(data_dir: Path, pack: Path):
    async with opened_executive(data_dir, pack) as opened:
        shown = await opened.asked()
        async with clients(opened.executive, CAPTAIN) as [captain]:
            await _leave_pages(opened, 0)
            said = await captain.post("/v1/messages", json={"text": f"hello {LONG * 9}"})
            body = {"decision": "reject", "digest": shown.digest, "reason": "n" * 2_000}
            answered = [
                await captain.post(f"/v1/approvals/{shown.action_id}", json=body)
                for _try in range(3)
            ]
    assert said.status_code == 503, said.text
    assert said.headers["retry-after"]
    assert {each.status_code for each in answered} <= {200, 409, 503}
    assert effects(data_dir) == []


@pytest.mark.parametrize(
    "busy_seconds",
    [0.2, pytest.param(database.BUSY_SECONDS, id="as it is", marks=pytest.mark.torture)],
)
async def test_a_database_that_another_holds_is_503_and_nothing_runs(
    data_dir: Path, pack: Path, tally: Tally, monkeypatch: pytest.MonkeyPatch, busy_seconds: float
):
    """Held for two waits in a row: ten seconds, with the wait that the service has."""
    monkeypatch.setattr(database, "BUSY_SECONDS", busy_seconds)
    async with opened_executive(data_dir, pack) as opened:
        shown = await opened.asked()
        async with clients(opened.executive, CAPTAIN) as [captain]:
            path = f"/v1/approvals/{shown.action_id}"
            body = {"decision": "approve", "digest": shown.digest}
            with closing(sqlite3.connect(data_dir / FILE)) as other:
                other.execute("begin immediate")
                started = perf_counter()
                refused = await captain.post(path, json=body)
                said = await captain.post("/v1/messages", json={"text": "read gauge G-1"})
                assert perf_counter() - started >= 2 * busy_seconds
                tally.add("requests at a locked database", 2)
                for each in (refused, said):
                    assert each.status_code == 503, each.text
                    assert each.headers["retry-after"]
                assert (await captain.get("/readyz")).status_code in (200, 503)
                assert effects(data_dir) == []
                other.rollback()
            done = await captain.post(path, json=body)
    assert (done.status_code, done.json()["state"]) == (200, "succeeded")
    assert len(effects(data_dir)) == 1


async def test_a_store_that_cannot_be_written_is_503_and_nothing_runs(data_dir: Path, pack: Path):
    async with opened_executive(data_dir, pack) as opened:
        shown = await opened.asked()
        async with clients(opened.executive, CAPTAIN) as [captain]:
            await _pragma(opened, "query_only = on")
            path = f"/v1/approvals/{shown.action_id}"
            body = {"decision": "approve", "digest": shown.digest}
            answers = [
                await captain.post(path, json=body),
                await captain.post("/v1/messages", json={"text": "open valve V-2"}),
                await captain.post("/v1/events", json={"text": "hot"}),
            ]
            assert [each.status_code for each in answers] == [503] * 3, answers[0].text
            assert effects(data_dir) == []
            await _pragma(opened, "query_only = off")
            assert (await captain.post(path, json=body)).json()["state"] == "succeeded"


@pytest.mark.parametrize("why", ["read-only", "full"])
async def test_a_store_that_cannot_be_written_is_not_ready(
    data_dir: Path, pack: Path, why: str, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr(trying, "TRIED_EVERY_SECONDS", 0.0)
    async with (
        opened_executive(data_dir, pack) as opened,
        clients(opened.executive, CAPTAIN) as [captain],
    ):
        if why == "full":
            await _leave_pages(opened, 0)
        else:
            await _pragma(opened, "query_only = on")
        red = await captain.get("/readyz")
        await _pragma(opened, "query_only = off")
        await _leave_pages(opened, 100_000)
        green = await captain.get("/readyz")
    assert (red.status_code, green.status_code) == (503, 200), green.text
    told = {"read-only": "is read-only", "full": "the disk is full"}[why]
    assert told in red.json()["reasons"][0]
    assert sql(data_dir, "select count(*) from session where tenant_id like 'room-%'") == [(0,)]


async def _say_yes(opened: Opened, decision_id: str) -> None:
    for shown in await opened.executive.approvals.list("aurora", state="pending"):
        if shown.decision_id == decision_id:
            with suppress(sqlite3.OperationalError, Busy):
                await opened.executive.approvals.answer(shown.action_id, yes(shown), CAPTAIN)


async def _standing(opened: Opened, decision_id: str) -> tuple[str, int]:
    record = (await opened.executive.records.trace(decision_id, "aurora")).record
    ran = [each for each in _effects(opened) if each == record.action_id]
    return record.outcome, len(ran)


def _effects(opened: Opened) -> list[str]:
    return [str(each["action_id"]) for each in effects(opened.executive.settings.data_dir)]


def _assert_claimed(data_dir: Path) -> None:
    started = {each for (each,) in sql(data_dir, "select action_id from ledger_action where fence")}
    ran = [each["action_id"] for each in effects(data_dir)]
    assert set(ran) <= started
    assert len(ran) == len(set(ran))


async def _leave_pages(opened: Opened, room: int) -> None:
    """Let both databases grow by so many pages and no more."""

    def limit(connection: object) -> None:
        count = connection.exec_driver_sql("pragma page_count").scalar()  # type: ignore[attr-defined]
        connection.exec_driver_sql(f"pragma max_page_count = {count + room}")  # type: ignore[attr-defined]

    await opened.box.database.write(limit)
    saver = opened.flow.checkpointer
    assert isinstance(saver, AsyncSqliteSaver)
    async with saver.conn.execute("pragma page_count") as cursor:
        row = await cursor.fetchone()
    assert row is not None
    await saver.conn.execute(f"pragma max_page_count = {row[0] + room}")


async def _pragma(opened: Opened, pragma: str) -> None:
    engine = opened.box.database._writing
    with engine.connect() as connection:
        driver = connection.connection.driver_connection
        assert driver is not None
        driver.execute(f"pragma {pragma}")


# Yesterday's checkpoints in place of today's: whatever is run from them, nothing is done again.

FILE_RESTORED = "checkpoints.sqlite"
ASKED_EACH = 20


@few_or_many(3, 100)
async def test_no_thread_of_a_restored_backup_does_anything_again(
    data_dir: Path, pack: Path, tmp_path: Path, tally: Tally, count: int
):
    async with opened_executive(data_dir, pack) as opened:
        shown = [
            await opened.asked(
                f"open valve V-{number}", f"e-{number}", user=f"amir-{number // ASKED_EACH}"
            )
            for number in range(count)
        ]
    backup = Path(shutil.copy(data_dir / FILE_RESTORED, tmp_path / "yesterday"))
    async with opened_executive(data_dir, pack) as opened:
        for each in shown:
            await opened.executive.approvals.answer(each.action_id, yes(each), CAPTAIN)
    before, done = sql(data_dir, LEDGER), effects(data_dir)
    assert len(done) == count
    _restore(data_dir, backup)
    async with opened_executive(data_dir, pack) as opened:
        await opened.recover()
        for each in shown:
            await _replay(opened, each.decision_id, tally)
            with suppress(Conflict):  # other words under an id that was used
                await opened.executive.submit(
                    message(each.summary, f"e-{each.arguments['valve'].removeprefix('V-')}")
                )
        await opened.recover()
        await opened.tick()
    assert effects(data_dir) == done
    assert sql(data_dir, LEDGER) == before
    assert sql(data_dir, "select distinct standing from decision") == [("recorded",)]


def _restore(data_dir: Path, backup: Path) -> None:
    for file in data_dir.glob(f"{FILE_RESTORED}*"):
        file.unlink()
    shutil.copy(backup, data_dir / FILE_RESTORED)


LEDGER = "select action_id, state, fence, started_at, finished_at from ledger_action order by 1"


async def _replay(opened: Opened, decision_id: str, tally: Tally) -> None:
    config = opened.config(decision_id)
    for old in [each.config async for each in opened.flow.aget_state_history(config)]:
        for given in (None, Command(resume=True), Command(resume="yes"), Command(goto="act")):
            with suppress(Exception):  # a thread that cannot go on is as good
                await opened.flow.ainvoke(given, old)
            tally.add("runs from restored checkpoints")


# Every checkpoint of finished threads, run on from, forked, rewritten and jumped out of.

TEXTS = ("open valve V-{}", "open valve V-{}", "label valve V-{}", "read gauge G-{}", "hello {}")
NODES = ("classify_action", "confirm", "act", "offer_choices", "write_record")
FEW = 4
FEW_EVERY = 3
"""Of a few threads every third checkpoint is tried, of the hundred each."""


@pytest.mark.parametrize(
    "count",
    [FEW, *(pytest.param(25, id=f"25 more, {n}", marks=pytest.mark.torture) for n in range(4))],
)
async def test_no_checkpoint_of_a_finished_thread_brings_a_new_effect(
    data_dir: Path, pack: Path, tally: Tally, count: int
):
    """A hundred threads in four parts, so that several workers share them."""
    async with opened_executive(data_dir, pack) as opened:
        records = [await _finish(opened, number) for number in range(count)]
        [shown] = (await opened.executive.approvals.list("aurora", state="succeeded", limit=1))[:1]
        before, rows = effects(data_dir), _ledger(data_dir)
        assert len(before) >= count // 2
        for record in records:
            async for attempt in _attempts(opened, record, shown, FEW_EVERY if count == FEW else 1):
                with suppress(Exception):  # a thread that cannot go on is as good
                    await attempt
                tally.add("travels in time")
        await opened.recover()
        assert effects(data_dir) == before
        assert {key: _ledger(data_dir)[key] for key in rows} == rows
        await opened.tick()
    assert effects(data_dir) == before


async def _finish(opened: Opened, number: int) -> DecisionRecord:
    text = TEXTS[number % len(TEXTS)].format(number)
    event = message(text, f"e-{number}", user=f"amir-{number // ASKED_EACH}")
    record = await opened.executive.submit(event)
    if record.outcome == "awaiting_approval":
        shown = await opened.executive.approvals.get(record.action_id or "", "aurora")
        answer = no(shown) if number % 10 == 1 else yes(shown)
        await opened.executive.approvals.answer(shown.action_id, answer, CAPTAIN)
    if record.outcome == "offered" and record.offer_id:
        who = ENGINEER.model_copy(update={"user": event.user})
        with suppress(Exception):
            return await opened.executive.offers.choose(
                record.offer_id, "chip-1", who, {"label": "sea"}
            )
    return record


async def _attempts(
    opened: Opened, record: DecisionRecord, shown: LedgerAction, every: int
) -> AsyncIterator[Any]:
    flow, config = opened.flow, opened.config(record.decision_id)
    old = [snapshot.config async for snapshot in flow.aget_state_history(config)]
    for each in old[::every]:
        yield flow.ainvoke(None, each)
        yield flow.ainvoke(Command(resume=True), each)
        yield flow.ainvoke(Command(resume={"decision": "approve", "digest": shown.digest}), each)
        for node in NODES:
            yield flow.ainvoke(Command(goto=node), each)
        for lie in forged(shown).values():
            yield _forked(opened, each, lie)
    for node in NODES:
        for lie in forged(shown).values():
            yield _forked(opened, config, lie, as_node=node)


async def _forked(opened: Opened, config: RunnableConfig, lie: Any, **how: str) -> None:
    await opened.flow.ainvoke(None, await opened.flow.aupdate_state(config, dict(lie), **how))


def _ledger(data_dir: Path) -> dict[str, tuple[Any, ...]]:
    query = "select action_id, state, digest, fence, started_at from ledger_action"
    return {str(row[0]): row[1:] for row in sql(data_dir, query)}
