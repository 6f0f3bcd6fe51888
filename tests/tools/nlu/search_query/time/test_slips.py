"""A slip in the word before a year, or no space behind it, loses no time."""

from datetime import date

import pytest

from tools.nlu.search_query.parser import read_search_fields

TODAY = date(2026, 5, 20)


@pytest.mark.parametrize(
    ("said", "first", "last"),
    [
        ("sinse 2020", 2020, None),
        ("sence 2017", 2017, None),
        ("snice March 2021", 2021, None),
        ("frm 2020", 2020, 2020),
        ("fron 2018", 2018, 2018),
        ("befor 2020", None, 2019),
        ("betwen 2015 and 2018", 2015, 2018),
        ("upto 2015", None, 2015),
        ("SINCE2020", 2020, None),
        ("after2020", 2021, None),
        ("until2019", None, 2019),
        ("going back to 2015", 2015, None),
        ("reaching back as far as 2012", 2012, None),
        ("as far back as 2015", 2015, None),
        ("following 2015", 2016, None),
        ("since the turn of the century", 2000, None),
        ("since the turn of the millennium", 2000, None),
        ("in the last decade and a half", 2011, 2026),
        ("from the past year and a half", 2024, 2026),
        ("max 5 years old", 2021, 2026),
        ("maximum of 3 years old", 2023, 2026),
    ],
)
def test_a_time_is_read_and_no_word_of_it_searched_for(
    said: str, first: int | None, last: int | None
) -> None:
    search = read_search_fields(f"papers on tea {said}", TODAY).search

    assert (search.year_from, search.year_to) == (first, last)
    assert search.query_terms == ("tea",)


@pytest.mark.parametrize(
    "topic",
    [
        "frm and credit risk",
        "the following 2015 guidelines",
        "monetary policy following the 2008 crisis",
        "form 2020",
        "women in their twenties",
        "vienna at the turn of the century",
        "going back to school",
        "storage for max 5 years",
        "tea from2020a",
    ],
)
def test_what_is_no_time_stays_in_the_topic(topic: str) -> None:
    search = read_search_fields(f"papers on {topic}", TODAY).search

    assert (search.year_from, search.year_to) == (None, None)
