"""Which number is meant, in what it is said, and which is told of something else."""

import pytest

from tests.tools.nlu.filling import Filling, filling_of_own

ACTIONS = """
actions:
  dim_lamp:
    summary: "Dim {lamp} to {level}"
    verb: update
    words: [dim]
    object: lamp
    slots: {lamp: {type: lamp}, level: {type: integer, minimum: 0, maximum: 100}}
    effect: write
    handler: "handlers:dim_lamp"
    examples: ["dim the hall to 40", "hall at 20"]
  raise_heat:
    summary: "Raise the heat by {degrees}"
    verb: update
    words: [raise, turn up]
    object: heat
    slots: {degrees: {type: number}}
    effect: write
    handler: "handlers:raise_heat"
    examples: ["raise the heat by two", "turn the heat up 1 degree"]
  rate_lamp:
    summary: "Rate {lamp} {stars} of 5"
    verb: update
    words: [rate]
    object: rating
    slots: {lamp: {type: lamp}, stars: {type: integer, minimum: 0, maximum: 5}}
    effect: write
    handler: "handlers:rate_lamp"
    examples: ["rate the hall 4", "the kitchen gets 2 stars"]
  order_bulbs:
    summary: "Order {quantity} bulbs"
    verb: create
    words: [order]
    object: bulb
    slots: {quantity: {type: integer}}
    effect: financial
    handler: "handlers:order_bulbs"
    examples: ["order 4 bulbs", "get six bulbs"]
  turn_page:
    summary: "Turn to page {page}"
    verb: update
    words: [turn to]
    object: manual
    slots: {page: {type: integer, behind: [page]}}
    effect: write
    handler: "handlers:turn_page"
    examples: ["turn the manual to page 4", "next page of the manual"]
  log_load:
    summary: "Log {kilos} kg of wood"
    verb: add
    words: [log]
    object: wood
    slots: {kilos: {type: number}}
    effect: write
    handler: "handlers:log_load"
    examples: ["log 20 kg of wood"]
"""
HANDLERS = """
def dim_lamp(context, *, lamp=None, level=None): ...
def raise_heat(context, *, degrees=None): ...
def rate_lamp(context, *, lamp=None, stars=None): ...
def order_bulbs(context, *, quantity=None): ...
def turn_page(context, *, page=None): ...
def log_load(context, *, kilos=None): ...
"""


@pytest.fixture(scope="module")
def at_home(tmp_path_factory: pytest.TempPathFactory) -> Filling:
    entities = "entities: {lamp: {list: [hall, kitchen]}}"
    folder = tmp_path_factory.mktemp("packs") / "home"
    return filling_of_own(folder, ACTIONS, entities, HANDLERS)


@pytest.mark.parametrize(
    ("action", "text", "slot", "value"),
    [
        ("turn_page", "turn the manual to page 12", "page", 12),
        ("turn_page", "turn the manual to page number two", "page", 2),
        ("turn_page", "turn the manual one page on", "page", None),
        ("turn_page", "turn the manual 2 pages on", "page", None),
        ("turn_page", "turn the manual to the earlier ten", "page", None),
        ("dim_lamp", "dim the hall to 20 percent", "level", 20),
        ("dim_lamp", "dim the hall to 20%", "level", 20),
        ("dim_lamp", "hall 20 %", "level", 20),
        ("dim_lamp", "dim the hall by 10", "level", None),
        ("dim_lamp", "dim the hall 10 more", "level", None),
        ("dim_lamp", "dim the hall 10 percent more", "level", None),
        ("dim_lamp", "dim the hall by another 10", "level", None),
        ("dim_lamp", "dim the hall a further 10", "level", None),
        ("raise_heat", "raise the heat by 3", "degrees", 3),
        ("raise_heat", "turn the heat up by 3 degrees", "degrees", 3),
        ("raise_heat", "turn the heat up 3°", "degrees", 3),
        ("order_bulbs", "order 4 bulbs, we only have 3 left", "quantity", 4),
        ("order_bulbs", "order bulbs, we only have 3 left", "quantity", None),
        ("order_bulbs", "order bulbs. Last time 6 came", "quantity", None),
        ("order_bulbs", "we had 3 bulbs, order 4", "quantity", 4),
        ("order_bulbs", "order bulbs, 4 of them", "quantity", 4),
        ("order_bulbs", "order bulbs, make it 4", "quantity", 4),
        ("order_bulbs", "order bulbs, I need 4", "quantity", 4),
        ("order_bulbs", "order 4 more bulbs", "quantity", 4),
        ("order_bulbs", "order two more bulbs than last time", "quantity", None),
        ("order_bulbs", "order at most 4 bulbs", "quantity", None),
        ("order_bulbs", "order 4 bulbs at least", "quantity", 4),
        ("order_bulbs", "order 4 or more bulbs", "quantity", None),
        ("dim_lamp", "dim the hall to under 20", "level", None),
        ("order_bulbs", "order enough bulbs to have 12", "quantity", None),
        ("order_bulbs", "that's not enough, order 4 bulbs", "quantity", 4),
        ("order_bulbs", "order 4 bulbs, no, 5", "quantity", None),
        ("rate_lamp", "rate the hall 4 out of 5", "stars", 4),
        ("rate_lamp", "rate the hall 3/5", "stars", 3),
        ("rate_lamp", "three of five for the hall", "stars", 3),
        ("rate_lamp", "rate the hall 7 out of 5", "stars", None),
        ("rate_lamp", "rate the hall 3/4", "stars", None),
        ("rate_lamp", "rate the second one", "stars", None),
        ("rate_lamp", "rate the hall one", "stars", 1),
        ("log_load", "log 400 g of wood", "kilos", 0.4),
        ("log_load", "log 12.5kg of wood", "kilos", 12.5),
        ("log_load", "log 12.5kg of wood that dried for 2 years", "kilos", 12.5),
    ],
)
def test_a_number_is_what_was_ordered_in_the_unit_of_the_slot(
    at_home: Filling, action: str, text: str, slot: str, value: float | None
) -> None:
    assert at_home(action, text).values.get(slot) == value
