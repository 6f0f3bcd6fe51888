"""What is denied at one end of time is a bound at the other, whatever the papers are about."""

from datetime import date

import pytest

from tools.nlu.search_query.parser import read_search_fields, unfollowed_note

TODAY = date(2026, 5, 20)


@pytest.mark.parametrize(
    ("text", "first", "last"),
    [
        ("no papers on coral from before 2015", 2015, None),
        ("no studies about coral reefs older than 2010", 2010, None),
        ("no more articles on coral after 2018", None, 2018),
        ("papers on coral from before 2015", None, 2014),
        ("no articles on soil, papers on coral before 2015", None, 2014),
    ],
)
def test_a_denied_year_bounds_the_other_end(text: str, first: int | None, last: int | None) -> None:
    search = read_search_fields(text, TODAY).search
    assert (search.year_from, search.year_to) == (first, last)


def test_the_topic_is_without_the_denial() -> None:
    assert read_search_fields("no papers on coral from before 2015", TODAY).search.topic == "coral"


def test_only_a_year_is_no_number_of_papers() -> None:
    search = read_search_fields("papers on drone swarms, only 2024", TODAY).search
    assert (search.year_from, search.year_to, search.limit) == (2024, 2024, 10)


def test_only_a_number_is_one() -> None:
    assert read_search_fields("papers on drone swarms, only 20", TODAY).search.limit == 20


@pytest.mark.parametrize(
    "text",
    [
        "papers on bees from 2019, 2020 excluded, to 2022",
        "papers on bees from 2019 (2020 excluded) to 2022",
        "papers on bees from 2019, without 2020, until 2022",
        "papers on bees from 2019 but not 2020 to 2022",
        "papers on bees from 2019, excluding 2020, to 2022",
    ],
)
def test_a_year_left_out_inside_a_range_leaves_its_ends(text: str) -> None:
    reading = read_search_fields(text, TODAY)
    search = reading.search
    assert (search.topic, search.year_from, search.year_to) == ("bees", 2019, 2022)
    told = unfollowed_note(text, reading.sources)
    assert "2020" in told
    assert "(years cannot be left out)" in told


@pytest.mark.parametrize(
    ("text", "last"),
    [
        ("bees with none since 2015", 2014),
        ("papers on bees, none after 2019", 2019),
        ("bees with none at all since 2015", 2014),
        ("papers on bees with none whatsoever after 2019", 2019),
    ],
)
def test_none_since_and_none_after_end_before_and_with_that_year(text: str, last: int) -> None:
    search = read_search_fields(text, TODAY).search
    assert (search.topic, search.year_from, search.year_to) == ("bees", None, last)


def test_what_others_agreed_to_exclude_is_a_topic() -> None:
    search = read_search_fields("papers on why parties agreed to exclude 2020", TODAY).search
    assert search.topic == "parties agreed to exclude 2020"
