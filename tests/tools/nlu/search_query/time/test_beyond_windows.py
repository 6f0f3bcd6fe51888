"""What is older than a window, and what comes before or after a year by a verb of dating."""

from datetime import date

import pytest

from tools.nlu.search_query.parser import read_search_fields

TODAY = date(2026, 5, 20)


@pytest.mark.parametrize(
    ("said", "first", "last"),
    [
        ("older than the last decade", None, 2016),
        ("from before the past decade", None, 2016),
        ("older than the past 5 years", None, 2021),
        ("earlier than the last three years", None, 2023),
        ("from the last decade", 2016, 2026),
        ("that predate 2000", None, 1999),
        ("predating 2010", None, 2009),
        ("that postdate 2015", 2016, None),
        ("postdating 2015", 2016, None),
    ],
)
def test_the_window_or_year_is_a_bound_and_no_topic(
    said: str, first: int | None, last: int | None
) -> None:
    search = read_search_fields(f"papers on bees {said}", TODAY).search
    assert (search.year_from, search.year_to, search.topic) == (first, last, "bees")
