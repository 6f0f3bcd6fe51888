"""Which number slot a number is of, when an action has several, or the number is none of it."""

import pytest

from state.action import Action
from tests.tools.nlu.filling import Filling, filling_of_own
from tools.nlu.slots.number_slots import own_unit

ACTIONS = """
actions:
  give_feed:
    summary: "Give {animal} {portion} g of feed, {times} times a day"
    verb: create
    words: [give, feed]
    object: feed
    slots:
      animal: {type: animal, required: true}
      portion: {type: number, required: true, minimum: 0, maximum: 5000}
      times: {type: integer, minimum: 1, maximum: 6}
    effect: write
    handler: "handlers:give_feed"
    examples: ["give Rex 200 g of feed twice a day", "Mia gets 50 g"]
  water_bed:
    summary: "Water {bed} with {amount}, {rounds_per_week} rounds"
    verb: create
    words: [water]
    object: bed
    slots:
      bed: {type: bed, required: true}
      rounds_per_week: {type: integer, minimum: 1, maximum: 20}
      amount: {type: number, description: "how many litres each"}
    effect: write
    handler: "handlers:water_bed"
    examples: ["water the roses"]
  book_stall:
    summary: "Book {stall} for {animals} animals"
    verb: create
    words: [book]
    object: stall
    slots: {stall: {type: stall}, animals: {type: integer, minimum: 1, maximum: 6}}
    effect: write
    handler: "handlers:book_stall"
    examples: ["book the barn for two animals"]
  rent_stall:
    summary: "Rent out {stall} for {length}"
    verb: create
    words: [rent]
    object: stall
    slots: {stall: {type: stall}, length: {type: integer}}
    effect: write
    handler: "handlers:rent_stall"
    examples: ["rent out the barn for a week"]
"""
ENTITIES = """
entities:
  animal: {list: [Rex, Mia]}
  bed: {list: [roses, beans]}
  stall: {list: [barn, shed]}
"""
HANDLERS = """
def give_feed(context, *, animal, portion, times=None): ...
def water_bed(context, *, bed, rounds_per_week=None, amount=None): ...
def book_stall(context, *, stall=None, animals=None): ...
def rent_stall(context, *, stall=None, length=None): ...
"""


@pytest.fixture(scope="module")
def at_farm(tmp_path_factory: pytest.TempPathFactory) -> Filling:
    folder = tmp_path_factory.mktemp("packs") / "farm"
    return filling_of_own(folder, ACTIONS, ENTITIES, HANDLERS)


@pytest.mark.parametrize(
    ("text", "portion", "times"),
    [
        ("give Rex 5 g of feed", 5, None),
        ("give Rex 200 g of feed", 200, None),
        ("give Rex 200 of feed", 200, None),
        ("give Rex 0.2 kg of feed", 200, None),
        ("give Rex 200 g of feed twice a day", 200, 2),
        ("give Rex 200 g of feed once a day", 200, 1),
        ("give Rex 200 g of feed twice", 200, 2),
        ("give Rex 200 g of feed two times", 200, 2),
        ("give Rex 200 g of feed 3 times daily", 200, 3),
        ("give Rex 200 g of feed, 3 a day", 200, 3),
        ("give Rex 200 g of feed 2x daily", 200, 2),
        ("give Rex feed twice a day", None, 2),
        ("give Rex 200 g of feed 9 times a day", 200, 9),
        ("give Rex 200 g of feed twice a week", 200, None),
        ("give Rex 200 g of feed once he is back", 200, None),
        ("give Rex 200 g of feed, twice as much as Mia", 200, None),
        ("give Rex 200 g of feed for 5 days", 200, None),
        ("give Rex 200 g of feed at once", 200, None),
        ("give Rex 2 times 30 g of feed", 30, 2),
        ("give Rex feed, portion 5, times 3", 5, 3),
    ],
)
def test_a_number_is_of_the_slot_that_has_its_unit_and_takes_its_value(
    at_farm: Filling, text: str, portion: float | None, times: int | None
) -> None:
    values = at_farm("give_feed", text).values

    assert (values.get("portion"), values.get("times")) == (portion, times)


@pytest.mark.parametrize(
    ("text", "amount", "rounds"),
    [
        ("water the roses with 5 litres", 5, None),
        ("water the roses with 500 ml twice a week", 0.5, 2),
        ("water the roses 3 times", None, 3),
        ("water the roses 3 times a day", None, None),
        ("water the roses with 40", 40, None),
        ("water the roses, 40 rounds", None, 40),
        ("water the roses, 5 rounds, 30 litres", 30, 5),
        ("water the roses in 2 weeks with 3 litres", 3, None),
    ],
)
def test_a_unit_may_stand_in_the_name_or_in_what_is_said_of_a_slot(
    at_farm: Filling, text: str, amount: float | None, rounds: int | None
) -> None:
    values = at_farm("water_bed", text).values

    assert (values.get("amount"), values.get("rounds_per_week")) == (amount, rounds)


@pytest.mark.parametrize(
    ("action", "text", "slot", "value"),
    [
        ("book_stall", "book the barn for 3 nights", "animals", None),
        ("book_stall", "book the barn for two weeks", "animals", None),
        ("book_stall", "book the barn, 3 nights, 2 animals", "animals", 2),
        ("book_stall", "book the barn for 2 for 3 nights", "animals", 2),
        ("book_stall", "book the barn in 2 weeks for 3", "animals", 3),
        ("book_stall", "book the barn for two", "animals", 2),
        ("book_stall", "book the barn for 2 cows", "animals", 2),
        ("book_stall", "book the barn for 9 animals", "animals", 9),
        ("rent_stall", "rent out the barn for 3 nights", "length", 3),
        ("rent_stall", "rent out the barn for 2 weeks", "length", 2),
    ],
)
def test_how_long_is_not_how_many(
    at_farm: Filling, action: str, text: str, slot: str, value: int | None
) -> None:
    assert at_farm(action, text).values.get(slot) == value


@pytest.mark.parametrize(
    ("name", "description", "unit"),
    [
        ("load", "in kg", "mass"),
        ("load", "how many litres", "volume"),
        ("load", "which one, counted as shown", None),
        ("load", "at most 3 days ahead", None),
        ("load", "hours of work", "time"),
        ("doses_per_day", "", "times a day"),
        ("price_per_day", "", None),
        ("kg_per_day", "", "mass"),
        ("times", "", "times"),
    ],
)
def test_the_unit_of_a_slot_is_of_its_name_or_what_is_said_of_it(
    name: str, description: str, unit: str | None
) -> None:
    fields = {
        "name": "order",
        "pack": "shop",
        "summary": f"Order {{{name}}} of it",
        "verb": "create",
        "object": "thing",
        "slots": {name: {"type": "number", "description": description}},
        "effect": "write",
        "handler": "handlers:order",
    }
    found = own_unit(Action.model_validate(fields), name)

    assert (found.dimension if found else None) == unit
