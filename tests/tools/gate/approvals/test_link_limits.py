"""How far a link or a button is enough for a yes, and from where on a person signs in."""

from typing import Any

import pytest

from graph.settings import ROOT
from graph.wiring.thresholds import read_tuning
from state.channel import ChannelTuning
from tests.tools.gate.approvals.made import PAY, standing_of
from tools.gate.approvals.approval_rules import why_sign_in

EXECUTION = read_tuning(ROOT / "policy.toml").execution
MANY = [f"INV-{n}" for n in range(9)]


@pytest.mark.parametrize(
    ("arguments", "channels", "why"),
    [
        ({}, {}, ""),
        ({"amount": 500.0}, {}, ""),
        ({"amount": 500.01}, {}, "above 500.00"),
        ({"amount": 900.0}, {"amount": 1_000.0}, ""),
        ({"amount": 900.0}, {"amount": 0.0}, "above 0.00"),
        ({"amount": 6_000.0}, {"amount": 9_000.0}, "phrase"),
        ({"amount": 6_000.0}, {"amount": 9_000.0, "typed": True}, ""),
        ({"to": MANY}, {}, ""),
        ({"to": MANY}, {"count": 9}, ""),
        ({"to": MANY}, {"count": 8}, "more than 8"),
        ({"to": [f"{n}@x.org" for n in range(21)]}, {}, "phrase"),
        ({}, {"highest_class": "B"}, "class C"),
    ],
)
def test_a_yes_by_link_is_enough_up_to_the_policys_limit(
    arguments: dict[str, Any], channels: dict[str, Any], why: str
):
    standing = standing_of(supplier="Ada Ltd", **arguments)
    told = why_sign_in(standing, PAY, ChannelTuning.model_validate(channels), EXECUTION)
    assert bool(told) == bool(why)
    assert why in told


def test_an_amount_that_cannot_be_read_needs_a_sign_in():
    standing = standing_of(supplier="Ada Ltd").model_copy(update={"arguments": {"amount": "many"}})
    assert why_sign_in(standing, PAY, ChannelTuning(), EXECUTION)
