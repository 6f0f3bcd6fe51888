"""A bare number right before what it counts is how many, though some thing has that number."""

from pathlib import Path

import pytest

from tests.tools.nlu.conftest import ORDERS, Routed
from tests.tools.nlu.filling import Filling, filling_of_own
from tools.nlu.intents.router import Router

ACTIONS = """
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
ENTITIES = """
entities:
  order: {list: {ORD-1000: [], ORD-1200: []}, patterns: ["ORD-\\\\d{4}"]}
  part: {list: [steel bolt, brass bolt, hinge, grease]}
  person: {list: [James]}
"""
HANDLERS = """
def order_part(context, *, part, quantity, order=None): ...
def cancel_order(context, *, order): ...
"""


@pytest.fixture(scope="module")
def at_shop(tmp_path_factory: pytest.TempPathFactory) -> Filling:
    folder = tmp_path_factory.mktemp("packs") / "shop"
    return filling_of_own(folder, ACTIONS, ENTITIES, HANDLERS)


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
def test_what_stands_behind_a_bare_number_is_counted(
    at_shop: Filling, text: str, values: dict[str, object]
) -> None:
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
def test_a_number_that_is_said_as_a_name_is_one(at_shop: Filling, text: str) -> None:
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
def test_the_number_of_a_job_may_be_how_many(
    route: Routed, text: str, action: str, slots: dict[str, object]
) -> None:
    routing = route(text)

    assert (routing.action, dict(routing.slots)) == (action, slots)


def test_who_is_asked_how_many_may_say_the_number_of_a_job(router: Router, data_dir: Path) -> None:
    (data_dir / "orders.json").write_text(ORDERS)
    for text in ("1042", "1042 oil filters"):
        answer = router.answer(
            text, "order_part", ["quantity"], data_dir=data_dir, given={"part": "oil filter"}
        )
        assert answer is not None
        assert answer.slots == {"quantity": 1042}
