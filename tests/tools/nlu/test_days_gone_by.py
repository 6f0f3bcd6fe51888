"""Which day a slot of what was takes, and which it has to ask about; said on a Sunday."""

import pytest

from tests.tools.nlu.filling import Filling


@pytest.mark.parametrize(
    ("text", "day"),
    [
        ("log 9 hours of rest for Ana the day before yesterday", "2026-06-12"),
        ("put down 8 hours rest for Tom on Monday", "2026-06-08"),
        ("log 8 hours rest for Tom on Saturday", "2026-06-13"),
        ("log 8 hours rest for Tom for Friday", "2026-06-12"),
        ("log 8 hours rest for Tom on Mon", "2026-06-08"),
        ("book 12 hours rest for Priya Saturday", "2026-06-13"),
        ("log 8 hours of rest for Tom on the 10th", "2026-06-10"),
        ("log 8 hours of rest for Tom on the 19th", "2026-05-19"),
        ("log 8 hours of rest for Tom on the 31st", "2026-05-31"),
        ("Ana had 9 hours of rest on Saturday, log it", "2026-06-13"),
        ("log 8 hours rest for Ana last night", "2026-06-13"),
        ("enter last night's rest of Hugo, 8 hours", "2026-06-13"),
        ("log Tom's rest for Monday, 8 hours", "2026-06-08"),
        ("log 8 hours of rest for Tom on the 3rd of May", "2026-05-03"),
        ("log 8 hours of rest for Tom, the audit is on Friday", None),
        ("log 8 hours of rest for Tom", None),
    ],
)
def test_of_what_was_a_day_of_the_week_is_the_last_one(
    fill: Filling, text: str, day: str | None
) -> None:
    filled = fill("log_hours_of_rest", text)

    assert filled.values.get("day") == day
    assert not filled.not_found


@pytest.mark.parametrize(
    ("text", "asked"),
    [
        ("log 8 hours of rest for Tom on Sunday", "sunday"),  # which it is today
        ("log 8 hours of rest for Tom on 5 December", "5 december"),  # more than half a year ago
        ("log Tom's rest for next Monday, 8 hours", "next monday"),
        ("log 8 hours of rest for Tom last week", "last week"),
        ("log 8 hours of rest for Tom the other day", "the other day"),
        ("log 8 hours of rest for Tom two nights ago", "two nights ago"),
        ("log 8 hours of rest for Tom on Fri and Sat", "fri or sat"),
        ("log 8 hours of rest for Tom on Monday or Tuesday", "monday or tuesday"),
        ("log 8 hours of rest for Tom from Monday to Friday", "monday or friday"),
        ("log 8 hours of rest for Tom on 12/05/2026", "12/05/2026"),
        ("log 8 hours of rest for Tom on 12/5", "12/5"),
        ("log 8 hours of rest for Tom on Friday 12", "friday 12"),
    ],
)
def test_a_day_of_what_was_that_cannot_be_told_never_becomes_today(
    fill: Filling, text: str, asked: str
) -> None:
    filled = fill("log_hours_of_rest", text)

    assert "day" not in filled.values
    assert filled.not_found == {"day": asked}


@pytest.mark.parametrize(
    ("text", "values"),
    [
        ("class certificate expires the day after tomorrow", {"expires": "2026-06-16"}),
        (
            "change the expiry of the class certificate from 2026-12-01 to 2027-12-01",
            {"expires": "2027-12-01"},
        ),
        (
            "change the issue date of the class certificate from 2020-01-01 to 2020-02-01",
            {"issued": "2020-02-01"},
        ),
        (
            "the class certificate was issued 2026-01-01 and expires 2027-01-01, update it",
            {"expires": "2027-01-01", "issued": "2026-01-01"},
        ),
    ],
)
def test_each_day_goes_to_the_slot_that_it_is_named_for(
    fill: Filling, text: str, values: dict[str, str]
) -> None:
    filled = fill("update_certificate_metadata", text)

    assert filled.values == {"certificate": "class certificate", **values}


@pytest.mark.parametrize(
    ("text", "since"),
    [
        ("show hours of rest from 2026-06-01 to 2026-06-10", "2026-06-01"),
        ("show hours of rest since the 8th", "2026-06-08"),
        ("did Ben get any rest on Friday", None),
    ],
)
def test_where_a_time_begins_is_its_first_day(fill: Filling, text: str, since: str | None) -> None:
    assert fill("show_hours_of_rest", text).values.get("since") == since
