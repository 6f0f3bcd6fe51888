"""What else is asked for behind a search is no part of its topic, and is told."""

from datetime import date

import pytest

from state.policy import SearchPolicy
from tools.nlu.search_query.parser import read_search_fields, unfollowed_note
from tools.nlu.search_query.refinement import refine

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
    told = unfollowed_note(text, reading.sources)
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

    assert unfollowed_note(text, reading.sources) == ""
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


@pytest.mark.parametrize(
    ("text", "order"),
    [
        ("search papers on ants. Also close WO-1042.", ". Also close WO-1042"),
        ("papers on ants and close WO-1042, WO-1043", "and close WO-1042, WO-1043"),
        ("find papers on ants, then show the open work orders", "then show the open work orders"),
        ("find papers on ants and order 5 oil filters", "and order 5 oil filters"),
        ("papers on ants and tell me how many filters we have", None),
        ("find papers on ants and show my library", "and show my library"),
        ("find papers on ants; please remind me to call Tom", "; please remind me to call Tom"),
        ("find papers on ants. What's the weather?", ". What's the weather"),
        ("find papers on ants and how many oil filters do we have?", None),
        ("find papers on ants, and also book a meeting room", "and also book a meeting room"),
        ("find papers on ants, and delete the second note", "and delete the second note"),
        ("find papers on ants and add a task to my list", "and add a task to my list"),
        ("find papers on ants, also turn off the light", "also turn off the light"),
        ("find papers on ants. Can you also play some music?", None),
        ("find papers on ants. Could you check the stock of oil filters", None),
        ("find papers on ants and list our open orders", "and list our open orders"),
        ("find papers on ants plus show me the weather", "plus show me the weather"),
    ],
)
def test_an_order_about_something_else_is_told_and_not_searched_for(
    text: str, order: str | None
) -> None:
    reading = read_search_fields(text, TODAY)

    assert reading.search == SearchPolicy(topic="ants", query_terms=("ants",))
    told = unfollowed_note(text, reading.sources)
    assert (order or text.removeprefix("find ")[14:].strip(" ?")) in told
    assert "one request at a time" in told


@pytest.mark.parametrize(
    "text", ["papers on how ants walk. Also close WO-1042", "papers on how ants walk, show my list"]
)
def test_a_clause_as_the_topic_hides_no_order_that_stands_out(text: str) -> None:
    reading = read_search_fields(text, TODAY)

    assert "wo-1042" not in reading.search.query_terms
    assert reading.search.query_terms[:2] == ("ants", "walk")


@pytest.mark.parametrize(
    ("text", "field", "value"),
    [
        ("papers on ants. Show only open access", "open_access_only", True),
        ("papers on ants, and give me the free ones", "open_access_only", True),
        ("papers on ants. Show me the newest first", "sort_by", "date"),
        ("papers on ants, then give me the top 5 by citations", "limit", 5),
        ("papers on ants. Show me papers from 2019", "year_to", 2019),
        ("papers on ants, and list the ones from 2019", "year_to", 2019),
        ("papers on ants. Sort by citations. Give me the top 5", "limit", 5),
        ("papers on ants, then show the newest", "year_from", 2021),
    ],
)
def test_an_order_about_the_search_is_a_part_of_it(text: str, field: str, value: object) -> None:
    search = read_search_fields(text, TODAY).search

    assert getattr(search, field) == value
    assert search.query_terms == ("ants",)


@pytest.mark.parametrize(
    "topic",
    [
        "ants and order Hymenoptera", "open and close the gap", "catch and release",
        "search and rescue", "stop and start the engine", "ants and the order of insects",
        "text and call data", "make and take a decision", "ants and how many eggs they lay",
        "robots that open the door and close the door", "play and the child",
        "ants; also include bees", "print and digital books",
        "the first order and second order logic", "book and movie reviews",
    ],
)  # fmt: skip
def test_verbs_and_nouns_of_other_work_are_topics(topic: str) -> None:
    text = f"papers on {topic}"

    reading = read_search_fields(text, TODAY)

    assert unfollowed_note(text, reading.sources) == ""
    assert topic.rsplit(maxsplit=1)[-1] in reading.search.query_terms


@pytest.mark.parametrize("text", ["and show my library", "only open access. Also close WO-1042"])
def test_no_follow_up_swallows_an_order_about_something_else(text: str) -> None:
    assert refine(SearchPolicy(topic="ants", query_terms=("ants",)), text, TODAY) is None


@pytest.mark.parametrize("text", ["ok. Show me the next page", "thanks, then show the newest ones"])
def test_an_order_for_more_of_a_search_stays_a_follow_up(text: str) -> None:
    assert refine(SearchPolicy(topic="ants", query_terms=("ants",)), text, TODAY) is not None
