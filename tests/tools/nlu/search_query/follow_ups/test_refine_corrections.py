"""Follow-ups that correct a topic, narrow it to a kind, move a year, or deny what was set."""

from datetime import date

import pytest

from state.policy import SearchPolicy
from tools.nlu.search_query.refinement import refine

TODAY = date(2026, 5, 20)
BEFORE = SearchPolicy(
    topic="soil carbon", query_terms=("soil", "carbon"), year_from=2022, year_to=2026
)


@pytest.mark.parametrize(
    ("text", "terms"),
    [
        ("I meant peat bogs", ("peat", "bogs")),
        ("no, I meant papers on peat bogs", ("peat", "bogs")),
        ("sorry, I mean peat bogs", ("peat", "bogs")),
        ("no, not soil carbon, peat bogs", ("peat", "bogs")),
        ("not soil but peat bogs", ("peat", "bogs")),
        ("are there any reviews", ("soil", "carbon", "reviews")),
        ("is there a systematic review?", ("soil", "carbon", "systematic", "review")),
        ("any reviews?", ("soil", "carbon", "reviews")),
        ("do you have any books", ("soil", "carbon", "books")),
    ],
)
def test_a_topic_is_corrected_or_narrowed_to_a_kind(text: str, terms: tuple[str, ...]) -> None:
    refined = refine(BEFORE, text, TODAY)

    assert refined is not None
    expected = {"query_terms": terms, "topic": " ".join(terms)}
    assert refined.search == BEFORE.model_copy(update=expected)


@pytest.mark.parametrize(
    "text",
    [
        "I meant the second one", "I meant WO-1042", "I mean tomorrow", "not wasps, peat bogs",
        "page 2", "page 3 please", "some books", "I meant you", "is there a problem",
    ],
)  # fmt: skip
def test_what_may_be_said_of_anything_changes_no_search(text: str) -> None:
    assert refine(BEFORE, text, TODAY) is None


@pytest.mark.parametrize(
    ("text", "first", "last"),
    [
        ("or later", 2020, None),
        ("or newer please", 2020, None),
        ("and after", 2020, None),
        ("or earlier", None, 2020),
        ("or before", None, 2020),
        ("the year before", 2019, 2019),
        ("and the year before?", 2019, 2019),
        ("what about the previous year?", 2019, 2019),
        ("the year after", 2021, 2021),
        ("from the following year", 2021, 2021),
    ],
)
def test_a_single_year_is_moved_or_opened(text: str, first: int | None, last: int | None) -> None:
    before = BEFORE.model_copy(update={"year_from": 2020, "year_to": 2020})

    refined = refine(before, text, TODAY)

    assert refined is not None
    assert (refined.search.year_from, refined.search.year_to) == (first, last)


@pytest.mark.parametrize("text", ["or later", "the year before"])
def test_of_several_years_none_is_the_one(text: str) -> None:
    assert refine(BEFORE, text, TODAY) is None


@pytest.mark.parametrize("text", ["not open access", "apart from the open access ones"])
def test_a_denial_of_open_access_ends_a_search_for_it(text: str) -> None:
    refined = refine(BEFORE.model_copy(update={"open_access_only": True}), text, TODAY)

    assert refined is not None
    assert refined.search.open_access_only is False
