"""Which number fills which slot, in which unit."""

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import pytest

from state.action import Action
from tests.tools.nlu.conftest import ORDERS, Routed
from tests.tools.nlu.filling import Filling, filling_of_own
from tools.catalog.action_catalog import Catalogue
from tools.catalog.pack import load_pack
from tools.nlu.intents.router import Router
from tools.nlu.slots.number_slots import own_unit

# Who is asked for a number may say it in the unit that it is held in, and with a comma.

ACTIONS = """
actions:
  pay_bill:
    summary: "Pay {amount} for {bill}"
    verb: create
    words: [pay]
    object: bill
    slots:
      bill: {type: bill, required: true}
      amount: {type: number, required: true, description: "in euros", risk: amount}
    effect: write
    handler: "handlers:pay_bill"
    examples: ["pay 20 for the rent", "pay the rent"]
  order_feed:
    summary: "Order {kilos} of feed: {remark}"
    verb: create
    words: [order]
    object: feed
    slots:
      kilos: {type: number, required: true}
      bags: {type: integer}
      remark: {type: text}
    effect: write
    handler: "handlers:order_feed"
    examples: ["order 20 kilos of feed", "order feed"]
"""
ENTITIES = """
entities:
  bill: {list: [rent, power]}
"""
HANDLERS = """
def pay_bill(context, *, bill, amount): ...
def order_feed(context, *, kilos, bags=None, remark=None): ...
"""
Answering = Callable[[str, str, str], Mapping[str, Any] | None]
"""An action, a slot and a text."""


@pytest.fixture(scope="module")
def answered(tmp_path_factory: pytest.TempPathFactory) -> Answering:
    folder = tmp_path_factory.mktemp("packs") / "shop"
    folder.mkdir()
    files = {"actions.yaml": ACTIONS, "entities.yaml": ENTITIES, "handlers.py": HANDLERS}
    for name, text in files.items():
        (folder / name).write_text(text)
    router = Router(Catalogue.of([load_pack(folder)]))

    def answer(action: str, slot: str, text: str) -> Mapping[str, Any] | None:
        found = router.answer(text, action, [slot])
        return found.slots if found is not None else None

    return answer


@pytest.mark.parametrize(
    ("text", "amount"),
    [
        ("20", 20),
        ("€20", 20),
        ("20 €", 20),
        ("20 euros", 20),
        ("20 euro please", 20),
        ("EUR 20", 20),
        ("20 EUR", 20),
        ("twenty euros", 20),
        ("20.50", 20.5),
        ("20,50", 20.5),
        ("20,5 please", 20.5),
        ("€20,50", 20.5),
        ("20,50 euros", 20.5),
        ("EUR 20,50", 20.5),
        ("1.234,50", 1234.5),
        ("1,000", 1000),
    ],
)
def test_an_amount_is_understood_in_its_own_unit(answered: Answering, text: str, amount: float):
    assert answered("pay_bill", "amount", text) == {"amount": amount}


@pytest.mark.parametrize(
    "text",
    [
        "20 dollars",
        "USD 20",
        "20 kg",
        "20 or 30 euros",
        "not 20 euros",
        "we have 20 euros left",
        "20, 50",
        "20,50 or 30",
        "about 20 euros",
        "20 euros?",
        "1 is wrong",
        "20 is wrong",
    ],
)
def test_what_is_no_amount_of_it_is_none(answered: Answering, text: str):
    assert not answered("pay_bill", "amount", text)


@pytest.mark.parametrize(
    ("text", "kilos"),
    [
        ("10 kg", 10),
        ("10 kilos", 10),
        ("10kg", 10),
        ("10 kg of feed", 10),
        ("500 g", 0.5),
        ("500 grams", 0.5),
        ("10 euros", None),
        ("10 weeks", None),
        ("10 kg of bolts", None),
    ],
)
def test_a_weight_is_understood_in_every_unit_of_weight(answered: Answering, text, kilos):
    said = answered("order_feed", "kilos", text) or {}

    assert said.get("kilos") == kilos


@pytest.mark.parametrize("text", ["20,50", "4,5", "4 kg"])
def test_a_count_has_no_comma_and_no_unit(answered: Answering, text: str):
    assert not answered("order_feed", "bags", text)


@pytest.mark.parametrize(
    "text",
    [
        "that's wrong",
        "no, that is not right",
        "1 is wrong",
        "the second one is wrong",
        "it's wrong",
    ],
)
def test_what_only_turns_something_down_is_no_value(answered: Answering, text: str):
    assert answered("order_feed", "remark", text) == {}


@pytest.mark.parametrize(
    "text", ["the label is wrong", "it looks wrong, take the old one", "1 bag is wrong"]
)
def test_words_may_tell_that_something_is_wrong(answered: Answering, text: str):
    assert answered("order_feed", "remark", text) == {"remark": text}


# By how much something is changed is no number of what is set, unless an example says so.

CAMP_ACTIONS = """
actions:
  set_sleep:
    summary: "Set the sleep of {person} to {hours} hours"
    verb: update
    words: [set, correct]
    object: sleep
    slots: {person: {type: person}, hours: {type: number, minimum: 0, maximum: 24}}
    effect: write
    handler: "handlers:set_sleep"
    examples: ["set Ana's sleep to 8 hours", "replace Ana's sleep by 9 hours"]
  note_sleep:
    summary: "Note {hours} hours of sleep for {person}"
    verb: add
    words: [note, add, log]
    object: sleep
    slots: {person: {type: person}, hours: {type: number}}
    effect: write
    handler: "handlers:note_sleep"
    examples: ["note 8 hours of sleep for Ana", "add 7 hours of sleep for Ben"]
  shift_alarm:
    summary: "Move the alarm by {minutes} minutes"
    verb: update
    words: [move, snooze]
    object: alarm
    slots: {minutes: {type: integer}}
    effect: write
    handler: "handlers:shift_alarm"
    examples: ["move the alarm"]
  fill_tank:
    summary: "Fill up {litres} litres"
    verb: add
    words: [fill, add]
    object: tank
    slots: {litres: {type: number}}
    effect: write
    handler: "handlers:fill_tank"
    examples: ["add 20 litres to the tank", "fill up 30 litres"]
"""
CAMP_HANDLERS = """
def set_sleep(context, *, person=None, hours=None): ...
def note_sleep(context, *, person=None, hours=None): ...
def shift_alarm(context, *, minutes=None): ...
def fill_tank(context, *, litres=None): ...
"""


@pytest.fixture(scope="module")
def in_camp(tmp_path_factory: pytest.TempPathFactory) -> Filling:
    entities = "entities: {person: {list: [Ana, Ben]}}"
    folder = tmp_path_factory.mktemp("packs") / "camp"
    return filling_of_own(folder, CAMP_ACTIONS, entities, CAMP_HANDLERS)


@pytest.mark.parametrize(
    "text",
    [
        "correct Ana's sleep by 2 hours",
        "correct Ana's sleep up by 2 hours",
        "correct Ana's sleep by about 2 hours",
        "raise Ana's sleep by 2",
        "correct Ana's sleep: 2 hours less",
        "correct Ana's sleep, it was two hours less",
        "correct Ana's sleep, it was two hours longer",
        "correct Ana's sleep up 2 hours",
        "add two hours to Ana's sleep",
        "add another two hours to Ana's sleep",
        "take two hours off Ana's sleep",
        "give Ana another two hours of sleep",
        "correct Ana's sleep, half an hour less",
        "correct Ana's sleep, it is two hours too high",
        "Ana's sleep: plus 2 hours",
        "Ana had two hours of sleep less",
        "lower Ana's sleep by a dozen",
    ],
)
def test_a_change_is_no_number_of_what_is_set(in_camp: Filling, text: str):
    assert "hours" not in in_camp("set_sleep", text).values


@pytest.mark.parametrize(
    ("action", "text", "slot", "value"),
    [
        ("set_sleep", "correct Ana's sleep to 2 hours", "hours", 2),
        ("set_sleep", "correct Ana's sleep, it was two hours", "hours", 2),
        ("set_sleep", "correct Ana's sleep down to 2 hours", "hours", 2),
        ("set_sleep", "replace Ana's sleep by 2 hours", "hours", 2),
        ("set_sleep", "put down 2 hours of sleep for Ana", "hours", 2),
        ("set_sleep", "set Ana's sleep to 2 hours, less than that is too little", "hours", 2),
        ("note_sleep", "add two hours to Ana's sleep", "hours", None),
        ("note_sleep", "note two hours less sleep for Ana", "hours", None),
        ("note_sleep", "add 2 hours of sleep for Ana", "hours", 2),
        ("note_sleep", "write down 2 hours of sleep for Ana", "hours", 2),
        ("note_sleep", "put Ana down 2 hours", "hours", 2),
        ("shift_alarm", "move the alarm by 10 minutes", "minutes", 10),
        ("shift_alarm", "snooze the alarm 10 minutes longer", "minutes", 10),
        ("shift_alarm", "move the alarm up 10 minutes", "minutes", 10),
        ("fill_tank", "add 5 litres to the tank", "litres", 5),
    ],
)
def test_a_number_that_is_meant_stays_one(in_camp: Filling, action, text, slot, value):
    assert in_camp(action, text).values.get(slot) == value


@pytest.mark.parametrize(
    ("action", "text", "slot", "value"),
    [
        ("correct_hours_of_rest", "correct Tom's rest yesterday by 2 hours", "hours", None),
        ("correct_hours_of_rest", "correct Tom's rest yesterday up by 2 hours", "hours", None),
        ("correct_hours_of_rest", "replace Tom's rest yesterday by 9 hours", "hours", 9),
        ("log_hours_of_rest", "add two hours to Tom's rest yesterday", "hours", None),
        ("log_hours_of_rest", "add 11 hours rest for Tom", "hours", 11),
        ("count_stock", "add 3 to the stock of oil filters", "quantity", None),
        ("count_stock", "there are 7 oil filters left", "quantity", 7),
        ("add_part_to_work_order", "add 2 oil filters to WO-1042", "quantity", 2),
        ("order_part", "order another 4 oil filters", "quantity", 4),
    ],
)
def test_our_own_numbers_are_amounts_and_not_changes(fill: Filling, action, text, slot, value):
    assert fill(action, text).values.get(slot) == value


# A bare number right before what it counts is how many, though some thing has that number.

SHOP_ACTIONS = """
actions:
  order_part:
    summary: "Order {quantity} of {part} for {order}"
    verb: create
    words: [order, get]
    object: part
    slots:
      part: {type: part, required: true}
      quantity: {type: integer, required: true}
      order: {type: order}
    effect: write
    handler: "handlers:order_part"
    examples: ["order 4 bolts", "get 3 hinges for ORD-1000"]
  cancel_order:
    summary: "Cancel {order}"
    verb: update
    words: [cancel]
    object: order
    slots: {order: {type: order, required: true}}
    effect: write
    handler: "handlers:cancel_order"
    examples: ["cancel order 1000"]
"""
SHOP_ENTITIES = """
entities:
  order: {list: {ORD-1000: [], ORD-1200: []}, patterns: ["ORD-\\\\d{4}"]}
  part: {list: [steel bolt, brass bolt, hinge, grease]}
  person: {list: [James]}
"""
SHOP_HANDLERS = """
def order_part(context, *, part, quantity, order=None): ...
def cancel_order(context, *, order): ...
"""


@pytest.fixture(scope="module")
def at_shop(tmp_path_factory: pytest.TempPathFactory) -> Filling:
    folder = tmp_path_factory.mktemp("packs") / "shop"
    return filling_of_own(folder, SHOP_ACTIONS, SHOP_ENTITIES, SHOP_HANDLERS)


@pytest.mark.parametrize(
    ("text", "values"),
    [
        ("order 1000 hinges", {"part": "hinge", "quantity": 1000}),
        ("please order 1000 hinges", {"part": "hinge", "quantity": 1000}),
        ("can you order 1000 more hinges", {"part": "hinge", "quantity": 1000}),
        ("get 1000 of the hinges", {"part": "hinge", "quantity": 1000}),
        ("get 1000 bolts", {"quantity": 1000}),
        ("get 1000 gaskets", {"quantity": 1000}),
        ("get 1000 grease", {"part": "grease", "quantity": 1000}),
        (
            "order 1000 hinges for ORD-1200",
            {"part": "hinge", "quantity": 1000, "order": "ORD-1200"},
        ),
        (
            "order 1000 hinges for order 1200",
            {"part": "hinge", "quantity": 1000, "order": "ORD-1200"},
        ),
        ("get 4 hinges for 1000", {"part": "hinge", "quantity": 4, "order": "ORD-1000"}),
        ("get 4 hinges for order 1000", {"part": "hinge", "quantity": 4, "order": "ORD-1000"}),
        ("for order 1000 hinges", {"part": "hinge", "order": "ORD-1000"}),
        ("for number 1000 hinges", {"part": "hinge", "order": "ORD-1000"}),
        ("for #1000 hinges", {"part": "hinge", "order": "ORD-1000"}),
        ("for 1000, hinges", {"part": "hinge", "order": "ORD-1000"}),
        ("for ORD-1000 hinges", {"part": "hinge", "order": "ORD-1000"}),
    ],
)
def test_what_stands_behind_a_bare_number_is_counted(at_shop: Filling, text, values):
    assert at_shop("order_part", text).values == values


@pytest.mark.parametrize(
    "text",
    [
        "cancel order 1000",
        "cancel 1000",
        "cancel 1000, hinges are back",
        "cancel 1000 James",
        "cancel number 1000",
        "cancel ord1000",
        "cancel 1000 needs nothing",
    ],
)
def test_a_number_that_is_said_as_a_name_is_one(at_shop: Filling, text: str):
    assert at_shop("cancel_order", text).values == {"order": "ORD-1000"}


@pytest.mark.parametrize(
    ("text", "action", "slots"),
    [
        ("order 1042 oil filters", "order_part", {"part": "oil filter", "quantity": 1042}),
        (
            "add 1042 oil filters to WO-1038",
            "add_part_to_work_order",
            {"work_order": "WO-1038", "part": "oil filter", "quantity": 1042},
        ),
        (
            "add 2 oil filters to 1042",
            "add_part_to_work_order",
            {"work_order": "WO-1042", "part": "oil filter", "quantity": 2},
        ),
        ("close 1042", "close_work_order", {"work_order": "WO-1042"}),
        ("close WO 1042", "close_work_order", {"work_order": "WO-1042"}),
        ("close job 1042", "close_work_order", {"work_order": "WO-1042"}),
        (
            "close 1042, oil filters replaced",
            "close_work_order",
            {"work_order": "WO-1042", "note": "oil filters replaced"},
        ),
    ],
)
def test_the_number_of_a_job_may_be_how_many(route: Routed, text, action, slots):
    routing = route(text)

    assert (routing.action, dict(routing.slots)) == (action, slots)


def test_who_is_asked_how_many_may_say_the_number_of_a_job(router: Router, data_dir: Path):
    (data_dir / "orders.json").write_text(ORDERS)
    for text in ("1042", "1042 oil filters"):
        answer = router.answer(
            text, "order_part", ["quantity"], data_dir=data_dir, given={"part": "oil filter"}
        )
        assert answer is not None
        assert answer.slots == {"quantity": 1042}


# Which number is meant, in what it is said, and which is told of something else.

HOME_ACTIONS = """
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
HOME_HANDLERS = """
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
    return filling_of_own(folder, HOME_ACTIONS, entities, HOME_HANDLERS)


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
):
    assert at_home(action, text).values.get(slot) == value


# Which number slot a number is of, when an action has several, or the number is none of it.

FARM_ACTIONS = """
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
FARM_ENTITIES = """
entities:
  animal: {list: [Rex, Mia]}
  bed: {list: [roses, beans]}
  stall: {list: [barn, shed]}
"""
FARM_HANDLERS = """
def give_feed(context, *, animal, portion, times=None): ...
def water_bed(context, *, bed, rounds_per_week=None, amount=None): ...
def book_stall(context, *, stall=None, animals=None): ...
def rent_stall(context, *, stall=None, length=None): ...
"""


@pytest.fixture(scope="module")
def at_farm(tmp_path_factory: pytest.TempPathFactory) -> Filling:
    folder = tmp_path_factory.mktemp("packs") / "farm"
    return filling_of_own(folder, FARM_ACTIONS, FARM_ENTITIES, FARM_HANDLERS)


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
):
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
):
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
def test_how_long_is_not_how_many(at_farm: Filling, action, text, slot, value):
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
def test_the_unit_of_a_slot_is_of_its_name_or_what_is_said_of_it(name, description, unit):
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
