"""A time to come that no slot can hold leaves a change to the person; other days do not."""

from pathlib import Path

import pytest

from tests.tools.nlu.conftest import Routed
from tests.tools.nlu.filling import Timing, timing_of
from tools.nlu.intents.router import Router


@pytest.mark.parametrize(
    "text",
    [
        "close WO-1042 tomorrow",
        "tomorrow, please close WO-1042",
        "close it for me, WO-1042, next week",
    ],
)
def test_a_change_at_another_time_is_never_sure(route: Routed, text: str) -> None:
    routing = route(text)

    assert routing.confidence <= 0.45
    assert any(one.startswith("no_slot_for:") for one in routing.reasons)


@pytest.mark.parametrize(
    "text",
    ["show WO-1042 tomorrow", "close WO-1042 today", "add note to WO-1042: look again tomorrow"],
)
def test_reads_today_and_told_words_are_left_alone(route: Routed, text: str) -> None:
    assert not any(one.startswith("no_slot_for:") for one in route(text).reasons)


def test_a_date_is_to_come_only_when_today_is_known(router: Router, data_dir: Path) -> None:
    (data_dir / "orders.json").write_text('{"WO-1042": []}')
    routing = router.route("close WO-1042 on 2026-05-01", data_dir=data_dir)

    assert not any(one.startswith("no_slot_for:") for one in routing.reasons)


@pytest.fixture(scope="module")
def unheld(learnt_once: Path) -> Timing:
    return timing_of(learnt_once)


@pytest.mark.parametrize(
    "when",
    [
        "in an hour",
        "in half an hour",
        "in 30 min",
        "within two hours",
        "tonight",
        "this evening",
        "in the morning",
        "at the weekend",
        "next quarter",
        "at 1800",
        "at 18:00",
        "at 6 pm",
        "at six",
        "by 6 pm",
        "before noon",
        "after lunch",
        "first thing Monday",
        "on Friday",
        "on the 19th",
        "on 5.12.2026",
        "in January",
        "the day after tomorrow",
        "a week from tomorrow",
        "from tomorrow on",
        "two weeks after the survey",
        "for a week",
        "every month",
        "every 3 weeks",
        "every second Friday",
        "monthly",
        "weekly",
        "twice a year",
        "on Mondays",
        "from now on",
        "each time we stop",
        "every time we run low",
        "after the meeting",
        "following the inspection",
        "during the audit",
        "upon delivery",
        "on completion of the survey",
        "pending the quote",
        "weather permitting",
    ],
)
def test_no_time_of_an_order_is_dropped_in_silence(unheld: Timing, when: str) -> None:
    assert unheld("approve_purchase_order", f"approve PO-1997 {when}") == when.lower()
    assert unheld("clear_library", f"empty the library {when}, please") == when.lower()


@pytest.mark.parametrize(
    ("text", "when"),
    [
        ("after lunch, approve PO-1997", "after lunch"),
        ("tonight, approve PO-1997", "tonight"),
        ("approve PO-1997, weather permitting", "weather permitting"),
        ("approve PO-1997 after the survey please", "after the survey"),
    ],
)
def test_a_time_may_stand_alone_before_the_order_or_behind_it(
    unheld: Timing, text: str, when: str
) -> None:
    assert unheld("approve_purchase_order", text) == when


@pytest.mark.parametrize(
    ("action", "text"),
    [
        ("approve_purchase_order", "approve PO-1997 after all"),
        ("approve_purchase_order", "approve PO-1997 now"),
        ("approve_purchase_order", "approve PO-1997 today"),
        ("approve_purchase_order", "approve the following order: PO-1997"),
        ("withdraw_purchase_approval", "withdraw PO-2003, I only saw it after I'd okayed it"),
        ("withdraw_purchase_approval", "return PO-2003 to pending approval"),
        ("add_note_to_work_order", "add a note to WO-1042: ran for an hour"),
        ("add_note_to_work_order", "add a note to WO-1042: runs hot, every time"),
        ("add_note_to_work_order", "add a note to WO-1042 that it tripped after lunch"),
        ("close_work_order", 'close WO-1042 with "no leaks, after 2 h"'),
        ("delete_note", "delete my note on the radar before anyone sees it"),
        ("generate_audit_pack", "create the pack for the audit on Thursday"),
        ("submit_compliance_report", "submit the compliance report for June"),
        ("submit_compliance_report", "submit the monthly compliance report"),
        ("update_running_hours", "set the running hours of the port generator at 1350"),
        ("log_hours_of_rest", "log 8 hours of rest for Tom on Monday"),
        ("name_channel", "name it after our course"),
        ("update_work_order", "move WO-1042 to next week"),
    ],
)
def test_what_is_told_or_held_or_names_a_thing_is_no_time_of_the_order(
    unheld: Timing, action: str, text: str
) -> None:
    assert unheld(action, text) is None


def test_a_slot_for_what_was_holds_no_time_to_come(unheld: Timing) -> None:
    assert unheld("export_compliance_logs", "export the compliance logs tonight") == "tonight"
    assert unheld("export_compliance_logs", "export the compliance logs monthly") == "monthly"
