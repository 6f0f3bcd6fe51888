"""Metrics count what stands in the query log's rows."""

from typing import Any

import pytest

from state.action import Action, Slot
from state.policy import READ_OR_CHANGE
from state.query import Chosen, Collision, HardFalsePositive
from state.record import DecisionRecord
from tests.stages import event_of
from tests.tools.observability.query_log.planting import (
    TENANT,
    plant_action,
    plant_query,
    plant_yes,
)
from tests.tools.storage.made import NOW
from tools.catalog.action_catalog import Catalogue
from tools.nlu.lexicon.normalization import normalise
from tools.observability.metrics_export import exposition
from tools.observability.prediction_review import by_action
from tools.observability.query_log import SqlQueryLog
from tools.observability.query_metrics import rate_of
from tools.observability.query_row import (
    QueryRowBuilder,
    SecretValues,
    collision_named,
    collision_of,
)
from tools.platform.redaction import MASK
from tools.storage.database import Database

# Metrics count what stands in the rows, and say how far each rate can be trusted.


async def test_nothing_is_counted_over_nothing(queries: SqlQueryLog):
    metrics = await queries.metrics(TENANT)
    assert (metrics.queries, metrics.offers, metrics.hard_false_positives) == (0, 0, 0)
    assert metrics.primary_chosen.value is None
    assert metrics.time_to_action_ms == {"median": None, "p95": None}


async def test_chips_are_counted_by_position_and_by_ordering(
    queries: SqlQueryLog, database: Database
):
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
):
    for number in range(1, 101):
        await plant_query(
            database, action_executed="x", execution_method="auto", time_to_action_ms=number * 10.0
        )
    metrics = await queries.metrics(TENANT)
    assert metrics.time_to_action_ms == {"median": 500.0, "p95": 950.0}
    assert metrics.executions == {"auto": 100}


async def test_undos_and_answers_are_counted_by_action(queries: SqlQueryLog, database: Database):
    for undo_at in (102.0, None, None):
        await plant_action(database, "note_in_log", execution_class="B", undo_at=undo_at)
    for state in ("succeeded", "failed", "stale", "rejected", "expired", "pending", "superseded"):
        await plant_action(database, "close_lock", execution_class="C", state=state)
    metrics = await queries.metrics(TENANT)
    assert metrics.undone["note_in_log"] == rate_of(1, 3)
    assert metrics.accepted == {"close_lock": rate_of(3, 5)}


async def test_only_what_came_since_is_counted(queries: SqlQueryLog, database: Database):
    await plant_query(database, at=100.0)
    await plant_query(database, at=200.0)
    assert (await queries.metrics(TENANT, since=150.0)).queries == 1


async def test_prometheus_gets_one_line_a_sample(queries: SqlQueryLog, database: Database):
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
):
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
def test_an_interval_holds_its_rate_and_stays_inside_0_to_1(hits: int, n: int):
    rate = rate_of(hits, n)
    assert rate.value is not None
    assert 0 <= rate.low <= rate.value <= rate.high <= 1
    assert rate.low < rate.high


# Hard false positives are counted from the ledger's rows: each way to start without intent.


async def why(queries: SqlQueryLog) -> list[str]:
    found: list[HardFalsePositive] = await queries.harm(TENANT)
    assert await queries.count_harm() == len(found)
    assert (await queries.metrics(TENANT)).hard_false_positives == len(found)
    spans = await queries.over_time(TENANT, aggregate_minutes=60)
    assert sum((one.harmful.value or 0) * one.harmful.n for one in spans) == len(found)
    return [one.why for one in found]


async def test_an_empty_ledger_has_done_no_harm(queries: SqlQueryLog):
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
):
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
):
    action_id = await plant_action(database, action, **fields)
    for approver in yes:
        await plant_yes(database, action_id, approver)
    assert await why(queries) == [reason]


async def test_a_yes_to_something_else_is_none(queries: SqlQueryLog, database: Database):
    action_id = await plant_action(database, "close_lock", execution_class="C")
    await plant_yes(database, action_id, "ingrid", digest="another")
    assert await why(queries) == ["no_quorum"]


async def test_what_was_never_started_did_nothing(queries: SqlQueryLog, database: Database):
    await plant_action(
        database, "close_lock", execution_class="C", state="pending", started_at=None
    )
    assert await why(queries) == []


async def test_a_floor_that_rose_later_makes_no_harm_of_the_past(
    queries: SqlQueryLog, database: Database, catalogue: Catalogue
):
    older = {"execution_class": "A", "schema_hash": "of an older entry"}
    await plant_action(database, "note_in_log", **older)
    assert await why(queries) == []
    now = {"execution_class": "A", "schema_hash": catalogue.schema_hash("note_in_log")}
    await plant_action(database, "note_in_log", **now)
    assert await why(queries) == ["below_floor"]


async def test_harm_in_another_tenant_is_counted_for_the_service_and_named_to_its_own(
    queries: SqlQueryLog, database: Database
):
    await plant_action(database, "close_lock", execution_class="C", tenant_id="borealis")
    assert await queries.count_harm() == 1
    assert await queries.harm(TENANT) == []
    assert [one.why for one in await queries.harm("borealis")] == ["no_quorum"]


# The three kinds of collision, and what is none.


def action(name: str, verb: str, effect: str = "read", pack: str = "vessel") -> Action:
    return Action.model_validate(
        {
            "name": name,
            "pack": pack,
            "summary": name,
            "verb": verb,
            "object": "thing",
            "effect": effect,
            "handler": "handlers:do",
        }
    )


OVERVIEW = action("show_equipment_overview", "show")
HISTORY = action("show_equipment_history", "view")
CLOSE = action("close_work_order", "close", "destructive")
NOTE = action("add_note", "add", "write")


@pytest.mark.parametrize(
    ("predicted", "other", "collision"),
    [
        (None, None, "none"),
        (None, CLOSE, "none"),
        (OVERVIEW, OVERVIEW, "none"),
        (OVERVIEW, None, "acceptable_soft_route"),
        (NOTE, None, "suggestion_worthy"),
        (CLOSE, None, "suggestion_worthy"),
        (OVERVIEW, HISTORY, "suggestion_worthy"),
        (OVERVIEW, CLOSE, "routing_bug"),
        (CLOSE, NOTE, "routing_bug"),
        (OVERVIEW, action("show_papers", "show", pack="research"), "routing_bug"),
    ],
)
def test_a_collision_is_judged_by_verb_family_domain_and_effect(predicted, other, collision):
    assert collision_of(predicted, other) == collision


@pytest.mark.parametrize(
    ("predicted", "other", "collision"),
    [
        ("show_lock", "show_lock", "none"),
        ("show_lock", "search_notices", "acceptable_soft_route"),  # the broad search
        ("show_lock", "done elsewhere", "acceptable_soft_route"),
        ("close_lock", "done elsewhere", "suggestion_worthy"),
        ("done elsewhere", "close_lock", "none"),
        ("close_lock", "drain_basin", "suggestion_worthy"),
        ("close_lock", "note_in_log", "routing_bug"),
    ],
)
def test_a_search_and_what_nobody_knows_are_nothing_of_the_catalogue(
    catalogue: Catalogue, predicted: str, other: str, collision: Collision
):
    assert collision_named(predicted, other, catalogue) == collision


# What a row says, and what never reaches it.

SECRET = "Hunter2 Überall"


@pytest.fixture
def hiding(catalogue: Catalogue, reading: QueryRowBuilder) -> QueryRowBuilder:
    """Return a reading for a catalogue in which what is noted is a secret."""
    noting = catalogue.actions["note_in_log"]
    slots = {"note": Slot(type="text", required=True, secret=True)}
    actions = {**catalogue.actions, "note_in_log": noting.model_copy(update={"slots": slots})}
    made = Catalogue(catalogue.packs, actions, catalogue.entities, catalogue.version)
    return QueryRowBuilder(made, reading.tuning, reading.observed_seconds)


def row_of(reading: QueryRowBuilder, text: str, **stages: Any) -> dict[str, Any]:
    event = event_of(text, kind="message", user="amir", role="keeper")
    record = DecisionRecord(
        event_id=event.event_id,
        decision_id=event.decision_id,
        outcome="spoke",
        spoke=True,
        reason="said",
        recorded_at=NOW,
    )
    return reading.row(event, record, stages)


def routed(text: str, **fields: Any) -> dict[str, Any]:
    read = normalise(text)
    return {
        "routing": {
            "normalized": read.text,
            "tokens": [token.text for token in read.tokens],
            "alternatives": [],
            "entities": [],
            **fields,
        }
    }


@pytest.mark.parametrize("said", [SECRET, SECRET.lower(), SECRET.upper()])
def test_the_value_of_a_secret_slot_stands_in_no_column(hiding: QueryRowBuilder, said: str):
    text = f"write in the log: {said}"
    mention = {"type": "thing", "value": said, "confidence": 1.0, "span": [0, 1]}
    row = row_of(
        hiding,
        text,
        policy=routed(text, entities=[mention]),
        result={"action": "note_in_log", "arguments": {"note": said}, "confidence": 0.9},
    )
    shown = str(row).casefold()
    assert "hunter2" not in shown
    assert "überall" not in shown
    assert row["raw_text"] == f"write in the log: {MASK}"


def test_a_slot_that_is_no_secret_is_logged(reading: QueryRowBuilder):
    text = f"write in the log: {SECRET}"
    result = {"action": "note_in_log", "arguments": {"note": SECRET}, "confidence": 0.9}
    assert row_of(reading, text, policy=routed(text), result=result)["raw_text"] == text


def test_every_value_of_a_list_of_secrets_is_hidden(hiding: QueryRowBuilder):
    result = {"action": "note_in_log", "arguments": {"note": ["one key", "another"]}}
    hidden = SecretValues.of(hiding.catalogue, {"result": result})
    assert hidden.masked("one key and another") == f"{MASK} and {MASK}"


def test_what_was_never_routed_has_its_words_all_the_same(reading: QueryRowBuilder):
    row = row_of(reading, "Be QUIET, please")
    assert (row["normalized"], row["tokens"]) == ("be quiet, please", ["be", "quiet", "please"])
    assert (row["predicted_action"], row["execution_class"]) == (None, "none")


@pytest.mark.parametrize(
    ("rival", "confidence", "collision"),
    [
        ("drain_basin", 0.85, "suggestion_worthy"),
        ("note_in_log", 0.85, "routing_bug"),
        ("search_notices", 0.85, "suggestion_worthy"),
        ("note_in_log", 0.5, "none"),
    ],
)
def test_only_a_rival_inside_the_margin_collides(
    reading: QueryRowBuilder, rival: str, confidence: float, collision: str
):
    policy = routed("x", alternatives=[{"action": rival, "confidence": confidence}])
    result = {"action": "close_lock", "arguments": {}, "confidence": 0.9}
    assert row_of(reading, "x", policy=policy, result=result)["collision"] == collision


def test_in_shadow_the_word_is_what_would_have_followed(reading: QueryRowBuilder):
    shadow = {
        "verdict": "shadow",
        "would": "offer",
        "would_show": ["close_lock", "show_lock"],
        "phase": "shadow",
        "raised": ["low_confidence"],
    }
    row = row_of(reading, "x", policy=routed("x"), classification=shadow)
    assert (row["execution_class"], row["phase"]) == ("suggest", "shadow")
    assert (row["chips_shown"], row["reasons"]) == (["close_lock", "show_lock"], ["low_confidence"])


def either(text: str, slots: dict[str, Any]) -> dict[str, Any]:
    """Make the stages of a text of which it is open whether it reads or changes."""
    first = {"action": "note_in_log", "confidence": 0.45, "slots": slots}
    other = {"action": "show_lock", "confidence": 0.2, "slots": None}
    known = routed(text, action="note_in_log", confidence=0.45, alternatives=[other])
    chips = [{"action": one["action"]} for one in (first, other)]
    return {
        "policy": known | {"reasons": [READ_OR_CHANGE], "alternatives": [first, other]},
        "result": {"action": None, "arguments": {}, "confidence": 0.45},
        "offer": {"chips": chips},
    }


def test_what_may_be_shown_or_changed_predicts_neither(reading: QueryRowBuilder):
    row = row_of(reading, "log that lock", **either("log that lock", {"note": "that lock"}))
    assert (row["predicted_action"], row["confidence"]) == (None, 0.45)
    assert [one["action"] for one in row["alternatives"]] == ["note_in_log", "show_lock"]
    assert (row["collision"], row["reasons"]) == ("suggestion_worthy", [READ_OR_CHANGE])


def test_a_secret_is_hidden_before_anybody_chose(hiding: QueryRowBuilder):
    text = f"write in the log: {SECRET}"
    assert "hunter2" not in str(row_of(hiding, text, **either(text, {"note": SECRET}))).casefold()


# Training data: what people confirmed, and nothing that was denied, quoted or secret.

CHOSEN = {"chip_chosen": "close_lock"}


async def texts(queries: SqlQueryLog, **given: Any) -> dict[str, list[str]]:
    return dict(by_action(await queries.examples(TENANT, **given)))


async def test_chosen_and_approved_texts_are_examples_of_what_they_led_to(
    queries: SqlQueryLog, database: Database
):
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
):
    await plant_query(database, text, **{**CHOSEN, **fields})
    assert await texts(queries) == {}


async def test_the_same_text_is_one_example_of_what_it_meant_most_often(
    queries: SqlQueryLog, database: Database
):
    for chosen in ("close_lock", "close_lock", "drain_basin"):
        await plant_query(database, "Seal it", chip_chosen=chosen)
    await plant_query(database, "seal  it", chip_chosen="ring_bell")
    for chosen in ("close_lock", "drain_basin"):
        await plant_query(database, "even", chip_chosen=chosen)
    found = await queries.examples(TENANT, min_count=2)
    assert [(one.action, one.text, one.times) for one in found] == [("close_lock", "Seal it", 2)]
