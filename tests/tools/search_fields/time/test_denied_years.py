"""What is denied at one end of time is a bound at the other, whatever the papers are about."""

from datetime import date

import pytest

from tools.search_fields.fields import read_search_fields

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
