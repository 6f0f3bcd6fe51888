"""Old decisions, queries and threads go; what is open or young stays."""

from pathlib import Path

import pytest
from langgraph.checkpoint.sqlite.aio import AsyncSqliteSaver

from graph.execution.maintenance import prune
from state.retention import Pruned, RetentionTuning
from tests.safety.benches import CAPTAIN, pack_once, sql, yes
from tests.safety.executives import Opened, message, opened_executive

SHORT = RetentionTuning(
    ledger_days=0,
    decisions_days=30,
    query_log_days=30,
    memory_days=20,
    checkpoint_days=7,
    journal_days=0,
    people_days=30,
    webhook_days=30,
)
FOR_EVER = RetentionTuning(
    ledger_days=0,
    decisions_days=0,
    query_log_days=0,
    memory_days=0,
    checkpoint_days=0,
    journal_days=0,
    people_days=0,
    webhook_days=0,
)
PUT_REMINDER = """insert into reminder
    (reminder_id, tenant_id, session_id, text, due_at, standing, decision_id)
    values (?, ?, ?, ?, ?, ?, ?)"""
PUT_HOLD = """insert into hold
    (decision_id, tenant_id, session_id, timing, release_on, due_at, held_at)
    values (?, 'aurora', 's', 'batch', '[]', 9e9, 0)"""
PUT_OFFER = """insert into offer
    (offer_id, decision_id, tenant_id, session_id, body, expires_at)
    values ('o-1', ?, 'aurora', 's', '{}', 9e9)"""
OLD = "update decision set recorded_at = recorded_at - 86400 * ?"


async def test_old_records_go_with_their_threads_and_open_ones_stay(tmp_path: Path) -> None:
    async with opened_executive(tmp_path, pack_once()) as opened:
        await opened.ask("read gauge G-1", "e-1")
        await opened.asked("open valve V-7", "e-2")
        _pass(tmp_path, days=31)
        await opened.ask("read gauge G-22", "e-3")
        pruned = await _prune(opened, SHORT)
        assert (pruned.decisions, pruned.queries, pruned.threads) == (1, 2, 1)
        left = {str(row[0]) for row in sql(tmp_path, "select event_id from decision")}
        assert left == {"e-2", "e-3"}
        [shown] = await opened.executive.approvals.list("aurora")
        settled = await opened.executive.approvals.answer(shown.action_id, yes(shown), CAPTAIN)
        assert settled.state == "succeeded"
        assert await _prune(opened, SHORT) == Pruned()


async def test_a_thread_goes_long_before_what_was_said_and_that_before_its_record(
    tmp_path: Path,
) -> None:
    async with opened_executive(tmp_path, pack_once()) as opened:
        await opened.ask("read gauge G-1")
        _pass(tmp_path, days=8)
        assert await _prune(opened, SHORT) == Pruned(threads=1)
        _pass(tmp_path, days=13)
        said = (await _prune(opened, SHORT)).memories
        assert said > 0
        assert sql(tmp_path, "select count(*) from memory_entry") == [(0,)]
        trace = await opened.executive.records.trace(message().decision_id, "aurora")
        assert trace.record.outcome == "executed"


async def test_a_record_stays_while_nobody_has_settled_its_action(tmp_path: Path) -> None:
    async with opened_executive(tmp_path, pack_once()) as opened:
        shown = await opened.asked()
        await opened.executive.approvals.answer(shown.action_id, yes(shown), CAPTAIN)
        sql(tmp_path, "drop trigger ledger_action_has_ended")
        sql(tmp_path, "update ledger_action set state = 'unknown'")
        _pass(tmp_path, days=31)
        assert (await _prune(opened, SHORT)).decisions == 0


async def test_a_record_stays_while_it_is_held_or_offered(tmp_path: Path) -> None:
    async with opened_executive(tmp_path, pack_once()) as opened:
        for number in (1, 2):
            await opened.ask(f"read gauge G-{number}", f"e-{number}")
        first, second = (row[0] for row in sql(tmp_path, "select decision_id from decision"))
        sql(tmp_path, PUT_HOLD, (first,))
        sql(tmp_path, PUT_OFFER, (second,))
        _pass(tmp_path, days=31)
        assert (await _prune(opened, SHORT)).decisions == 0
        sql(tmp_path, "update hold set released_at = 1")
        assert (await _prune(opened, SHORT)).decisions == 1
        sql(tmp_path, "update offer set chosen = 'read_gauge'")
        assert (await _prune(opened, SHORT)).decisions == 1


@pytest.mark.parametrize(("retention", "is_trial"), [(FOR_EVER, False), (SHORT, True)])
async def test_for_ever_and_as_a_trial_nothing_goes(
    tmp_path: Path, retention: RetentionTuning, is_trial: bool
) -> None:
    async with opened_executive(tmp_path, pack_once()) as opened:
        await opened.ask("read gauge G-1")
        _pass(tmp_path, days=4_000)
        pruned = await _prune(opened, retention, is_trial=is_trial)
        assert (pruned.decisions, pruned.threads) == (int(is_trial), int(is_trial))
        assert bool(pruned.memories) is is_trial
        trace = await opened.executive.records.trace(message().decision_id, "aurora")
        assert trace.record.outcome == "executed"


async def test_reminders_that_were_told_or_called_off_go_and_those_that_wait_stay(
    tmp_path: Path,
) -> None:
    async with opened_executive(tmp_path, pack_once()) as opened:
        record = await opened.ask("read gauge G-1")
        _pass(tmp_path, days=31)
        for name, standing, of in (
            ("told", "told", record.decision_id),
            ("off", "cancelled", None),
            ("waits", "scheduled", None),
        ):
            row = (name, "aurora", "default", "tea", 0.0, standing, of)
            sql(tmp_path, PUT_REMINDER, row)
        await _prune(opened, SHORT)
        left = sql(tmp_path, "select reminder_id from reminder")
        assert [tuple(row) for row in left] == [("waits",)]


async def _prune(opened: Opened, retention: RetentionTuning, *, is_trial: bool = False) -> Pruned:
    saver = opened.flow.checkpointer
    assert isinstance(saver, AsyncSqliteSaver)
    return await prune(opened.box.database, retention, saver, is_trial=is_trial)


def _pass(data_dir: Path, *, days: int) -> None:
    sql(data_dir, OLD, (days,))
    sql(data_dir, "update memory_entry set at = at - 86400 * ?", (days,))
    sql(data_dir, "update query_log set at = at - 86400 * ?", (days,))


async def test_sessions_and_profiles_nobody_came_back_to_are_forgotten(tmp_path: Path) -> None:
    async with opened_executive(tmp_path, pack_once()) as opened:
        await opened.ask("read gauge G-1")
        assert (await _prune(opened, SHORT)).people == 0
        sql(tmp_path, "update session set updated_at = updated_at - 86400 * 31")
        assert (await _prune(opened, SHORT)).people == 1
        assert sql(tmp_path, "select count(*) from session") == [(0,)]
