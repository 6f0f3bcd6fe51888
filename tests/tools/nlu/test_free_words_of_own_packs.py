"""The free words of somebody's own pack: whose order it is, and what is told."""

from typing import Any

import pytest

from tests.tools.nlu.filling import Filling, filling_of

BAKERY = """
actions:
  create_order:
    summary: "Order {items} for {customer}"
    verb: create
    words: [order, new]
    object: order
    slots: {customer: {type: text, required: true}, items: {type: text, required: true}}
    effect: write
    handler: "handlers:create_order"
    examples: ["new order for Ann: four rolls", "order two rolls for Ann"]
  open_tab:
    summary: "Open a tab of {customer}"
    verb: create
    words: [open, new]
    object: tab
    slots: {customer: {type: text, required: true}}
    effect: write
    handler: "handlers:open_tab"
    examples: ["open a tab for Ann", "new tab: Ann"]
  text_customer:
    summary: "Text {customer}: {message}"
    verb: add
    words: [text, write]
    object: message
    slots: {customer: {type: customer, required: true}, message: {type: text, required: true}}
    effect: write
    handler: "handlers:text_customer"
    examples: ["text Mrs Hale that it is ready", "write to Mr Bell: come by"]
"""
BAKING = """
def create_order(context, *, customer, items): ...
def open_tab(context, *, customer): ...
def text_customer(context, *, customer, message): ...
"""


@pytest.fixture(scope="module")
def bake(tmp_path_factory: pytest.TempPathFactory) -> Filling:
    """Fill the slots of an action of somebody's own pack."""
    folder = tmp_path_factory.mktemp("own") / "bakery"
    folder.mkdir()
    (folder / "actions.yaml").write_text(BAKERY)
    (folder / "entities.yaml").write_text("entities: {customer: {list: [Mrs Hale, Mr Bell]}}")
    (folder / "handlers.py").write_text(BAKING)
    return filling_of(None, [folder])


@pytest.mark.parametrize(
    ("action", "text", "values"),
    [
        ("create_order", "new order: 2 sourdough loaves", {"items": "2 sourdough loaves"}),
        ("create_order", "new order: sourdough loaves", {"items": "sourdough loaves"}),
        ("open_tab", "new tab: 2 sourdough loaves", {}),
        ("open_tab", "new tab: Mr Stone", {"customer": "Mr Stone"}),
        (
            "text_customer",
            "text Mrs Hale that we are closed tomorrow",
            {"customer": "Mrs Hale", "message": "we are closed tomorrow"},
        ),
        (
            "text_customer",
            "text Mrs Hale that the bread is on its way",
            {"customer": "Mrs Hale", "message": "the bread is on its way"},
        ),
        (
            "text_customer",
            "text Mr Bell that it is ready please",
            {"customer": "Mr Bell", "message": "it is ready"},
        ),
        (
            "text_customer",
            "text Mr Bell: we are closed tomorrow",
            {"customer": "Mr Bell", "message": "we are closed tomorrow"},
        ),
    ],
)
def test_somebodys_own_pack_is_told_whole_sentences(
    bake: Filling, action: str, text: str, values: dict[str, Any]
) -> None:
    assert bake(action, text).values == values
