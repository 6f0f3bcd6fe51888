"""Which day a slot takes of those that were said, and which it has to ask about; a Sunday."""

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from tests.tools.nlu.filling import SUNDAY, Filling
from tools.nlu.lexicon.normalization import normalise
from tools.nlu.values.date_offsets import DateDirection
from tools.nlu.values.dates import date_spans_in


@pytest.mark.parametrize(
    ("said", "due"),
    [
        ("due the day after tomorrow", "2026-06-16"),
        ("due a week from tomorrow", "2026-06-22"),
        ("due tomorrow week", "2026-06-22"),
        ("due Friday week", "2026-06-26"),
        ("to a week on Friday", "2026-06-26"),
        ("due two days after tomorrow", "2026-06-17"),
        ("two weeks from tomorrow", "2026-06-29"),
        ("due a week after 2026-12-01", "2026-12-08"),
        ("due the first Friday after 2026-12-01", "2026-12-04"),
        ("due two days before 2026-12-01", "2026-11-29"),
        ("due not tomorrow but Friday", "2026-06-19"),
        ("due Friday, not tomorrow", "2026-06-19"),
        ("to 2026-12-05 instead of 2026-12-01", "2026-12-05"),
        ("from 2026-12-01 to 2026-12-09", "2026-12-09"),
        ("from tomorrow to Friday", "2026-06-19"),
        ("from Monday to Friday", "2026-06-19"),
        ("from the 3rd to the 5th", "2026-07-05"),
        ("to Monday", "2026-06-15"),
        ("until Friday", "2026-06-19"),
        ("due the 19th", "2026-06-19"),
        ("to the 5th please", "2026-07-05"),
        ("due the 3rd of next month", "2026-07-03"),
        ("due 5.12.2026", "2026-12-05"),
        ("due 13/05/2027", "2027-05-13"),
        ("due 05/13/2027", "2027-05-13"),
        ("due 5/5/2027", "2027-05-05"),
        ("due 2026/12/05", "2026-12-05"),
        ("due the 5th of December 2026", "2026-12-05"),
        ("due the 5th of December", "2026-12-05"),
        ("due first of July", "2026-07-01"),
        ("due the end of June", "2026-06-30"),
        ("due December the first, 2026", "2026-12-01"),
        ("due the twenty-first of December 2026", "2026-12-21"),
        ("due December 5th, 2026", "2026-12-05"),
        ("due:2026-12-05", "2026-12-05"),
        ("due the end of December 2026", "2026-12-31"),
        ("due on or before Friday", "2026-06-19"),
        ("to Friday rather than Monday", "2026-06-19"),
        ("out to Friday", "2026-06-19"),
        ("on Friday", "2026-06-19"),
        ("on Fri", "2026-06-19"),
        ("due Weds", "2026-06-17"),
    ],
)
def test_a_day_that_lies_ahead_is_the_longest_and_the_newest_said(
    fill: Filling, said: str, due: str
) -> None:
    filled = fill("update_work_order", f"move WO-1042 {said}")

    assert filled.values == {"work_order": "WO-1042", "due": due}


@pytest.mark.parametrize(
    ("said", "asked"),
    [
        ("due tomorrow or Friday", "tomorrow or friday"),
        ("due 2026-12-05 or 2026-12-09", "2026-12-05 or 2026-12-09"),
        ("due between Monday and Friday", "monday or friday"),
        ("due tomorrow, no, Friday", "tomorrow or friday"),
        ("due tomorrow, I mean Friday", "tomorrow or friday"),
        ("due after tomorrow", "tomorrow"),
        ("due Friday or so", "due friday"),
        ("due in 2 weeks or 3", "2 weeks"),
        ("due before the weekend", "the weekend"),
        ("due the Friday after next", "the friday after next"),
        ("due Friday next week", "friday next week"),
        ("due every Friday", "every friday"),
        ("to next Friday", "next friday"),
        ("to Sunday", "sunday"),  # which it is today
        ("from 2026-12-01 to next Friday", "next friday"),
        ("next week", "next week"),
        ("to next month", "next month"),
        ("to December", "december"),
        ("due soon", "soon"),
        ("due half a week from tomorrow", "half a week from tomorrow"),
        ("due two weeks after the survey", "two weeks after the survey"),
        ("due 12/05/2026", "12/05/2026"),
        ("due 5/12", "5/12"),
        ("due 5.12.", "5.12"),
        ("due 5/12/26", "5/12/26"),
        ("due 12/2026", "12/2026"),
        ("due week 27", "week 27"),
        ("due Christmas", "christmas"),
        ("due the end of May", "due the end of may"),  # just over, or eleven months off
        ("due 31 June", "31 june"),
        ("to 31.06.2026", "31.06.2026"),
        ("due the 20th of December", "the 20th of december"),  # more than half a year off
        ("due the day before yesterday", "the day before yesterday"),
    ],
)
def test_a_day_that_cannot_be_told_is_asked_about(fill: Filling, said: str, asked: str) -> None:
    filled = fill("update_work_order", f"move WO-1042 {said}")

    assert (filled.values, filled.not_found) == ({"work_order": "WO-1042"}, {"due": asked})


@pytest.mark.parametrize(
    ("text", "due"),
    [
        ("WO-1042 was due 2026-12-01, make it 2026-12-09", "2026-12-09"),
        ("WO-1042 is due 2026-12-01, make it 2026-12-09", "2026-12-09"),
        ("change the due date of WO-1042 from 2026-12-01 to 2026-12-05", "2026-12-05"),
        ("make WO-1042 due 2026-12-05, I am away on 2026-12-09", "2026-12-05"),
    ],
)
def test_of_two_days_the_new_one_is_taken(fill: Filling, text: str, due: str) -> None:
    assert fill("update_work_order", text).values["due"] == due


@pytest.mark.parametrize(
    ("text", "moved"),
    [
        ("postpone WO-1042 two weeks", "+2 weeks"),
        ("postpone WO-1042 by two weeks from its current date", "+2 weeks"),
        ("postpone WO-1042 two weeks from tomorrow", None),
        ("postpone WO-1042 to two weeks after the survey", None),
    ],
)
def test_what_is_counted_from_another_day_is_no_move(
    fill: Filling, text: str, moved: str | None
) -> None:
    assert fill("update_work_order", text).values.get("due_moved") == moved


@pytest.mark.parametrize(
    ("text", "title"),
    [
        ("create a task wash the deck on Friday", "wash the deck on Friday"),
        ("create a task change the rota to Monday", "change the rota to Monday"),
        ("create a task polish the silver before Friday", "polish the silver before Friday"),
        (
            "create a task change the rota from Sunday to Monday",
            "change the rota from Sunday to Monday",
        ),
        ("create a task: tell Ben, we leave in December", "tell Ben, we leave in December"),
    ],
)
def test_a_day_that_may_be_of_what_is_told_stays_there(
    fill: Filling, text: str, title: str
) -> None:
    filled = fill("create_task", text)

    assert filled.values.get("due") is None
    assert not filled.not_found
    assert str(filled.values["title"]) == title


_PIECES = (
    *(
        "due",
        "due:",
        "by",
        "to",
        "from",
        "on",
        "the",
        "a",
        "two",
        "weeks",
        "day",
        "after",
        "before",
    ),
    *("tomorrow", "x'tomorrow", "friday", "fri", "next", "last", "week", "night", "31st", "ago"),
    *("2026-12-01", "9999-12-31", "0000-00-00", "5.12.", "12/05/2026", "december", "may", "or"),
    *("first of", "end of", "999", "fortnights", ",", "(", "'", "_", "\n"),
)


@given(
    pieces=st.lists(st.sampled_from(_PIECES), max_size=12),
    between=st.sampled_from([" ", ""]),
    toward=st.sampled_from(DateDirection),
)
@example(pieces=["due", "_"], between=" ", toward=DateDirection.AHEAD)
@example(pieces=["friday", "after", "9999-12-31"], between=" ", toward=DateDirection.AHEAD)
@example(pieces=["due:", "2026-12-01"], between="", toward=DateDirection.AHEAD)
def test_whatever_is_said_no_two_days_share_what_says_them(
    pieces: list[str], between: str, toward: DateDirection
) -> None:
    normal = normalise(between.join(pieces))
    places = [
        place for one in date_spans_in(normal, SUNDAY, toward) for place in range(one.core, one.end)
    ]

    assert len(places) == len(set(places))
    assert set(places) <= set(range(len(normal.tokens)))
