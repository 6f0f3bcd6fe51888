"""Who is asked for a number may say it in the unit that it is held in, and with a comma."""

from collections.abc import Callable, Mapping
from typing import Any

import pytest

from tools.catalog.action_catalog import Catalogue
from tools.catalog.pack import load_pack
from tools.nlu.intents.router import Router

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
def test_an_amount_is_understood_in_its_own_unit(
    answered: Answering, text: str, amount: float
) -> None:
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
def test_what_is_no_amount_of_it_is_none(answered: Answering, text: str) -> None:
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
def test_a_weight_is_understood_in_every_unit_of_weight(
    answered: Answering, text: str, kilos: float | None
) -> None:
    said = answered("order_feed", "kilos", text) or {}

    assert said.get("kilos") == kilos


@pytest.mark.parametrize("text", ["20,50", "4,5", "4 kg"])
def test_a_count_has_no_comma_and_no_unit(answered: Answering, text: str) -> None:
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
def test_what_only_turns_something_down_is_no_value(answered: Answering, text: str) -> None:
    assert answered("order_feed", "remark", text) == {}


@pytest.mark.parametrize(
    "text", ["the label is wrong", "it looks wrong, take the old one", "1 bag is wrong"]
)
def test_words_may_tell_that_something_is_wrong(answered: Answering, text: str) -> None:
    assert answered("order_feed", "remark", text) == {"remark": text}
