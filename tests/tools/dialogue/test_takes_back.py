"""Filters by that name are those of the last search, whatever else their verb may be of."""

from datetime import date

import pytest

from state.memory import PackMemory, Searched
from state.policy import SearchPolicy
from tools.catalog.pack_schema import PolicyFile
from tools.nlu.search_query.requests import SearchInterpreter

SEARCH = SearchPolicy(topic="tides", query_terms=("tides",), year_from=2025, venue="Nature")
SEARCHED = Searched(action="search_papers", search=SEARCH, at=0.0)


def seeker(previous: Searched | None) -> SearchInterpreter:
    return SearchInterpreter(
        PolicyFile(), PackMemory(), date(2026, 5, 20), frozenset({"paper"}), previous
    )


@pytest.mark.parametrize("text", ["clear all filters", "clear the filters", "reset my filters"])
def test_filters_of_the_last_search_are_taken_back(text: str) -> None:
    refined = seeker(SEARCHED).refined(text)

    assert seeker(SEARCHED).takes_back(text)
    assert refined is not None
    assert (refined.search.year_from, refined.search.venue) == (None, None)


@pytest.mark.parametrize(
    "text", ["clear the library", "remove the limit", "delete the journal", "order fuel filters"]
)
def test_what_may_be_of_something_else_is_not(text: str) -> None:
    assert not seeker(SEARCHED).takes_back(text)


@pytest.mark.parametrize(
    "text",
    ["drop all filters", "clear the filters", "reset my filters please", "remove the year filter"],
)
def test_where_nothing_was_searched_that_is_all_there_is_to_say(text: str) -> None:
    assert seeker(None).has_nothing_to_take_back(text)
    assert not seeker(SEARCHED).has_nothing_to_take_back(text)


@pytest.mark.parametrize(
    "text",
    [
        "clear the library", "drop the year limit", "papers on bees without filters",
        "clear the filters and show the library", "order fuel filters", "start over",
    ],
)  # fmt: skip
def test_what_says_more_is_read_as_ever(text: str) -> None:
    assert not seeker(None).has_nothing_to_take_back(text)


def test_without_a_search_there_is_nothing_to_take_back() -> None:
    assert not seeker(None).takes_back("clear all filters")
