"""What policy decided and what came about are counted turn by turn. Source: plan, phase G.

The shelf of tests/shelf is the pack; faults are made by breaking its stages as a bug would.
"""

import time
from collections.abc import AsyncIterator
from typing import Any

import pytest
from sqlalchemy import Connection, delete, insert, select, update

from state.errors import BadInput, Forbidden, NotFound
from state.quality import QualityMetrics
from state.record import DecisionRecord, DecisionTrace
from tests.graph.conftest import OpenHarbour
from tests.graph.harbour import Harbour
from tests.graph.test_policy_first import GUEST, READER, RECENT, SHELF
from tools.observability.policy_quality import MOST_BUCKETS
from tools.observability.turn_quality import judge_turn
from tools.storage.retention import prune_turns
from tools.storage.tables.observability import quality_turn

ADMIN = READER.model_copy(update={"roles": ("admin",)})


@pytest.fixture
async def shelf(open_harbour: OpenHarbour) -> AsyncIterator[Harbour]:
    async with open_harbour(packs=(str(SHELF),)) as opened:
        yield opened


async def metrics(shelf: Harbour) -> QualityMetrics:
    return await shelf.executive.quality.metrics("default", "shelf")


async def test_a_search_that_does_what_policy_says_counts_in_every_rate(shelf: Harbour) -> None:
    await shelf.says(RECENT, READER)
    found = await metrics(shelf)
    assert (found.turns, found.intents) == (1, {"direct_search": 1})
    assert found.direct_search_tool_call_rate.value == 1.0
    assert found.clarification_first_rate.value == 0.0
    assert found.recency_filter_compliance_rate.value == 1.0
    assert found.stage_transition_success_rate.value == 1.0
    assert found.missed == ()


async def test_what_asks_for_no_search_is_a_turn_and_in_no_rate(shelf: Harbour) -> None:
    await shelf.says("good morning everybody", READER)
    await shelf.says("borrow Moby Dick", READER)
    found = await metrics(shelf)
    assert found.turns == 2
    assert found.direct_search_tool_call_rate.n == 0
    assert found.direct_search_tool_call_rate.value is None
    assert found.recency_filter_compliance_rate.n == 0


async def test_a_search_that_asks_back_first_is_named(shelf: Harbour) -> None:
    record = await shelf.says("find me books", READER)
    found = await metrics(shelf)
    assert record.outcome == "spoke"
    assert found.clarification_first_rate.value == 1.0
    assert found.direct_search_tool_call_rate.value == 0.0
    (missed,) = found.missed
    assert (missed.decision_id, missed.misses) == (record.decision_id, ("clarified_first",))


async def test_a_search_that_fails_was_called_and_is_due_no_stage(shelf: Harbour) -> None:
    folder = shelf.data_dir / "packs" / "default"
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "closed").touch()
    assert (await shelf.says(RECENT, READER)).outcome == "failed"
    found = await metrics(shelf)
    assert found.direct_search_tool_call_rate.value == 1.0
    assert found.stage_transition_success_rate.n == 0


async def test_a_search_that_this_role_may_not_run_is_no_miss(shelf: Harbour) -> None:
    await shelf.says("borrow Moby Dick", GUEST)
    found = await metrics(shelf)
    assert found.turns == 1
    assert found.missed == ()


async def test_a_stage_made_by_a_chip_counts_too(shelf: Harbour) -> None:
    offered = await shelf.says("borrow Moby Dick", READER)
    assert offered.offer_id is not None
    await shelf.executive.offers.choose(offered.offer_id, "chip-1", READER)
    found = await metrics(shelf)
    assert found.stage_transition_success_rate.n == 1
    assert found.stage_transition_success_rate.value == 1.0


async def _trace(shelf: Harbour, text: str) -> DecisionTrace:
    record: DecisionRecord = await shelf.says(text, READER)
    return await shelf.executive.records.trace(record.decision_id, "default")


def _without(stages: dict[str, Any], *path: str) -> dict[str, Any]:
    stage, *rest = path
    changed = {**stages}
    if not rest:
        changed.pop(stage)
        return changed
    changed[stage] = _without(changed[stage], *rest)
    return changed


@pytest.mark.parametrize(
    ("text", "gone", "miss"),
    [
        (RECENT, ("outcome", "arguments", "year_from"), "recency_lost"),
        (RECENT, ("outcome",), "tool_not_called"),
        (RECENT, ("advanced",), "stage_missed"),
    ],
)
async def test_what_a_bug_would_lose_is_missed(shelf: Harbour, text, gone, miss) -> None:
    trace = await _trace(shelf, text)
    record = trace.record.model_copy(update={"stage": None})
    stages = _without(dict(trace.stages), *gone)
    whole = judge_turn("message", text, trace.record, trace.stages, shelf.executive.catalogue)
    broken = judge_turn("message", text, record, stages, shelf.executive.catalogue)
    assert whole is not None
    assert broken is not None
    assert whole.misses == ()
    assert miss in broken.misses


async def test_dates_that_the_grammar_missed_are_missed(shelf: Harbour) -> None:
    """Policy read no dates, and the text asks for some: nobody else would notice."""
    text = "find books on whales"
    trace = await _trace(shelf, text)
    said = "find books on whales of the past decade"
    turn = judge_turn("message", said, trace.record, trace.stages, shelf.executive.catalogue)
    assert turn is not None
    assert turn.misses == ("recency_lost",)


async def test_a_reset_begins_anew_and_loses_nothing(shelf: Harbour) -> None:
    quality = shelf.executive.quality
    await shelf.says(RECENT, READER)
    assert (await quality.reset("shelf", ADMIN)).turns == 1
    after = await metrics(shelf)
    assert after.turns == 0
    assert after.since is not None
    await shelf.says(RECENT, READER)
    assert (await metrics(shelf)).turns == 1
    history = await quality.history("default", "shelf", aggregate_minutes=60)
    assert sum(bucket.turns for bucket in history.buckets) == 2


async def test_only_some_roles_may_reset(shelf: Harbour) -> None:
    with pytest.raises(Forbidden, match="admin or integrator"):
        await shelf.executive.quality.reset("shelf", READER)


async def test_a_pack_that_is_not_served_is_not_there(shelf: Harbour) -> None:
    with pytest.raises(NotFound):
        await shelf.executive.quality.metrics("default", "vessel")
    with pytest.raises(NotFound):
        await shelf.executive.quality.history("default", "x", aggregate_minutes=1)


async def _noted_at(shelf: Harbour, *moments: float) -> None:
    """Note turns at these moments, as if they had been taken in then."""
    await shelf.says(RECENT, READER)

    def work(connection: Connection) -> None:
        (row,) = connection.execute(select(quality_turn)).mappings().all()
        connection.execute(delete(quality_turn))
        planted = [
            {**row, "decision_id": str(number), "at": at} for number, at in enumerate(moments)
        ]
        connection.execute(insert(quality_turn), planted)

    await shelf.executive.quality.database.write(work)


async def test_history_cuts_time_into_spans_and_leaves_empty_ones_out(shelf: Harbour) -> None:
    await _noted_at(shelf, 3_600.0, 7_199.9, 18_000.0)
    quality = shelf.executive.quality
    hours = await quality.history("default", "shelf", aggregate_minutes=60)
    assert [(bucket.start.hour, bucket.turns) for bucket in hours.buckets] == [(1, 2), (5, 1)]
    assert hours.buckets[0].recency_filter_compliance_rate.n == 2
    days = await quality.history("default", "shelf", aggregate_minutes=1_440)
    assert [bucket.turns for bucket in days.buckets] == [3]
    later = await quality.history("default", "shelf", aggregate_minutes=60, since=7_200.0)
    assert [bucket.turns for bucket in later.buckets] == [1]


async def test_too_many_spans_are_refused_with_a_way_out(shelf: Harbour) -> None:
    await _noted_at(shelf, *(60.0 * minute for minute in range(MOST_BUCKETS + 1)))
    quality = shelf.executive.quality
    with pytest.raises(BadInput, match="larger aggregate_minutes"):
        await quality.history("default", "shelf", aggregate_minutes=1)
    wider = await quality.history("default", "shelf", aggregate_minutes=2)
    assert len(wider.buckets) == MOST_BUCKETS // 2 + 1


async def test_only_the_newest_misses_are_listed(shelf: Harbour) -> None:
    await _noted_at(shelf, *map(float, range(30)))
    lost = update(quality_turn).values(recency_kept=False)
    await shelf.executive.quality.database.write(lambda connection: connection.execute(lost))
    found = await metrics(shelf)
    assert found.recency_filter_compliance_rate.value == 0.0
    assert [one.decision_id for one in found.missed] == [str(n) for n in range(29, 9, -1)]


async def test_old_turns_go_with_the_query_log(shelf: Harbour) -> None:
    await _noted_at(shelf, 60.0, time.time())
    database = shelf.executive.quality.database
    assert await prune_turns(database, 0) == 0
    assert await prune_turns(database, 400, is_trial=True) == 1
    assert await prune_turns(database, 400) == 1
    assert (await metrics(shelf)).turns == 1


async def test_another_tenant_has_figures_of_its_own(shelf: Harbour) -> None:
    await shelf.says(RECENT, READER)
    assert (await shelf.executive.quality.metrics("other", "shelf")).turns == 0


async def test_a_turn_is_noted_once_however_often_it_comes(shelf: Harbour) -> None:
    await shelf.says(RECENT, READER, event_id="same")
    await shelf.says(RECENT, READER, event_id="same")
    database = shelf.executive.quality.database
    rows = await database.read(lambda connection: connection.execute(select(quality_turn)).all())
    assert len(rows) == 1
