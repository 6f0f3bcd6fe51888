"""Training data: what people confirmed, and nothing that was denied, quoted or secret."""

from typing import Any

import pytest

from tests.tools.observability.query_log.planting import TENANT, plant_query
from tools.observability.prediction_review import by_action
from tools.observability.query_log import SqlQueryLog
from tools.platform.redaction import MASK
from tools.storage.database import Database

CHOSEN = {"chip_chosen": "close_lock"}


async def texts(queries: SqlQueryLog, **given: Any) -> dict[str, list[str]]:
    return dict(by_action(await queries.examples(TENANT, **given)))


async def test_chosen_and_approved_texts_are_examples_of_what_they_led_to(
    queries: SqlQueryLog, database: Database
) -> None:
    await plant_query(database, "seal LK-12 off", **CHOSEN)
    await plant_query(
        database, "lower the gate", execution_method="confirmation", action_executed="drain_basin"
    )
    await plant_query(database, "look at LK-12", execution_method="auto", action_executed="x")
    await plant_query(database, "never mind")
    assert await texts(queries) == {
        "close_lock": ["seal LK-12 off"],
        "drain_basin": ["lower the gate"],
    }


@pytest.mark.parametrize(
    ("text", "fields"),
    [
        ("do not seal it", {"mood": "negated"}),
        ("he said seal it", {"mood": "reported"}),
        ("if we seal it", {"mood": "hypothetical"}),
        ("see\n> seal it", {}),
        ("> seal it", {}),
        ('note "seal it at once or it will all be lost my friend"', {}),
        (f"open with {MASK}", {}),
        ("seal it", {"undo_triggered": True}),
        ("close lock LK-12", {}),  # the catalogue has it
        ("CLOSE lock LK-12", {}),
        ("seal " * 80, {}),
        ("seal\u202eit", {}),
        ("  ", {}),
        ("seal it", {"chip_chosen": "gone_from_the_catalogue"}),
        ("seal it", {"tenant_id": "borealis"}),
    ],
)
async def test_what_teaches_the_wrong_thing_is_left_out(
    queries: SqlQueryLog, database: Database, text: str, fields: dict[str, Any]
) -> None:
    await plant_query(database, text, **{**CHOSEN, **fields})
    assert await texts(queries) == {}


async def test_the_same_text_is_one_example_of_what_it_meant_most_often(
    queries: SqlQueryLog, database: Database
) -> None:
    for chosen in ("close_lock", "close_lock", "drain_basin"):
        await plant_query(database, "Seal it", chip_chosen=chosen)
    await plant_query(database, "seal  it", chip_chosen="ring_bell")
    for chosen in ("close_lock", "drain_basin"):
        await plant_query(database, "even", chip_chosen=chosen)
    found = await queries.examples(TENANT, min_count=2)
    assert [(one.action, one.text, one.times) for one in found] == [("close_lock", "Seal it", 2)]
