"""What a person types or a model writes for a slot becomes the value its type wants."""

from typing import Any

import pytest

from state.action import Action
from state.errors import BadInput
from tools.catalog.arguments import describe_slots, parse_slot_values

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
            "note": {"type": "text", "required": True},
            "mood": {"type": "text", "choices": ["calm", "loud"]},
        },
    }
)


@pytest.mark.parametrize(
    ("slot", "given", "value"),
    [
        ("accounts", "AC-1, AC-2", ["AC-1", "AC-2"]),
        ("accounts", "AC-1", ["AC-1"]),
        ("days", "1,2, 3", [1, 2, 3]),
        ("reasons", "late; lost, stolen", ["late; lost", "stolen"]),
        ("limit", "2.5", 2.5),
        ("is_final", "yes", True),
        ("shape", '{"a": [1, null]}', {"a": [1, None]}),
        ("accounts", "  ", None),
        ("accounts", '["Smith, Jane", "AC-2"]', ["Smith, Jane", "AC-2"]),
        ("accounts", ["Smith, Jane", "AC-2"], ["Smith, Jane", "AC-2"]),
        ("accounts", 4711, ["4711"]),
        ("days", "[1, 2]", [1, 2]),
        ("days", [1, "2", 3.0], [1, 2, 3]),
        ("days", 5, [5]),
        ("reasons", '["late, or lost", "[sic]"]', ["late, or lost", "[sic]"]),
        ("reasons", "[sic], late", ["[sic]", "late"]),
        ("reasons", [], []),
        ("limit", 2, 2),
        ("limit", "2", 2),
        ("limit", [2.5], 2.5),
        ("is_final", False, False),
        ("shape", {"a": 1}, {"a": 1}),
        ("note", 12, "12"),
        ("note", "[a], b", "[a], b"),
    ],
)
def test_a_value_is_read_by_its_slot(slot: str, given: Any, value: Any) -> None:
    assert parse_slot_values(ACTION, {slot: given}) == {slot: value}


@pytest.mark.parametrize(
    ("slot", "given"),
    [
        ("days", "1, two"),
        ("limit", "much"),
        ("is_final", "perhaps"),
        ("shape", "{"),
        ("days", 1.5),
        ("days", True),
        ("days", float("inf")),
        ("limit", True),
        ("limit", [1, 2]),
        ("is_final", 1),
        ("note", True),
        ("note", ["a", "b"]),
        ("accounts", [["AC-1"], {"a": 1}]),
        ("colour", "x"),
    ],
)
def test_what_is_no_such_value_is_said(slot: str, given: Any) -> None:
    with pytest.raises(BadInput, match=slot):
        parse_slot_values(ACTION, {slot: given})


def test_an_action_tells_what_each_slot_takes() -> None:
    assert describe_slots(ACTION) == (
        "accounts?: list of account, days?: list of whole number, reasons?: list of texts, "
        "limit?: number, is_final?: true or false, shape?: JSON as a text, note: text, "
        "mood?: calm or loud"
    )
