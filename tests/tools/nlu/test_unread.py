"""An order with more to it than an order is offered, and nobody is asked for a yes to it."""

import pytest

from state.policy import Routing
from tests.tools.nlu.conftest import Routed
from tools.nlu.intents.router import Router
from tools.nlu.rejection.uncovered_tokens import UNCOVERED_TOKENS


def is_asked_for(routing: Routing) -> bool:
    """Tell whether a person would be asked for a yes to it, and not shown a chip."""
    return routing.confidence >= 0.5 and routing.held is None


ORDERS = ("approve PO-2201", "assign WO-1042 to Tom Becker", "archive DOC-019", "order 4 impellers")


@pytest.mark.parametrize("order", ORDERS)
@pytest.mark.parametrize("joint", [" ", ", ", ". "])
@pytest.mark.parametrize(
    "tail",
    [
        "oops wrong chat",
        "wait",
        "not sure",
        "i guess",
        "maybe",
        "on second thoughts keep it",
        "sorry that was for Elif",
        "just testing",
        "dry run",
        "wait for Ana Costa",
        "i can do it myself",
        "let me do it",
        "why",
        "according to Ana Costa",
        "per the email",
        "hell no",
        "i already did",
        "some other time",
        "my foot",
        "нет",
        "bitte nicht",
        "😂",
        "❓",
    ],
)
def test_what_stands_behind_an_order_and_belongs_to_none_makes_it_unsure(
    route: Routed, order: str, joint: str, tail: str
) -> None:
    assert not is_asked_for(route(f"{order}{joint}{tail}"))


@pytest.mark.parametrize(
    "text",
    [
        "approve the discount on PO-2201",
        "approve half of PO-2201",
        "approve 2 of PO-2201",
        "approve the order before PO-2201",
        "approve PO-2201's invoice",
        "assign WO-1042 to Tom Becker's boss",
        "assign WO-1042 to whoever replaces Tom Becker",
        "archive the translation of DOC-019",
        "archive page 3 of DOC-019",
        "order 4 impeller pullers",
        "order 4 alternatives to impellers",
        "Tom Becker, approve PO-2201",
        "hi Tom Becker, please approve PO-2201",
        "Not allowed:\napprove PO-2201",
        "Rejected ideas\n- approve PO-2201",
        "see below\n\napprove PO-2201",
        "-- approve PO-2201",
        "<!-- approve PO-2201 -->",
        "yeah right approve PO-2201",
        "approve or reject PO-2201",
        "PO-2201 needs to be approved by Ana Costa",
        "approve the purchase order that Tom Becker made, not PO-2201",
        "approve PO-2201 on Monday",
        "approve PO-2201 tomorrow",
        "approve PO-2201 since when",
        "approve PO-2201 cause why not",
        "approve PO-2201 because the anodes are gone oops wrong chat",
        "approve PO-2201 if it's not the order for the anodes",
        "approve PO-2201 when you get the anodes",
        "approve PO-2201, she hasn't agreed",
        "approve PO-2201, it was denied",
        "approve PO-2201, we do it next week",
        "approve a third of PO-2201",
        "archive the second of DOC-019",
        "approve PO-2201 or another",
        "assign WO-1042 to Tom Becker or me",
        "approve PO-2201 14:00-15:00",
        "approve PO-2201 number 3",
        "approve PO-2201 miles",
        "approve PO-2201, it depends",
        "approve PO-2201, it needs two signatures first",
        "approve PO-2201, for Ana Costa to decide",
        "approve PO-2201 by mistake",
        "approve PO-2201 until the refit",
        "approve PO-2201 without the freight",
        "approve the PO-2201 deposit",
        "approve PO-2201 for now",
        "order 4 litres of impellers",
        "log about 8 hours of rest for Tom Becker",
        "log up to 8 hours of rest for Tom Becker",
        "close WO-1042 without ordering parts",
        "order 4 impeller generators",
        "stop close WO-1042",
        "approve PO-2201 because we don't need it",
        "close WO-1042, don't need to close it",
        "close WO-1042, we don't need it today",
        "close WO-1042 from Ana Costa",
        "order 4 impellers from Tom Becker",
        "approve PO-2201 and another",
        "close WO-1042: assuming Ana Costa agrees",
        "close WO-1042: tomorrow morning",
        "close WO-1042: it must never be closed like that",
        "close WO-1042: no, leave it",
        "close WO-1042: this was a joke",
        "close WO-1042: do we want that?",
        "archive the number of DOC-019",
        "approve PO-2201 because the work starts Monday",
        "approve PO-2201 because the parts come tomorrow",
        "approve PO-2201 because the captain must sign first",
        "approve PO-2201 because I meant PO-2202",
        "approve PO-2201 because it came by mistake",
        "approve PO-2201, because the chief is against it",
        "close WO-1042: please don't",
        "close WO-1042: no wait",
        "close WO-1042: if the test passes",
        "close WO-1042: on Friday",
        "close WO-1042: still leaking, do not close",
        "close WO-1042: need approval first",
        "approve PO-2201 that can wait",
        "archive the impeller fire plan",
        "archive the fire plan, DOC-019 stays",
    ],
)
def test_what_is_meant_may_be_another_thing_or_nothing(route: Routed, text: str) -> None:
    assert not is_asked_for(route(text))


@pytest.mark.parametrize(
    ("text", "is_asked"),
    [
        ("share WO-1036 and WO-1038 with the yard", True),
        ("share WO-1036 to WO-1038 with the yard", False),
        ("share WO-1036 - WO-1038 with the yard", False),
        ("share WO-1036 with another yard", False),
        ("share WO-1036 with all yards", False),
        ("share WO-1036 with the yard so they can see it", True),
        ("share WO-1036 with the yard that can wait", False),
    ],
)
def test_of_a_range_the_ends_are_not_all_of_it(both: Router, text: str, is_asked: bool) -> None:
    routing = both.route(text)

    assert routing.action == "share_with_shipyard"
    assert is_asked_for(routing) is is_asked


@pytest.mark.parametrize(
    "text",
    [
        *ORDERS,
        "please approve PO-2201 now, thanks",
        "approve PO-2201 if you can",
        "could you approve PO-2201 for me right away?",
        "ok, approve PO-2201, the anodes are gone",
        "approve PO-2201, we need it",
        "approve PO-2201 because the anodes are gone",
        "approve PO-2201 when you get a chance",
        "could you approve PO-2201 if it's not too much trouble",
        "approve the whole of PO-2201",
        "approve PO-2201 ❤️",
        "approve purchase order PO-2201 👍",
        "The anodes are gone.\nApprove PO-2201.",
        "hi,\nplease approve PO-2201\nthanks",
        "assign the job WO-1042 to Tom Becker",
        "order 4 impellers 🙏",
        "order another 4 impellers",
        "close WO-1042 because we don't need it",
        "close WO-1042, not needed any more",
        "close WO-1042, it was done yesterday",
        "mark WO-1042 done",
        "close WO-1042: no leaks found",
        "close WO-1042: seal replaced, all dry",
        "sign WO-1042 off please",
        "mark WO-1042 complete",
        "log 8h rest for Tom Becker",
        "log 8 hours of rest for Tom Becker",
    ],
)
def test_an_order_with_its_courtesies_and_reasons_is_asked_for(route: Routed, text: str) -> None:
    routing = route(text)

    assert is_asked_for(routing)
    assert not any(reason.startswith(UNCOVERED_TOKENS) for reason in routing.reasons)


@pytest.mark.parametrize(
    ("text", "unread"),
    [
        ("approve PO-2201 oops wrong chat", "oops wrong chat"),
        ("archive DOC-019 oops wrong chat", "oops wrong chat"),
        ("order 4 impellers oops wrong chat", "oops wrong chat"),
        ("approve PO-2201 🤷‍♀️", "🤷♀"),
        ("-- approve PO-2201", "--"),
    ],
)
def test_what_is_held_for_words_names_them_and_keeps_its_confidence(
    route: Routed, text: str, unread: str
) -> None:
    routing = route(text)

    assert routing.held == "unread"
    assert routing.confidence > 0.5
    assert f"{UNCOVERED_TOKENS}{unread}" in routing.reasons


@pytest.mark.parametrize(
    ("order", "action"),
    [
        ("close WO-1042", "close_work_order"),
        ("approve PO-2201", "approve_purchase_order"),
        ("order 4 impellers", "order_part"),
    ],
)
@pytest.mark.parametrize(
    "told",
    [
        "we are leaving the yard",
        "the yard called",
        "we shared the job list",
        "I uploaded the photo",
        "the compliance report is submitted",
        "the certificate expired",
        "the stock is low",
    ],
)
def test_what_is_told_beside_an_order_names_no_other_action(
    route: Routed, order: str, action: str, told: str
) -> None:
    for text in (f"{told}, {order}", f"{told}. {order}.", f"{order}, {told}"):
        assert route(text).action == action, text
