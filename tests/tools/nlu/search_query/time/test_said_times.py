"""A time is read, or told as left out; it is never searched for as words."""

from datetime import date

import pytest

from tools.nlu.search_query.parser import read_search_fields, unfollowed_note

TODAY = date(2026, 5, 20)


@pytest.mark.parametrize(
    ("said", "first", "last"),
    [
        ("since '19", 2019, None),
        ("from '19", 2019, 2019),
        ("after '99", 2000, None),
        ("between '15 and '18", 2015, 2018),
        ("since twenty twenty", 2020, None),
        ("since twenty-twenty-one", 2021, None),
        ("before nineteen ninety-five", None, 1994),
        ("in two thousand and five", 2005, 2005),
        ("since twenty oh nine", 2009, None),
        ("a decade ago", 2016, 2016),
        ("from two decades ago", 2006, 2006),
        ("a year ago", 2025, 2025),
        ("from around ten years ago", 2015, 2017),
        ("since a couple of years ago", 2024, None),
        ("until five years ago", None, 2021),
        ("before 3 years ago", None, 2023),
        ("from 3 weeks ago", 2026, 2026),
        ("ten years ago until five years ago", 2016, 2021),
        ("from ten years ago to five years ago", 2016, 2021),
        ("between ten and five years ago", 2016, 2021),
        ("from 10 to 5 years ago", 2016, 2021),
        ("this century", 2001, 2026),
        ("by the end of 2020", None, 2020),
        ("past 3-5 years", 2021, 2026),
        ("in the last three to five years", 2021, 2026),
        ("no older than 3-5 years", 2021, 2026),
        ("from the last twenty-five years", 2001, 2026),
        ("-2018", None, 2018),
        (", -2018", None, 2018),
        ("2018-", 2018, None),
        ("since last Christmas", 2025, None),
        ("since Christmas", 2025, None),
        ("before Christmas 2022", None, 2022),
        ("since 15/06/2021", 2021, None),
        ("since 2024-1", 2024, None),
        ("until twenty thirty", None, 2030),
    ],
)
def test_times_are_read_however_they_are_said(
    said: str, first: int | None, last: int | None
) -> None:
    text = f"papers on bees {said}"

    reading = read_search_fields(text, TODAY)

    assert (reading.search.year_from, reading.search.year_to) == (first, last)
    assert reading.search.query_terms == ("bees",)
    assert unfollowed_note(text, reading.sources) == ""


@pytest.mark.parametrize(
    "said",
    [
        "before 1500",
        "since 1234",
        "between 1500 and 1700",
        "published before 1492",
        "since 2024-13",
        "since 2024-00",
        "before 2024-02-30",
        "until 13/2024",
        "since 01/06/2021",
        "since last Easter",
        "since Easter 2023",
        "since last semester",
        "since our last meeting",
        "since twenty thirty",
    ],
)
def test_times_that_cannot_be_read_are_told(said: str) -> None:
    text = f"papers on bees {said}"

    reading = read_search_fields(text, TODAY)

    assert (reading.search.year_from, reading.search.year_to) == (None, None)
    assert reading.search.query_terms == ("bees",)
    assert f"“{said}”" in unfollowed_note(text, reading.sources)


@pytest.mark.parametrize(
    "topic",
    [
        "sea level since the last glacial maximum",
        "retail sales before Christmas",
        "battery ageing after 1000 cycles",
        "care between 1000 and 1500 patients",
        "vision in twenty twenty patients",
        "twenty twenty vision",
        "fires 20 million years ago",
        "art of this century",
        "the class of '68",
        "speech in last place",
    ],
)
def test_times_that_papers_are_about_stay(topic: str) -> None:
    reading = read_search_fields(f"papers on {topic}", TODAY)

    assert reading.sources == ()
    assert reading.search.topic in (topic, topic.removeprefix("the "))
