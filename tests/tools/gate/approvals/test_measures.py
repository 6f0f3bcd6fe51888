"""What raises a class is what the question says first, and what a yes has to repeat."""

from itertools import pairwise
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from state.action import Action, Slot
from state.preview import Preview
from tests.stages import TUNING
from tests.tools.gate.approvals.made import standing_of
from tools.gate.approvals.dialog import dialog_of
from tools.gate.risk.execution_class import (
    confirmation_phrase,
    external_recipients,
    format_amount,
    measures_of,
    raised_by_risk,
)
from tools.platform.unicode_safety import neutralize_value

RULES = TUNING.execution
OURS = ("aurora.example",)
ACTION = Action(
    name="pay_all",
    pack="bank",
    summary="Pay all",
    verb="update",
    object="payment",
    slots={
        "amounts": Slot(type="number", many=True, risk="amount"),
        "fee": Slot(type="text", risk="amount"),
        "batch": Slot(type="json", risk="amount"),
        "copies": Slot(type="integer", risk="count"),
        "sizes": Slot(type="number", many=True, risk="count"),
        "accounts": Slot(type="account", many=True),
        "ids": Slot(type="list"),
        "rows": Slot(type="json"),
        "payees": Slot(type="list", risk="recipients"),
        "copy": Slot(type="text", risk="recipients"),
        "crew": Slot(type="crew", many=True, risk="recipients"),
    },
    effect="write",
    handler="handlers:pay",
)


@pytest.mark.parametrize(
    ("arguments", "count", "amount"),
    [
        ({"amounts": [4_999.0] * 50}, 50, 249_950.0),
        ({"amounts": [0.1, 0.2]}, 2, 0.3),
        ({"amounts": [-300, 300]}, 2, 600.0),
        ({"fee": "900000"}, None, 900_000.0),
        ({"amounts": [300], "fee": "250.5"}, 1, 550.5),
        ({"batch": [["1", 2], [3]]}, 3, 6.0),
        ({"copies": -40}, 40, None),
        ({"sizes": [20, 20.5]}, 41, None),
        ({"accounts": ["1042", "1043"]}, 2, None),
        ({"ids": ["x"] * 200}, 200, None),
        ({"rows": [{}] * 500}, 500, None),
        ({"rows": {"of": [{"lines": [1, 2, 3]}] * 4}}, 12, None),
        ({"rows": {"of": "none"}}, None, None),
        ({"payees": ["a@b.example"]}, None, None),
        ({"payees": [f"p{n}@b.example" for n in range(5_000)]}, 5_000, None),
        ({"copy": ", ".join(f"p{n}@b.example" for n in range(30))}, 30, None),
    ],
)
def test_everything_is_counted_and_added_up(
    arguments: dict[str, Any], count: int | None, amount: float | None
) -> None:
    measures = measures_of(ACTION, arguments, None)
    assert (measures.count, measures.amount, measures.unread) == (count, amount, ())


@pytest.mark.parametrize("fee", ["900.000,00", "nan", "inf", "1e400", "twelve", True, {"sum": 1}])
def test_an_amount_that_cannot_be_read_raises_is_said_and_has_to_be_typed(fee: Any) -> None:
    arguments = {"fee": fee, "amounts": [20]}
    measures = measures_of(ACTION, arguments, None)
    assert (measures.amount, measures.unread) == (20, ("fee",))
    assert confirmation_phrase(ACTION, measures, RULES) == "unknown fee"
    assert "parse_failure" in raised_by_risk("B", ACTION, arguments, None, RULES, OURS).reasons
    assert "fee cannot be read" in _headline(arguments, None)
    assert not measures.is_within(measures)


def test_what_adds_up_to_endless_money_is_no_number_either() -> None:
    measures = measures_of(ACTION, {"batch": ["1e308", 1e308]}, Preview(amount=20))
    assert (measures.amount, measures.unread) == (20, ("amount",))


def test_another_currency_is_not_the_same_money() -> None:
    euros, pounds = (
        measures_of(ACTION, {"fee": "20"}, Preview(currency=each)) for each in ("EUR", "GBP")
    )
    assert euros.is_within(euros)
    assert not pounds.is_within(euros)


def test_somebody_outside_is_named_in_front_of_a_hundred_of_our_own() -> None:
    ours = [f"p{n}@aurora.example" for n in range(100)]
    headline = _headline({"payees": [*ours, "eve@evil.example"]}, None)
    assert 'to "eve@evil.example", "p0@aurora.example"' in headline
    assert headline.endswith("and 61 more")


MONEY = st.floats(min_value=-1e6, max_value=1e6).map(lambda each: round(each, 2))
NAMES = st.sampled_from(
    ("marta", "ben@aurora.example", "eve@evil.example", "a@x.example, b@aurora.example", "Mallory")
)
JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=3),
    lambda inner: st.lists(inner, max_size=30) | st.dictionaries(st.text(max_size=2), inner),
    max_leaves=40,
)
ARGUMENTS = st.fixed_dictionaries(
    {},
    optional={
        "amounts": st.lists(MONEY, max_size=30),
        "fee": st.one_of(MONEY.map(str), st.text(max_size=8)),
        "batch": JSON,
        "copies": st.integers(-60, 60),
        "sizes": st.lists(st.integers(0, 9), max_size=30),
        "accounts": st.lists(st.from_regex(r"\d{1,4}", fullmatch=True), max_size=30),
        "ids": st.lists(st.text(max_size=3), max_size=30),
        "rows": JSON,
        "payees": st.lists(NAMES, max_size=60),
        "copy": NAMES,
        "crew": st.lists(st.sampled_from(("marta", "ben", "eve@evil.example")), max_size=30),
    },
)
PREVIEWS = st.none() | st.builds(
    Preview,
    count=st.none() | st.integers(0, 60),
    amount=st.none() | st.floats(0, 1e6),
    currency=st.sampled_from(("", "EUR")),
    recipients=st.lists(NAMES, max_size=60).map(tuple),
)


@given(arguments=ARGUMENTS, preview=PREVIEWS)
def test_what_raises_is_in_the_headline_and_what_is_large_is_typed(
    arguments: dict[str, Any], preview: Preview | None
) -> None:
    headline = _headline(arguments, preview)
    measures = measures_of(ACTION, arguments, preview)
    phrase = confirmation_phrase(ACTION, measures, RULES) or ""
    count, amount = measures.count or 0, measures.amount or 0.0
    written = format_amount(amount, measures.currency)
    said = {
        "bulk": count > RULES.bulk_count and f"{count} × payment" in headline,
        "amount": amount > RULES.amount and written in headline,
        "parse_failure": all(f"{name} cannot be read" in headline for name in measures.unread)
        and phrase.count("unknown ") == len(measures.unread) > 0,
        "outside_recipients": any(
            neutralize_value(each) in headline
            for each in external_recipients(ACTION, arguments, preview, OURS)
        ),
    }
    reasons = raised_by_risk("B", ACTION, arguments, preview, RULES, OURS).reasons
    assert [each for each in reasons if not said[each]] == []
    assert (f"{count} payment" in phrase) == (count > RULES.typed_count)
    assert (written in phrase) == (amount > RULES.typed_amount)


@given(arguments=ARGUMENTS)
def test_leaving_one_argument_out_concerns_no_more(arguments: dict[str, Any]) -> None:
    names = list(arguments)
    steps = [{name: arguments[name] for name in names[:end]} for end in range(len(names) + 1)]
    for less, more in pairwise(measures_of(ACTION, step, None) for step in steps):
        assert less.unread or less.is_within(more)


def _headline(arguments: dict[str, Any], preview: Preview | None) -> str:
    row = standing_of(supplier="K").model_copy(update={"arguments": arguments, "preview": preview})
    return dialog_of(row, ACTION, RULES, OURS).headline
