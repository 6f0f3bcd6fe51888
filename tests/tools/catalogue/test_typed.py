"""What a person types for a slot becomes the value its type wants."""

from typing import Any

import pytest

from state.action import Action
from state.errors import BadInput
from tools.catalogue.typed import values_of

ACTION = Action.model_validate(
    {
        "name": "block",
        "pack": "bank",
        "summary": "Block",
        "verb": "update",
        "object": "account",
        "effect": "bulk",
        "handler": "handlers:block",
        "slots": {
            "accounts": {"type": "account", "many": True},
            "days": {"type": "integer", "many": True},
            "reasons": {"type": "list"},
            "limit": {"type": "number"},
            "is_final": {"type": "boolean"},
            "shape": {"type": "json"},
        },
    }
)


@pytest.mark.parametrize(
    ("slot", "text", "value"),
    [
        ("accounts", "AC-1, AC-2", ["AC-1", "AC-2"]),
        ("accounts", "AC-1", ["AC-1"]),
        ("days", "1,2, 3", [1, 2, 3]),
        ("reasons", "late; lost, stolen", ["late; lost", "stolen"]),
        ("limit", "2.5", 2.5),
        ("is_final", "yes", True),
        ("shape", '{"a": [1, null]}', {"a": [1, None]}),
        ("accounts", "  ", None),
    ],
)
def test_a_typed_value_is_read_by_its_slot(slot: str, text: str, value: Any) -> None:
    assert values_of(ACTION, {slot: text}) == {slot: value}


@pytest.mark.parametrize(
    ("slot", "text"),
    [
        ("days", "1, two"),
        ("limit", "much"),
        ("is_final", "perhaps"),
        ("shape", "{"),
        ("colour", "x"),
    ],
)
def test_what_is_no_such_value_is_said(slot: str, text: str) -> None:
    with pytest.raises(BadInput, match=slot):
        values_of(ACTION, {slot: text})
