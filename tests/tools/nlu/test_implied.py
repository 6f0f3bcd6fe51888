"""What follows from what a text tells, though no verb orders it."""

import pytest

from state.policy import IMPLIED
from tools.nlu.intents.router import Router

pytestmark = pytest.mark.xdist_group("both-packs")  # one worker learns them, once


@pytest.mark.parametrize(
    ("text", "action"),
    [
        ("I have finished TSK-101", "complete_task"),
        ("Ana shouldn't have access to DOC-012 any more", "unshare_document"),
        ("we don't want PO-2004 any more", "cancel_purchase_order"),
        ("could TSK-101 come off, it got finished by accident", "reopen_task"),
        (
            "the radio licence was renewed, it is good until 2027-08-31",
            "update_certificate_metadata",
        ),
        # Two things that are named, and what the one is to the other.
        ("1055 is Priya's", "assign_work_order"),
        ("mast light inspection: Tom", "assign_task"),
        # Whom it is left to is the one that the action takes.
        ("let Chiara look at our library", "share_library"),
    ],
)
def test_a_change_that_follows_from_what_is_told_is_offered_and_never_sure(
    both: Router, text: str, action: str
) -> None:
    routing = both.route(text)

    assert routing.action == action
    assert IMPLIED in routing.reasons
    assert routing.confidence < 0.5


@pytest.mark.parametrize(
    "text",
    [
        "never share the fire plan with Ana",
        "Tom said he closed WO-1042",
        "I already finished TSK-101 yesterday",
        "they finished TSK-101",
        "thinking of giving the fire plan to Ana some day, sharing it might help",
        "ask Ben to assign WO-1042 to Ana",
        "can engineers approve purchase orders?",
    ],
)
def test_the_contrary_of_what_is_denied_or_told_is_not_implied(both: Router, text: str) -> None:
    routing = both.route(text)

    assert IMPLIED not in routing.reasons
    assert routing.action is None


@pytest.mark.parametrize(
    ("text", "contrary"),
    [
        ("WO-1042 was closed", "reopen_work_order"),
    ],
)
def test_what_would_take_back_a_change_that_is_told_as_done_is_not_offered(
    both: Router, text: str, contrary: str
) -> None:
    assert both.route(text).action != contrary


def test_what_somebody_wants_to_see_is_offered_and_what_she_said_is_not(both: Router) -> None:
    wanted = both.route("the surveyor wants to see the service history of the port generator")
    said = both.route("she said show the service history of the port generator")

    assert (wanted.action, wanted.held) == ("show_equipment_history", "mood")
    assert IMPLIED in wanted.reasons
    assert IMPLIED not in said.reasons


@pytest.mark.parametrize(
    "text",
    [
        "The shipyard people were friendly",
        "Our emergency generator is older than the third officer",
        "I slept like a log",
        "The captain is in a good mood today",
        "We had a great time in Antibes",
        "Science is hard",
        "We had pizza after the reading group",
        "I compared the two papers already",
        "We searched for papers on corals for hours last night",
    ],
)
def test_chat_is_answered_with_no_offer(both: Router, text: str) -> None:
    routing = both.route(text)

    assert routing.action is None
    assert all(one.confidence < 0.25 for one in routing.alternatives)


@pytest.mark.parametrize(
    ("text", "action"),
    [
        (
            "nobody has looked at the service history of the port generator",
            "show_equipment_history",
        ),
        ("it would be easier if mert@lab.example could see the library", "share_library"),
        ("I haven't seen the abstract of P-2 yet", "show_paper"),
    ],
)
def test_what_is_not_so_or_would_be_good_is_told_too(both: Router, text: str, action: str) -> None:
    routing = both.route(text)

    assert routing.action == action
    assert routing.held == "mood" or routing.confidence < 0.5


@pytest.mark.parametrize(
    "text",
    [
        "nobody should close WO-1042",
        "WO-1042 must not be closed",
        "it would be better not to close WO-1042",
    ],
)
def test_a_doing_that_is_denied_implies_nothing(both: Router, text: str) -> None:
    assert both.route(text).action is None
