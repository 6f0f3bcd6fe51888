"""Metrics count what stands in the rows, and say how far each rate can be trusted."""

from typing import Any

import pytest

from state.query import Chosen
from tests.tools.observability.query_log.planting import TENANT, plant_action, plant_query
from tools.observability.metrics_export import exposition
from tools.observability.query_log import SqlQueryLog
from tools.observability.query_metrics import rate_of
from tools.storage.database import Database


async def test_nothing_is_counted_over_nothing(queries: SqlQueryLog) -> None:
    metrics = await queries.metrics(TENANT)
    assert (metrics.queries, metrics.offers, metrics.hard_false_positives) == (0, 0, 0)
    assert metrics.primary_chosen.value is None
    assert metrics.time_to_action_ms == {"median": None, "p95": None}


async def test_chips_are_counted_by_position_and_by_ordering(
    queries: SqlQueryLog, database: Database
) -> None:
    for place, ordering in ((1, "confidence"), (1, "confidence"), (2, "chosen_before"), (1, None)):
        await plant_query(
            database,
            offer_id="offer",
            chip_chosen="close_lock",
            chip_position=place,
            chip_ordering=ordering,
        )
    await plant_query(database, offer_id="offer")
    await plant_query(database, execution_class="auto")
    await plant_query(database, tenant_id="borealis", offer_id="offer", chip_chosen="x")
    metrics = await queries.metrics(TENANT)
    assert (metrics.queries, metrics.offers) == (6, 5)
    assert (metrics.chosen.value, metrics.chosen.n) == (0.8, 5)
    assert metrics.primary_chosen == rate_of(3, 4)
    assert metrics.positions == {1: rate_of(3, 4), 2: rate_of(1, 4)}
    assert metrics.orderings == {"confidence": rate_of(2, 2), "chosen_before": rate_of(0, 1)}
    assert metrics.by_class == {"auto": 1, "suggest": 5}


async def test_times_give_their_median_and_their_95th_percentile(
    queries: SqlQueryLog, database: Database
) -> None:
    for number in range(1, 101):
        await plant_query(
            database, action_executed="x", execution_method="auto", time_to_action_ms=number * 10.0
        )
    metrics = await queries.metrics(TENANT)
    assert metrics.time_to_action_ms == {"median": 500.0, "p95": 950.0}
    assert metrics.executions == {"auto": 100}


async def test_undos_and_answers_are_counted_by_action(
    queries: SqlQueryLog, database: Database
) -> None:
    for undo_at in (102.0, None, None):
        await plant_action(database, "note_in_log", execution_class="B", undo_at=undo_at)
    for state in ("succeeded", "failed", "stale", "rejected", "expired", "pending", "superseded"):
        await plant_action(database, "close_lock", execution_class="C", state=state)
    metrics = await queries.metrics(TENANT)
    assert metrics.undone["note_in_log"] == rate_of(1, 3)
    assert metrics.accepted == {"close_lock": rate_of(3, 5)}


async def test_only_what_came_since_is_counted(queries: SqlQueryLog, database: Database) -> None:
    await plant_query(database, at=100.0)
    await plant_query(database, at=200.0)
    assert (await queries.metrics(TENANT, since=150.0)).queries == 1


async def test_prometheus_gets_one_line_a_sample(queries: SqlQueryLog, database: Database) -> None:
    await plant_query(database, offer_id="o", chip_chosen="close_lock", chip_position=1)
    await plant_action(database, 'close"lock\n', execution_class="C")
    text = exposition(await queries.metrics(TENANT), TENANT)
    assert 'prefrontal_hard_false_positives{tenant="aurora"} 1\n' in text
    assert 'prefrontal_primary_chosen_ratio{tenant="aurora"} 1\n' in text
    assert 'action="close\\"lock\\n"} 1\n' in text
    lines = text.splitlines()
    assert all(line.startswith(("#", "prefrontal_")) for line in lines)
    assert " nan" not in text.lower()


async def test_past_choices_are_counted_over_the_chips_that_were_shown(
    queries: SqlQueryLog, database: Database
) -> None:
    shown = ["close_lock", "show_lock"]
    for chosen in ("close_lock", "close_lock", "show_lock"):
        await plant_query(
            database, predicted_action="close_lock", chips_shown=shown, chip_chosen=chosen
        )
    for ignored in (
        {"chip_chosen": None},
        {"chip_chosen": "show_lock", "undo_triggered": True},
        {"chip_chosen": "show_lock", "tenant_id": "borealis"},
        {"chip_chosen": "show_lock", "predicted_action": "ring_bell"},
    ):
        fields: dict[str, Any] = {"predicted_action": "close_lock", **ignored}
        await plant_query(database, chips_shown=shown, **fields)
    assert await queries.chosen_before(TENANT, "close_lock") == {
        "close_lock": Chosen(3, 2),
        "show_lock": Chosen(3, 1),
    }


@pytest.mark.parametrize(("hits", "n"), [(0, 1), (1, 1), (3, 4), (70, 100), (0, 1000)])
def test_an_interval_holds_its_rate_and_stays_inside_0_to_1(hits: int, n: int) -> None:
    rate = rate_of(hits, n)
    assert rate.value is not None
    assert 0 <= rate.low <= rate.value <= rate.high <= 1
    assert rate.low < rate.high
