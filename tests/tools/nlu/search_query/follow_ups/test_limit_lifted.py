"""`Drop the limit` is of how many papers; the other filters stay."""

from datetime import date

import pytest

from state.policy import SearchPolicy
from tools.nlu.search_query.refinement import refine

TODAY = date(2026, 5, 20)
BEFORE = SearchPolicy(
    topic="tea", query_terms=("tea",), year_from=2019, year_to=2022, authors=("Hinton",), limit=5
)


@pytest.mark.parametrize("text", ["drop the limit", "without limit", "no limit", "lift that limit"])
def test_the_limit_is_lifted_alone(text: str) -> None:
    refined = refine(BEFORE, text, TODAY)

    assert refined is not None
    assert refined.search == BEFORE.model_copy(update={"limit": 10})


@pytest.mark.parametrize("text", ["drop the limits", "drop the year limit"])
def test_limits_and_the_year_limit_are_still_of_the_years(text: str) -> None:
    refined = refine(BEFORE, text, TODAY)

    assert refined is not None
    assert (refined.search.year_from, refined.search.limit) == (None, 5)


def test_older_than_so_many_years_moves_the_end_alone() -> None:
    refined = refine(BEFORE, "older than 5 years", TODAY)

    assert refined is not None
    assert (refined.search.year_from, refined.search.year_to) == (2019, 2021)
