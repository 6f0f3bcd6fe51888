"""What else is asked for behind a search is no part of its topic, and is told."""

from datetime import date

import pytest

from state.policy import SearchPolicy
from tools.search_fields.fields import read_search_fields
from tools.search_fields.left_out import told_of
from tools.search_fields.refine import refine

TODAY = date(2026, 5, 20)


@pytest.mark.parametrize(
    ("text", "order"),
    [
        ("look up bees, then save the first three", "then save the first three"),
        ("find bees papers and export them", "and export them"),
        ("find papers on bees, then show the second one", "then show the second one"),
        ("search for papers on bees and summarise the best one", "and summarise the best one"),
        ("papers on bees. Then compare the first two.", ". Then compare the first two"),
        ("find papers on bees; then email them to Tom", "; then email them to Tom"),
        ("can you find papers on bees and tag them as insects", "and tag them as insects"),
    ],
)
def test_a_second_order_is_told_and_not_searched_for(text: str, order: str) -> None:
    reading = read_search_fields(text, TODAY)

    assert reading.search.query_terms == ("bees",)
    assert reading.search.limit == SearchPolicy().limit
    told = told_of(text, reading.sources)
    assert told == f"Not followed: “{order}” (one request at a time: the search comes first)."


@pytest.mark.parametrize(
    ("text", "field", "value"),
    [
        ("find papers on bees and show only open access ones", "open_access_only", True),
        ("find papers on bees and show them sorted by citations", "sort_by", "citations"),
        ("find papers on bees, then sort them by citations", "sort_by", "citations"),
        ("find papers on bees and give me the top 5", "limit", 5),
        ("find bees and list the first three", "limit", 3),
        ("find papers on bees and tag them as insects, open access", "open_access_only", True),
    ],
)
def test_what_a_second_order_says_of_the_search_counts(
    text: str, field: str, value: object
) -> None:
    search = read_search_fields(text, TODAY).search

    assert getattr(search, field) == value
    assert search.query_terms == ("bees",)


@pytest.mark.parametrize(
    "topic",
    [
        "how viruses enter cells and kill them",
        "how plants take up sugar and then store it",
        "finding bugs and fixing them",
        "learning to rank and compare documents",
        "save the bees campaigns",
        "bees and show dogs",
        "mark and recapture",
        "buy now, then pay later",
    ],
)
def test_verbs_of_a_topic_are_no_order(topic: str) -> None:
    text = f"papers on {topic}"

    reading = read_search_fields(text, TODAY)

    assert told_of(text, reading.sources) == ""
    last = [word for word in topic.split() if word not in ("it", "them")][-1]
    assert last in reading.search.query_terms


@pytest.mark.parametrize("text", ["only open access, then save them", "show more and export them"])
def test_a_follow_up_with_a_second_order_is_a_request_of_its_own(text: str) -> None:
    before = SearchPolicy(topic="bees", query_terms=("bees",))

    assert refine(before, text, TODAY) is None


@pytest.mark.parametrize(
    ("text", "terms"),
    [
        ("find papers on soil microbes and let me know", ("soil", "microbes")),
        ("search for whale song, tell me when you're done", ("whale", "song")),
        ('papers on "whale song" and report back to me', ("whale song",)),
        ("papers on how cells report back to us", ("cells", "report", "back")),
    ],
)
def test_who_asks_to_hear_of_it_says_no_word_of_the_topic(
    text: str, terms: tuple[str, ...]
) -> None:
    assert read_search_fields(text, TODAY).search.query_terms == terms
