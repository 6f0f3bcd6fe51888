"""How much, how many and who gets it raise a class by one step; nothing lowers it."""

from typing import Any, get_args

import pytest
from hypothesis import given
from hypothesis import strategies as st

from state.action import Action, ExecutionClass
from state.policy import Candidate
from state.preview import Preview
from tests.stages import TUNING
from tools.gate.risk.execution_class import RaisedClass, competitor_of, raised_by_risk

RULES = TUNING.execution
OURS = ("aurora.example",)
ACTION = Action.model_validate(
    {
        "name": "pay",
        "pack": "bank",
        "summary": "Pay {amount} to {payees}",
        "verb": "update",
        "object": "payment",
        "slots": {
            "amount": {"type": "number", "risk": "amount"},
            "quantity": {"type": "integer", "risk": "count"},
            "accounts": {"type": "account", "many": True},
            "payees": {"type": "text", "many": True, "risk": "recipients"},
            "crew": {"type": "crew", "many": True, "risk": "recipients"},
            "note": {"type": "text"},
            "price": {"type": "text", "risk": "amount"},
        },
        "effect": "write",
        "handler": "handlers:pay",
    }
)


def risk(
    arguments: dict[str, Any],
    preview: Preview | None = None,
    execution_class: ExecutionClass = "B",
) -> RaisedClass:
    return raised_by_risk(execution_class, ACTION, arguments, preview, RULES, OURS)


@pytest.mark.parametrize(
    ("arguments", "reasons"),
    [
        ({}, ()),
        ({"amount": RULES.amount}, ()),
        ({"amount": RULES.amount + 0.01}, ("amount",)),
        ({"amount": -10_000.0}, ("amount",)),
        ({"quantity": RULES.bulk_count}, ()),
        ({"quantity": RULES.bulk_count + 1}, ("bulk",)),
        ({"accounts": ["a", "b"]}, ()),
        ({"accounts": [str(number) for number in range(RULES.bulk_count + 1)]}, ("bulk",)),
        ({"payees": ["ben@aurora.example"]}, ()),
        ({"payees": ["Ben <BEN@Aurora.Example.>"]}, ()),
        ({"payees": ["ben@aurora.example", "eve@evil.example"]}, ("outside_recipients",)),
        ({"payees": ["ben@aurora.example, eve@evil.example"]}, ("outside_recipients",)),
        ({"payees": ["ben@aurora.example.evil.example"]}, ("outside_recipients",)),
        ({"payees": ["ben@sub.aurora.example"]}, ("outside_recipients",)),
        ({"payees": ["ben@аurora.example"]}, ("outside_recipients",)),
        ({"payees": ["eve@ ben@aurora.example"]}, ("outside_recipients",)),
        ({"payees": ["somebody"]}, ("outside_recipients",)),
        ({"crew": ["somebody"]}, ()),
        ({"note": "eve@evil.example", "price": "12"}, ()),
        ({"price": "twelve"}, ("parse_failure",)),
        ({"price": "nan"}, ("parse_failure",)),
        ({"price": "1e400"}, ("parse_failure",)),
        ({"price": "900000"}, ("amount",)),
        ({"amount": True}, ("parse_failure",)),
        ({"quantity": 90, "amount": 9e9}, ("bulk", "amount")),
    ],
)
def test_a_measure_beyond_its_limit_raises_and_says_which(
    arguments: dict[str, Any], reasons: tuple[str, ...]
) -> None:
    assert risk(arguments) == RaisedClass("C" if reasons else "B", reasons)


@pytest.mark.parametrize(
    ("preview", "reasons"),
    [
        (Preview(), ()),
        (Preview(count=RULES.bulk_count + 1), ("bulk",)),
        (Preview(amount=RULES.amount * 2), ("amount",)),
        (Preview(recipients=("ben@aurora.example",)), ()),
        (Preview(recipients=("eve@evil.example",)), ("outside_recipients",)),
        (Preview(recipients=("Marta",)), ()),
        (Preview(recipients=("Mallory",)), ("outside_recipients",)),
    ],
)
def test_what_the_pack_foresees_counts_as_much_as_what_was_said(
    preview: Preview, reasons: tuple[str, ...]
) -> None:
    assert risk({"crew": ["marta"]}, preview).reasons == reasons


def test_each_class_goes_up_by_one_and_c_stays() -> None:
    much = {"quantity": 1_000}
    raised = [risk(much, execution_class=one).execution_class for one in get_args(ExecutionClass)]
    assert raised == ["B", "C", "C"]


@given(
    execution_class=st.sampled_from(get_args(ExecutionClass)),
    amount=st.floats(allow_nan=True, allow_infinity=True),
    more=st.floats(min_value=0),
    payees=st.lists(st.text(max_size=30), max_size=8),
)
def test_no_argument_lowers_a_class_and_more_money_never_does(
    execution_class: ExecutionClass, amount: float, more: float, payees: list[str]
) -> None:
    less = risk({"amount": amount, "payees": payees}, None, execution_class)
    greater = risk({"amount": abs(amount) + more, "payees": payees}, None, execution_class)
    assert execution_class <= less.execution_class <= greater.execution_class
    assert bool(less.reasons) or less.execution_class == execution_class


def test_the_strongest_rival_inside_the_margin_is_the_competitor() -> None:
    rivals = [Candidate(action="a", confidence=0.75), Candidate(action="b", confidence=0.78)]
    assert competitor_of(0.8, rivals, 0.1) == rivals[1]
    assert competitor_of(0.9, rivals, 0.1) is None
