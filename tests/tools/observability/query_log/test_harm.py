"""Hard false positives are counted from the ledger's rows: each way to start without intent."""

from typing import Any

import pytest

from state.query import HardFalsePositive
from tests.tools.observability.query_log.planting import TENANT, plant_action, plant_yes
from tools.catalog.action_catalog import Catalogue
from tools.observability.query_log import SqlQueryLog
from tools.storage.database import Database


async def why(queries: SqlQueryLog) -> list[str]:
    found: list[HardFalsePositive] = await queries.harm(TENANT)
    assert await queries.count_harm() == len(found)
    assert (await queries.metrics(TENANT)).hard_false_positives == len(found)
    spans = await queries.over_time(TENANT, aggregate_minutes=60)
    assert sum((one.harmful.value or 0) * one.harmful.n for one in spans) == len(found)
    return [one.why for one in found]


async def test_an_empty_ledger_has_done_no_harm(queries: SqlQueryLog) -> None:
    assert await why(queries) == []


@pytest.mark.parametrize(
    ("action", "execution_class", "yes"),
    [
        ("show_lock", "A", []),
        ("show_lock", "B", []),  # a read that was raised
        ("note_in_log", "B", ["amir"]),
        ("note_in_log", "C", ["ingrid"]),
        ("close_lock", "C", ["ingrid"]),
        ("gone_from_the_catalogue", "A", []),
        ("gone_from_the_catalogue", "C", ["ingrid"]),
    ],
)
async def test_what_was_meant_is_no_harm(
    queries: SqlQueryLog, database: Database, action: str, execution_class: str, yes: list[str]
) -> None:
    action_id = await plant_action(database, action, execution_class=execution_class)
    for approver in yes:
        await plant_yes(database, action_id, approver)
    assert await why(queries) == []


@pytest.mark.parametrize(
    ("action", "fields", "yes", "reason"),
    [
        ("close_lock", {"execution_class": "C"}, [], "no_quorum"),
        ("close_lock", {"execution_class": "C", "quorum": 0}, [], "no_quorum"),
        ("close_lock", {"execution_class": "C", "quorum": 2}, ["ingrid"], "no_quorum"),
        ("close_lock", {"execution_class": "C", "four_eyes": True}, ["amir"], "no_quorum"),
        (
            "close_lock",
            {"execution_class": "C", "four_eyes": True, "editor": "ingrid"},
            ["ingrid"],
            "no_quorum",
        ),
        ("close_lock", {"execution_class": "C", "state": "unknown"}, [], "no_quorum"),
        ("close_lock", {"execution_class": "C", "state": "started"}, [], "no_quorum"),
        ("note_in_log", {"execution_class": "C"}, [], "no_quorum"),
        ("gone", {"execution_class": "C"}, [], "no_quorum"),
        ("note_in_log", {"execution_class": "B"}, [], "no_choice"),
        ("gone", {"execution_class": "B"}, [], "no_choice"),
        ("note_in_log", {"execution_class": "A"}, ["amir"], "below_floor"),
        ("close_lock", {"execution_class": "A"}, ["ingrid"], "below_floor"),
        ("close_lock", {"execution_class": "B"}, ["ingrid"], "below_floor"),
    ],
)
async def test_each_start_without_intent_is_counted_and_says_what_it_lacked(
    queries: SqlQueryLog,
    database: Database,
    action: str,
    fields: dict[str, Any],
    yes: list[str],
    reason: str,
) -> None:
    action_id = await plant_action(database, action, **fields)
    for approver in yes:
        await plant_yes(database, action_id, approver)
    assert await why(queries) == [reason]


async def test_a_yes_to_something_else_is_none(queries: SqlQueryLog, database: Database) -> None:
    action_id = await plant_action(database, "close_lock", execution_class="C")
    await plant_yes(database, action_id, "ingrid", digest="another")
    assert await why(queries) == ["no_quorum"]


async def test_what_was_never_started_did_nothing(queries: SqlQueryLog, database: Database) -> None:
    await plant_action(
        database, "close_lock", execution_class="C", state="pending", started_at=None
    )
    assert await why(queries) == []


async def test_a_floor_that_rose_later_makes_no_harm_of_the_past(
    queries: SqlQueryLog, database: Database, catalogue: Catalogue
) -> None:
    older = {"execution_class": "A", "schema_hash": "of an older entry"}
    await plant_action(database, "note_in_log", **older)
    assert await why(queries) == []
    now = {"execution_class": "A", "schema_hash": catalogue.schema_hash("note_in_log")}
    await plant_action(database, "note_in_log", **now)
    assert await why(queries) == ["below_floor"]


async def test_harm_in_another_tenant_is_counted_for_the_service_and_named_to_its_own(
    queries: SqlQueryLog, database: Database
) -> None:
    await plant_action(database, "close_lock", execution_class="C", tenant_id="borealis")
    assert await queries.count_harm() == 1
    assert await queries.harm(TENANT) == []
    assert [one.why for one in await queries.harm("borealis")] == ["no_quorum"]
