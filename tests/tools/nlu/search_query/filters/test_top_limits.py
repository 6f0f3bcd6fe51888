"""However `top` is joined to a number of papers, it is the limit; of a measure it is not."""

from datetime import date

import pytest

from tools.nlu.search_query.parser import read_search_fields

TODAY = date(2026, 5, 20)


@pytest.mark.parametrize(
    ("text", "limit", "terms"),
    [
        ("top5 papers on tea", 5, ("tea",)),
        ("papers on tea top5", 5, ("tea",)),
        ("top-5 tea papers", 5, ("tea",)),
        ("top-10 coral papers", 10, ("coral",)),
        ("the top 7 soil erosion papers", 7, ("soil", "erosion")),
        ("Top 5: coral", 5, ("coral",)),
        ("papers on coral, not fewer than 5", 5, ("coral",)),
        ("papers on coral, no less than 12", 12, ("coral",)),
    ],
)
def test_a_joined_number_is_the_limit(text: str, limit: int, terms: tuple[str, ...]) -> None:
    search = read_search_fields(text, TODAY).search

    assert (search.limit, search.query_terms) == (limit, terms)


@pytest.mark.parametrize(
    "text",
    [
        "papers on top-5 accuracy",
        "top-5 accuracy of vision papers",
        "papers on top-5 error rates in vision papers",
        "papers on top predators",
    ],
)
def test_top_of_a_measure_is_a_topic(text: str) -> None:
    assert read_search_fields(text, TODAY).search.limit == 10
