"""What is denied is never searched for."""

from datetime import date

import pytest

from state.policy import SearchPolicy, SearchReading
from tools.nlu.search_query.parser import read_search_fields
from tools.nlu.search_query.refinement import refine

TODAY = date(2026, 5, 20)
CORAL = SearchPolicy(topic="coral", query_terms=("coral",))


def read(text: str) -> SearchReading:
    return read_search_fields(text, TODAY)


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("papers on coral not by Smith", "authors:left_out by_denied@16-28"),
        ("papers on coral, none by Smith", "authors:left_out by_denied@17-30"),
        ("papers on coral except by John Smith", "authors:left_out by_denied@16-36"),
        ("papers on coral that aren't by Smith", "authors:left_out by_denied@16-36"),
        ("papers on coral not in Nature", "venue:left_out at_denied@16-29"),
        ("papers on coral not published in Nature", "venue:left_out at_denied@16-39"),
        ("papers on coral but nothing from Nature", "venue:left_out at_denied@16-39"),
        ("papers on coral not at NeurIPS 2021", "venue:left_out at_denied@16-35"),
        ("papers on coral without open access", "open_access_only:left_out denied@16-35"),
    ],
)
def test_a_denied_constraint_is_left_out_with_a_reason(text: str, reason: str) -> None:
    reading = read(text)

    assert reason in reading.reasons
    assert reading.search.model_copy(update={"topic": "coral"}) == CORAL


@pytest.mark.parametrize(
    ("text", "first", "last"),
    [
        ("coral papers, nothing before 2015", 2015, None),
        ("no papers from before 2015 on coral", 2015, None),
        ("papers on coral, nothing older than 2015", 2015, None),
        ("papers on coral, nothing after 2015", None, 2015),
        ("papers on coral, nothing from 2015", None, None),
        ("papers on coral before 2015", None, 2014),
    ],
)
def test_a_denied_bound_is_its_opposite(text: str, first: int | None, last: int | None) -> None:
    search = read(text).search

    assert (search.year_from, search.year_to, search.query_terms) == (first, last, ("coral",))


def test_what_is_not_denied_is_searched_for() -> None:
    search = read("not sure, papers on coral by Smith in Nature, no paywall").search

    assert (search.authors, search.venue, search.open_access_only) == (("Smith",), "Nature", True)


def test_a_follow_up_takes_back_the_author_and_the_venue_it_denies() -> None:
    before = CORAL.model_copy(update={"authors": ("Ann Lee", "Smith"), "venue": "Nature"})

    by = refine(before, "not by Smith", TODAY)
    at = refine(before, "not in Nature", TODAY)

    assert by is not None
    assert by.search == before.model_copy(update={"authors": ("Ann Lee",)})
    assert at is not None
    assert at.search == before.model_copy(update={"venue": None})
