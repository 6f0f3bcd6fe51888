"""Days told by their place in the week or the month, on a Sunday and at the ends of a year."""

from datetime import date

import pytest

from tools.nlu.intents.router import Router
from tools.nlu.lexicon.normalization import normalise
from tools.nlu.values.numbers import days_in

SUNDAY, NEW_YEARS_EVE = date(2026, 6, 14), date(2026, 12, 31)


@pytest.mark.parametrize(
    ("text", "today", "day"),
    [
        ("wash the tender by Friday", SUNDAY, "2026-06-19"),
        ("due Friday", SUNDAY, "2026-06-19"),
        ("no later than Monday", SUNDAY, "2026-06-15"),
        ("by Sunday", SUNDAY, "2026-06-14"),
        ("this coming Thursday", SUNDAY, "2026-06-18"),
        ("by Friday 26 June 2026", SUNDAY, "2026-06-26"),
        ("since Friday", SUNDAY, "2026-06-12"),
        ("last Sunday", SUNDAY, "2026-06-07"),
        ("by the end of the month", SUNDAY, "2026-06-30"),
        ("end of next week", SUNDAY, "2026-06-21"),
        ("by Friday", NEW_YEARS_EVE, "2027-01-01"),
        ("end of next month", NEW_YEARS_EVE, "2027-01-31"),
        ("by the end of the year", NEW_YEARS_EVE, "2026-12-31"),
        ("on Friday", SUNDAY, None),
        ("next Friday", SUNDAY, None),
        ("the Friday list", SUNDAY, None),
        ("the end of the mooring line", SUNDAY, None),
    ],
)
def test_a_day_is_read_where_its_direction_is_said(text: str, today: date, day: str | None) -> None:
    found = [one.value for one in days_in(normalise(text), today)]

    assert found == ([day] if day else [])


@pytest.mark.parametrize("text", ["yesterday", "three days ago", "last Friday", "since Monday"])
def test_what_lies_behind_is_marked(text: str) -> None:
    (found,) = days_in(normalise(text), SUNDAY)

    assert found.is_gone


@pytest.mark.parametrize(
    ("text", "day"),
    [
        ("update WO-1042 due last Friday", "last friday"),
        ("postpone WO-1042 to yesterday", "yesterday"),
        ("create a task check the pump for Ben due on 3 days ago", "3 days ago"),
        ("create a work order for the radar: it failed last Friday", None),
        ("update WO-1042, which was due last Friday, to high priority", None),
        ("update WO-1042 due Friday", None),
    ],
)
def test_what_is_said_to_be_due_on_a_day_gone_by_is_asked_about(
    both: Router, text: str, day: str | None
) -> None:
    routing = both.route(text, today=SUNDAY)

    assert routing.not_found.get("due") == day
    assert day is None or "due" not in routing.slots
