"""Parts of a year: last year and this year have the same ones as a year by number."""

from datetime import date
from itertools import product

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tools.nlu.search_query.parser import read_search_fields

TODAY = date(2026, 5, 20)
YEARS = {"2025": 2025, "last year": 2025, "the last year": 2025, "the past year": 2025,
         "this year": 2026, "the current year": 2026, "2024": 2024}  # fmt: skip
DATES = {
    "in Q1 of {}": ("{}-01-01", "{}-03-31"),
    "in Q1 {}": ("{}-01-01", "{}-03-31"),
    "from Q1/{}": ("{}-01-01", "{}-03-31"),
    "in 1Q {}": ("{}-01-01", "{}-03-31"),
    "in 1Q of {}": ("{}-01-01", "{}-03-31"),
    "in the first quarter of {}": ("{}-01-01", "{}-03-31"),
    "in the first quarter {}": ("{}-01-01", "{}-03-31"),
    "in {}'s Q1": ("{}-01-01", "{}-03-31"),
    "in {}'s first quarter": ("{}-01-01", "{}-03-31"),
    "in the first three months of {}": ("{}-01-01", "{}-03-31"),
    "in the first month of {}": ("{}-01-01", "{}-01-31"),
    "in the first two weeks of {}": ("{}-01-01", "{}-01-14"),
    "since Q1 of {}": ("{}-01-01", None),
    "since the end of Q1 {}": ("{}-03-31", None),
    "since the end of March {}": ("{}-03-31", None),
    "since the second quarter of {}": ("{}-04-01", None),
    "since the beginning of {}": ("{}-01-01", None),
    "since the start of {}": ("{}-01-01", None),
    "from the start of {} on": ("{}-01-01", None),
    "from the start of {} onwards": ("{}-01-01", None),
    "not before the start of {}": ("{}-01-01", None),
    "until the end of the first half of {}": (None, "{}-06-30"),
    "until the end of {}": (None, "{}-12-31"),
    "up to the end of {}": (None, "{}-12-31"),
    "by the end of {}": (None, "{}-12-31"),
    "published by the end of {}": (None, "{}-12-31"),
    "no later than the end of {}": (None, "{}-12-31"),
    "before the end of {}": (None, "{}-12-30"),
}
WHOLE_YEARS = {
    "in summer {}": "in",
    "in the summer of {}": "in",
    "in early {}": "in",
    "in late {}": "in",
    "late in {}": "in",
    "in spring and summer {}": "in",
    "between spring and autumn {}": "in",
    "from spring to autumn of {}": "in",
    "in {}'s summer": "in",
    "at the end of {}": "in",
    "in the middle of {}": "in",
    "from the start to the end of {}": "in",
    "towards the end of {}": "in",
    "since autumn {}": "since",
    "since late {}": "since",
    "since the middle of {}": "since",
    "after summer {}": "since",
    "until winter {}": "until",
    "before summer {}": "until",
}
PARTS = ("Q2 of", "2Q", "the second quarter of", "the second half of", "H1", "the latter half of",
         "summer", "the winter of", "the start of", "the end of", "the end of Q2", "early",
         "the last three months of", "the first and second quarter of")  # fmt: skip
WORDS = ("in", "since", "until", "before", "after", "by", "at", "around", "from", "not after", "")


@pytest.mark.parametrize(("said", "year"), [*product(DATES, YEARS)])
def test_a_part_of_a_year_is_read_to_the_day(said: str, year: str) -> None:
    reading = read_search_fields(f"papers on coral {said.format(year)}", TODAY)

    search, number = reading.search, YEARS[year]
    wanted = tuple(day and date.fromisoformat(day.format(number)) for day in DATES[said])
    assert (search.date_from, search.date_to) == wanted
    assert (search.topic, search.query_terms) == ("coral", ("coral",))


@pytest.mark.parametrize(("said", "year"), [*product(WHOLE_YEARS, YEARS)])
def test_seasons_and_vague_parts_are_the_whole_year(said: str, year: str) -> None:
    search = read_search_fields(f"papers on coral {said.format(year)}", TODAY).search

    bound, number = WHOLE_YEARS[said], YEARS[year]
    assert search.year_from == (None if bound == "until" else number)
    assert search.year_to == (None if bound == "since" else number)
    assert (search.date_from, search.date_to, search.topic) == (None, None, "coral")


@pytest.mark.parametrize(
    ("said", "first", "last"),
    [
        ("in the second half of the last year", "2025-07-01", "2025-12-31"),
        ("the first half of the past year", "2025-01-01", "2025-06-30"),
        ("in the last two quarters of 2024", "2024-07-01", "2024-12-31"),
        ("in the first and second quarter of last year", "2025-01-01", "2025-06-30"),
        ("between the first and third quarter of 2024", "2024-01-01", "2024-09-30"),
        ("in the first half of the year 2024", "2024-01-01", "2024-06-30"),
        ("from the end of 2023 to the start of last year", "2023-12-31", "2025-01-01"),
        ("between the start and the end of Q2 2024", "2024-04-01", "2024-06-30"),
        ("from the first half of last year or the second half of 2024", "2024-07-01", "2025-06-30"),
        ("since the end of last month until yesterday", "2026-04-30", "2026-05-19"),
    ],
)
def test_ends_and_parts_make_ranges(said: str, first: str, last: str) -> None:
    search = read_search_fields(f"papers on coral {said}", TODAY).search

    assert (search.date_from, search.date_to) == tuple(map(date.fromisoformat, (first, last)))
    assert search.topic == "coral"


@pytest.mark.parametrize("said", ["in the last year", "over the past year", "in the last quarter"])
def test_a_window_without_a_part_still_ends_today(said: str) -> None:
    search = read_search_fields(f"papers on coral {said}", TODAY).search

    months = 3 if "quarter" in said else 12
    assert search.date_from == (date(2026, 2, 20) if months == 3 else date(2025, 5, 20))
    assert (search.year_to, search.topic) == (2026, "coral")


@pytest.mark.parametrize(
    "topic",
    [
        "winter of 1916",
        "summer 2003 heat wave",
        "end of life care",
        "end of the year bonuses",
        "energy demand at the end of the century",
        "sea level by the end of 2050",
        "fall of Rome",
        "trade in the last quarter of the 20th century",
        "person of the year 2024",
    ],
)
def test_a_part_that_is_no_filter_belongs_to_the_topic(topic: str) -> None:
    search = read_search_fields(f"papers on the {topic}", TODAY).search

    assert (search.year_from, search.year_to, search.topic) == (None, None, topic)


@pytest.mark.parametrize("said", ["the second half of this year", "Q4 this year"])
def test_a_part_that_is_still_to_come_is_told(said: str) -> None:
    reading = read_search_fields(f"papers on coral in {said}", TODAY)

    assert (reading.search.year_from, reading.search.topic) == (None, "coral")
    assert reading.sources[0].rule == "in_in_future"


@given(
    st.lists(st.tuples(*map(st.sampled_from, (WORDS, PARTS, list(YEARS)))), min_size=1, max_size=2),
    st.sampled_from((" ", " and ", " to ", ", ", " or ")),
    st.dates(date(2025, 1, 1), date(2031, 12, 31)),
)
@settings(max_examples=400, deadline=None)
def test_parts_never_run_backwards_nor_into_years_nobody_said(
    said: list[tuple[str, str, str]], between: str, today: date
) -> None:
    text = "papers on coral " + between.join(" ".join(words) for words in said)

    search = read_search_fields(text, today).search

    if search.year_from is not None:
        assert search.year_from <= today.year
        assert search.year_to is None or search.year_from <= search.year_to
    if search.date_from is not None and search.date_to is not None:
        assert search.date_from <= search.date_to
    assert search.year_to is None or search.year_to <= today.year
