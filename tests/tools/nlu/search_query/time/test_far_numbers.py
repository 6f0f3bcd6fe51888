from datetime import date

import pytest

from state.policy import SearchReading
from tools.nlu.search_query.parser import read_search_fields, unfollowed_note

TODAY = date(2026, 5, 20)


def read(text: str) -> SearchReading:
    return read_search_fields(text, TODAY)


@pytest.mark.parametrize(
    ("text", "limit"),
    [
        ("find 1,000 papers on coral", 100),
        ("top 1,500 papers about coral", 100),
        ("the top 5, then coral", 5),
    ],
)
def test_a_comma_between_digits_parts_thousands(text: str, limit: int) -> None:
    assert read(text).search.limit == limit


def test_citations_are_counted_in_thousands() -> None:
    search = read("papers on coral with at least 1,000 citations").search

    assert (search.min_citations, search.query_terms) == (1000, ("coral",))


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("papers on coral since 3020", "since 3020"),
        ("papers on coral before 3020", "before 3020"),
        ("papers on coral in 2027", "in 2027"),
        ("papers on coral published in 2050", "published in 2050"),
    ],
)
def test_years_without_papers_are_told_and_no_topic(text: str, said: str) -> None:
    reading = read(text)

    assert reading.search.query_terms == ("coral",)
    assert (reading.search.year_from, reading.search.year_to) == (None, None)
    assert unfollowed_note(text, reading.sources) == f"Not followed: “{said}” (in the future)."


def test_a_range_that_goes_on_into_the_future_ends_this_year() -> None:
    search = read("papers on coral between 2025 and 3030").search

    assert (search.year_from, search.year_to) == (2025, 2026)


@pytest.mark.parametrize(
    ("text", "terms"),
    [
        ("papers on battery ageing after 3000 cycles", ("battery", "ageing", "3000", "cycles")),
        ("papers on the 3000 rice genomes", ("3000", "rice", "genomes")),
        ("papers on energy demand in 2050", ("energy", "demand", "2050")),
    ],
)
def test_a_number_that_says_what_it_counts_is_topic(text: str, terms: tuple[str, ...]) -> None:
    assert read(text).search.query_terms == terms
