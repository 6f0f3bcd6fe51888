"""Verbs that bring something to the person ask for no change of it."""

import pytest

from tools.nlu.intents.router import Router

pytestmark = pytest.mark.xdist_group("both-packs")  # one worker learns them, once


@pytest.mark.parametrize(
    "text",
    [
        "open the compliance report",
        "print the compliance report",
        "download the compliance report",
        "get the compliance report",
        "open the assignment of WO-1038",
        "open the approval of PO-2004",
        "open the note on WO-1041",
        "open the delivery of PO-2004",
        "get TSK-104",
    ],
)
def test_who_only_looks_is_asked_for_no_yes(both: Router, text: str) -> None:
    routing = both.route(text)
    assert routing.confidence < 0.5 or routing.action == "show_work_order"


@pytest.mark.parametrize(
    ("text", "action"),
    [
        ("open a work order for the bilge pump", "create_work_order"),
        ("open TSK-101 again", "reopen_task"),
        ("get WO-1042 closed", "close_work_order"),
        ("print the handover", "export_handover"),
        ("submit the compliance report", "submit_compliance_report"),
    ],
)
def test_who_does_something_by_such_a_verb_is_asked(both: Router, text: str, action: str) -> None:
    routing = both.route(text)
    assert routing.action == action
    assert routing.confidence > 0.6
