"""A change is asked for of what the asking clause names, and never of what it excludes."""

import pytest

from tools.nlu.intents.router import Router

pytestmark = pytest.mark.xdist_group("both-packs")  # one worker learns them, once


@pytest.mark.parametrize(
    ("text", "slot", "choices"),
    [
        ("WO-1041 and WO-1042 are finished. Close it.", "work_order", ("WO-1041", "WO-1042")),
        ("Don't close WO-1042 nor WO-1041, reopen it", "work_order", ()),
        (
            "PO-2004 is fine. PO-2000 and PO-2001 are not, cancel it",
            "purchase_order",
            ("PO-2000", "PO-2001", "PO-2004"),
        ),
        ("Don't cancel PO-2004. Cancel the other one", "purchase_order", ()),
        ("Don't approve PO-2004, approve another one", "purchase_order", ()),
        ("PO-2004 stays. Approve the other order", "purchase_order", ()),
        ("WO-1042 is done. Close the remaining one.", "work_order", ()),
        ("Don't close WO-1042, show me this week's work orders", "work_order", ()),
        ("Don't discard the report. Keep it.", "report", ()),
    ],
)
def test_which_of_several_is_asked_and_what_is_excluded_is_not_taken(
    both: Router, text: str, slot: str, choices: tuple[str, ...]
) -> None:
    routing = both.route(text)

    assert slot not in routing.slots
    assert routing.choices.get(slot, ()) == choices


@pytest.mark.parametrize(
    ("text", "slots"),
    [
        ("PO-2000 is not mine. Approve PO-2004.", {"purchase_order": "PO-2004"}),
        ("WO-1041 isn't ready, please close WO-1042", {"work_order": "WO-1042"}),
        ("Because WO-1041 replaces WO-1042, cancel WO-1042", {"work_order": "WO-1042"}),
        ("WO-1037 stays. WO-1038 isn't needed, cancel it.", {"work_order": "WO-1038"}),
        ("Don't close WO-1042. WO-1041 is done, close it", {"work_order": "WO-1041"}),
        ("P-3 was poor. Rate P-4 five stars.", {"paper": "P-4"}),
        ("add P-3 to the library, P-4 too", {"papers": ["P-3", "P-4"]}),
    ],
)
def test_what_is_asked_about_counts_and_not_what_was_told_before(
    both: Router, text: str, slots: dict[str, object]
) -> None:
    found = both.route(text).slots

    assert {name: found.get(name) for name in slots} == slots
