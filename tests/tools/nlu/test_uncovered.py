"""Words of an order that nothing takes are named in phrases; what every order may hold is not."""

import pytest

from tests.tools.nlu.conftest import Routed
from tools.nlu.intents.router import Router

ORDERS = ("approve PO-2201", "assign WO-1042 to Tom Becker", "archive DOC-019", "order 4 impellers")
LIMITS = (
    "in 20 minutes",
    "tomorrow at seven",
    "every other month",
    "for half a day",
    "only if the invoice is here",
    "unless she objects",
    "but not before nine",
    "except the spare ones",
    "without telling the yard",
    "and bring it back afterwards",
)


@pytest.mark.parametrize("limit", LIMITS)
@pytest.mark.parametrize("order", ORDERS)
def test_what_limits_an_order_is_named_whatever_it_orders(
    route: Routed, order: str, limit: str
) -> None:
    routing = route(f"{order} {limit}")
    read = routing.order or routing

    assert read.held == "unread"
    assert any(one.narrows and one.text.endswith(limit) for one in read.uncovered), read.uncovered


@pytest.mark.parametrize(
    ("text", "narrowing"),
    [
        ("approve half of PO-2201", ["half"]),
        ("approve two thirds of PO-2201", ["two thirds"]),
        ("export the compliance logs of May", ["of May"]),
        ("share DOC-019 with Ana Costa for the weekend", ["for the weekend"]),
        ("assign WO-1042 to Tom Becker as a backup", []),
        ("please archive DOC-019 for me, thanks", []),
        ("could you approve PO-2201 right away", []),
        ("close WO-1042, the filter is changed", []),
        ("close WO-1042 because it rains all week", []),
        ("order 4 impellers instead of 3", []),
        ("log 8 hours of rest for Tom Becker", []),
    ],
)
def test_what_belongs_to_an_order_or_tells_why_narrows_nothing(
    route: Routed, text: str, narrowing: list[str]
) -> None:
    routing = route(text)

    assert routing.action is not None
    assert [one.text for one in routing.uncovered if one.narrows] == narrowing


def test_what_a_preposition_ties_to_an_order_is_told_from_a_bare_word(route: Routed) -> None:
    tied = route("approve PO-2201 as store credit").uncovered
    bare = route("approve the PO-2201 deposit").uncovered

    assert [(one.text, one.narrows, one.attaches) for one in tied] == [
        ("as store credit", False, True)
    ]
    assert [(one.narrows, one.attaches) for one in bare] == [(False, False)]


@pytest.mark.parametrize(
    ("text", "condition"),
    [
        ("archive DOC-019 once Ana has read it", "once Ana has read it"),
        ("if the yard agrees, close WO-1042", "if the yard agrees"),
        ("approve PO-2201 as soon as the quote is in", "as soon as the quote is in"),
    ],
)
def test_a_conditional_order_asks_for_nothing_and_is_read_beside_it(
    route: Routed, text: str, condition: str
) -> None:
    routing = route(text)

    assert (routing.mood, routing.action) == ("hypothetical", None)
    assert routing.order is not None
    assert routing.order.action is not None
    assert condition in [one.text for one in routing.order.uncovered]


@pytest.mark.parametrize(
    "text",
    [
        "if WO-1042 is late again we might have to close it",
        "suppose we archived DOC-019, could Ana still read it?",
        "don't approve PO-2201 if the price is wrong",
        "Tom said to close WO-1042 once it is dry",
    ],
)
def test_what_only_supposes_denies_or_tells_holds_no_order(route: Routed, text: str) -> None:
    assert route(text).order is None


def test_no_request_of_several_loses_its_limit(both: Router) -> None:
    routing = both.route("close WO-1042 and approve PO-2004 in 20 minutes")

    assert routing.held == "several_requests"
    assert any(one.narrows and "20 minutes" in one.text for one in routing.uncovered)
