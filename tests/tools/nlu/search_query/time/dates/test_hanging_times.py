"""Times that hang on another are read; those that nobody can place are told, and no topic."""

from datetime import date

import pytest

from state.policy import SearchPolicy
from tools.nlu.search_query.parser import read_search_fields, unfollowed_note

TODAY = date(2026, 11, 26)
BEES = SearchPolicy(topic="bees", query_terms=("bees",))


@pytest.mark.parametrize(
    ("text", "first", "last"),
    [
        ("in the 18 months to June 2025", date(2024, 1, 1), date(2025, 6, 30)),
        ("in the year to June 2025", date(2024, 7, 1), date(2025, 6, 30)),
        ("from the 12 months ending March 2024", date(2023, 4, 1), date(2024, 3, 31)),
        ("during the two quarters until September 2024", date(2024, 4, 1), date(2024, 9, 30)),
        ("in the six months up to the end of 2024", date(2024, 7, 1), date(2024, 12, 31)),
    ],
)
def test_months_that_end_with_a_month_are_read(text: str, first: date, last: date) -> None:
    search = read_search_fields(f"papers on bees {text}", TODAY).search

    assert (search.date_from, search.date_to, search.topic) == (first, last, "bees")


@pytest.mark.parametrize("text", ["in the three years to 2020", "over the 3 years ending 2020"])
def test_years_that_end_with_a_year_are_whole(text: str) -> None:
    search = read_search_fields(f"papers on bees {text}", TODAY).search

    assert search == BEES.model_copy(update={"year_from": 2018, "year_to": 2020})


@pytest.mark.parametrize(
    "time",
    [
        "from FY2023", "since FY23", "in FY2022/23", "from fiscal year 2023",
        "from the academic year 2023", "from last fall", "from last autumn", "in last winter",
        "since last summer", "this spring", "last fall", "from the weekend", "since last weekend",
        "from the other day",
    ],
)  # fmt: skip
def test_a_time_that_cannot_be_placed_is_told(time: str) -> None:
    text = f"papers on bees {time}"

    reading = read_search_fields(text, TODAY)

    assert reading.search == BEES
    assert (
        unfollowed_note(text, reading.sources)
        == f"Not followed: “{time}” (no time that can be read)."
    )


@pytest.mark.parametrize(
    "topic",
    [
        "the fall of Rome", "last summer ice", "the weekend effect in hospitals", "weekend effects",
        "spring phenology", "years to retirement", "the road to 2030", "injuries at the weekend",
        "the weekend", "last winter",
    ],
)  # fmt: skip
def test_seasons_and_weekends_of_a_topic_stay(topic: str) -> None:
    text = f"papers on {topic}"

    reading = read_search_fields(text, TODAY)

    assert unfollowed_note(text, reading.sources) == ""
    assert topic.rsplit(maxsplit=1)[-1] in reading.search.query_terms
