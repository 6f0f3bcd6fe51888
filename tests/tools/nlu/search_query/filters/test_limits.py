"""However a number of papers is said, it is the limit, and no word of the topic."""

from datetime import date
from itertools import product

import pytest

from state.policy import SearchPolicy
from tools.nlu.search_query.parser import read_search_fields
from tools.nlu.search_query.refinement import refine

TODAY = date(2026, 5, 20)
KINDS = (
    "reviews", "surveys", "case studies", "systematic reviews", "meta-analyses", "reports",
    "books", "clinical trials", "review articles", "case reports", "overviews",
)  # fmt: skip
NUMBERS = {"5": 5, "three": 3, "a dozen": 12, "six": 6, "twenty-five": 25, "a couple of": 2}
BEFORE = SearchPolicy(topic="tides", query_terms=("tides",))


@pytest.mark.parametrize(("kind", "number"), list(product(KINDS, NUMBERS)))
def test_kinds_of_papers_are_counted_like_papers(kind: str, number: str) -> None:
    for text in (f"give me {number} {kind} on bees", f"{number} recent {kind} of bees"):
        search = read_search_fields(text, TODAY).search

        assert search.limit == NUMBERS[number]
        assert search.query_terms[-1] == "bees"
        assert number.rsplit(maxsplit=1)[-1] not in search.query_terms


@pytest.mark.parametrize("number", ["5", "three", "a dozen", "twenty"])
@pytest.mark.parametrize(
    "text",
    [
        "papers on bees, {} please",
        "papers on bees, {}",
        "papers on bees - just {}",
        "papers on bees; only {} of them, please",
        "bee papers, say {} thanks",
    ],
)
def test_a_number_said_last_is_the_limit(text: str, number: str) -> None:
    search = read_search_fields(text.format(number), TODAY).search

    assert search.limit == {"5": 5, "three": 3, "a dozen": 12, "twenty": 20}[number]
    assert search.query_terms in (("bees",), ("bee",))


@pytest.mark.parametrize(
    ("text", "limit"),
    [("five please", 5), ("only five please", 5), ("a dozen, please", 12), ("20 will do", 20)],
)
def test_a_number_and_please_change_a_search(text: str, limit: int) -> None:
    refined = refine(BEFORE, text, TODAY)

    assert refined is not None
    assert refined.search == BEFORE.model_copy(update={"limit": limit})


@pytest.mark.parametrize(
    "text",
    [
        "papers on Catch-22",
        "papers on MPEG-4",
        "papers on type 1, 2",
        "review of 5 surveys on bees",
        "three body problem reviews",
        "papers on apollo 11 please",
    ],
)
def test_a_number_of_a_topic_is_no_limit(text: str) -> None:
    assert read_search_fields(text, TODAY).search.limit == 10


@pytest.mark.parametrize(
    ("text", "topic"),
    [
        (
            "papers on how students read 3 news articles about climate",
            "students read 3 news articles about climate",
        ),
        ("why teams do 2 replication studies", "teams do 2 replication"),
        ("how students read 3 articles", "students read 3 articles"),
        ("papers on how teachers use 5 papers in class", "teachers use 5 papers in class"),
        ("papers on whether reviewers read 10 papers", "reviewers read 10 papers"),
        ("we run 5 clinical trials papers on asthma", "asthma"),
        ("papers on how children see 4 moving picture articles", "children see 4 moving picture"),
        ("papers on how models retrieve 5 on average", "models retrieve 5 on average"),
        ("papers on why labs collect 2 replication studies", "labs collect 2 replication"),
        ("papers on people who want 2 on demand", "people who want 2 on demand"),
    ],
)
def test_what_others_do_with_a_number_of_papers_is_no_limit(text: str, topic: str) -> None:
    search = read_search_fields(text, TODAY).search

    assert (search.limit, search.topic) == (10, topic)


@pytest.mark.parametrize(
    "order",
    [
        "find 5 deep learning papers", "please retrieve 5 deep learning papers",
        "can you locate 5 deep learning papers", "pull 5 on deep learning",
        "collect me 5 on deep learning", "provide 5 deep learning papers",
        "who can suggest 5 on deep learning", "how do I find 5 papers on deep learning",
        "why not show 5 papers on deep learning",
        "when you have time, give me 5 papers on deep learning",
        "if possible list 5 papers on deep learning", "how about 5 papers on deep learning",
    ],
)  # fmt: skip
def test_an_order_for_a_number_of_papers_is_a_limit(order: str) -> None:
    search = read_search_fields(order, TODAY).search

    assert search.limit == 5
    assert "5" not in search.query_terms
