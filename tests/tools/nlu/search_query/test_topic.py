"""What belongs to the topic of a search, and what does not."""

import ast
from collections import Counter
from datetime import date
from itertools import product
from pathlib import Path
from typing import Any

import pytest

from state.policy import SearchPolicy
from tests.titled import Titled, titled
from tools.nlu.search_query import lexicon
from tools.nlu.search_query.parser import read_search_fields, unfollowed_note
from tools.nlu.search_query.refinement import refine

# Why, for what and how urgently papers are wanted is no topic; who wrote them is the author.

TODAY = date(2026, 5, 20)
BEFORE = (
    "any chance of some", "any chance you could find", "urgently need", "I urgently need",
    "asap:", "feel free to look for", "feel free to look up", "sorry to bother you,",
    "my supervisor wants", "if you have a minute:", "for my class on ethics I need",
    "for my project:", "I'd be grateful for some", "start by finding", "it's time to look for",
    "let's go ahead and find", "could you do me a solid and find",
)  # fmt: skip
BEHIND = (
    "", " asap", " when you have time", " for my thesis", " for my essay about diet", ", no rush",
    " once and for all", ", right away", " if that's alright with you", " at your convenience",
    ", before I forget",
    " as soon as possible", ", I need sources",
)  # fmt: skip


@pytest.mark.parametrize(("before", "behind"), list(product(BEFORE, BEHIND)))
def test_courtesy_and_purpose_are_no_topic(before: str, behind: str):
    search = read_search_fields(f"{before} papers on bees{behind}", TODAY).search

    assert search.query_terms == ("bees",)


FIELDS: Titled = {
    "the subject of the work is the topic where no other is said": [
        ("for my thesis on urban heat: papers", {"topic": "urban heat"}),
        ("for my essay about urban heat, papers please", {"topic": "urban heat"}),
        ("papers for my phd project on urban heat", {"topic": "urban heat"}),
        ("I am writing a thesis on urban heat and need sources", {"topic": "urban heat"}),
        ("my boss wants at most 12 papers on urban heat", {"topic": "urban heat"}),
        ("scan the literature for urban heat", {"topic": "urban heat"}),
        ("has anyone written about urban heat", {"topic": "urban heat"}),
        ("most cited papers on urban heat first", {"topic": "urban heat"}),
        ("newest papers on urban heat first", {"topic": "urban heat"}),
    ],
    'words of courtesy are topics behind "papers on"': [
        ("papers on chance", {"topic": "chance"}),
        ("papers on free will", {"topic": "free will"}),
        ("papers on urgent care", {"topic": "urgent care"}),
        ("papers on time and space", {"topic": "time and space"}),
    ],
    "what may begin a request may begin a topic": [
        ("time to event analysis papers", {"topic": "time to event analysis"}),
        ("start codons in bacteria", {"topic": "start codons in bacteria"}),
        ("begin by looking for studies on start codons", {"topic": "start codons"}),
        # who asks and how is no topic
        ("what do we know about sleep", {"topic": "sleep"}),
        ("what have we learned about sleep", {"topic": "sleep"}),
        ("what has been discovered about sleep", {"topic": "sleep"}),
        ("Lena wants papers on sleep", {"topic": "sleep"}),
        ("Lena and Tom need some papers on sleep", {"topic": "sleep"}),
        ("google sleep papers", {"topic": "sleep"}),
        ("google for sleep", {"topic": "sleep"}),
        ("google trends and flu", {"topic": "google trends and flu"}),
        ("google scholar coverage", {"topic": "google scholar coverage"}),
        ("papers on google sleep", {"topic": "google sleep"}),
        ("known unknowns", {"topic": "known unknowns"}),
        ("why children need papers on sleep", {"topic": "children need papers on sleep"}),
    ],
    "what may be a place is no author": [
        ("papers from Google on capsules", {"authors": ()}),
        ("papers from Kenya on coral", {"authors": ()}),
        ("what has NASA published on comets", {"authors": ()}),
        ("papers from Hinton's lab", {"authors": ()}),
        ("papers on venom from Conus", {"authors": ()}),
        ("papers on what Darwin wrote on barnacles", {"authors": ()}),
    ],
    "what a second order says of the search counts": [
        (
            "find papers on bees and show only open access ones",
            {"query_terms": ("bees",), "open_access_only": True},
        ),
        (
            "find papers on bees and show them sorted by citations",
            {"query_terms": ("bees",), "sort_by": "citations"},
        ),
        (
            "find papers on bees, then sort them by citations",
            {"query_terms": ("bees",), "sort_by": "citations"},
        ),
        ("find papers on bees and give me the top 5", {"query_terms": ("bees",), "limit": 5}),
        ("find bees and list the first three", {"query_terms": ("bees",), "limit": 3}),
        (
            "find papers on bees and tag them as insects, open access",
            {"query_terms": ("bees",), "open_access_only": True},
        ),
    ],
    "an order about the search is a part of it": [
        (
            "papers on ants. Show only open access",
            {"query_terms": ("ants",), "open_access_only": True},
        ),
        (
            "papers on ants, and give me the free ones",
            {"query_terms": ("ants",), "open_access_only": True},
        ),
        ("papers on ants. Show me the newest first", {"query_terms": ("ants",), "sort_by": "date"}),
        (
            "papers on ants, then give me the top 5 by citations",
            {"query_terms": ("ants",), "limit": 5},
        ),
        ("papers on ants. Show me papers from 2019", {"query_terms": ("ants",), "year_to": 2019}),
        (
            "papers on ants, and list the ones from 2019",
            {"query_terms": ("ants",), "year_to": 2019},
        ),
        (
            "papers on ants. Sort by citations. Give me the top 5",
            {"query_terms": ("ants",), "limit": 5},
        ),
        ("papers on ants, then show the newest", {"query_terms": ("ants",), "year_from": 2021}),
    ],
    "who asks to hear of it says no word of the topic": [
        ("find papers on soil microbes and let me know", {"query_terms": ("soil", "microbes")}),
        ("search for whale song, tell me when you're done", {"query_terms": ("whale", "song")}),
        ('papers on "whale song" and report back to me', {"query_terms": ("whale song",)}),
        ("papers on how cells report back to us", {"query_terms": ("cells", "report", "back")}),
    ],
    "words of access may be topic": [
        ("only free energy papers", {"open_access_only": None, "topic": "free energy"}),
        ("only free radical papers", {"open_access_only": None, "topic": "free radical"}),
        ("papers on pdf parsing", {"open_access_only": None, "topic": "pdf parsing"}),
        (
            "papers on knowledge behind paywalls",
            {"open_access_only": None, "topic": "knowledge behind paywalls"},
        ),
    ],
}


@pytest.mark.parametrize(("text", "fields"), titled(FIELDS))
def test_the_topic_is_what_no_other_word_of_the_request_is(text: str, fields: dict[str, Any]):
    search = read_search_fields(text, TODAY).search

    assert {field: getattr(search, field) for field in fields} == fields


@pytest.mark.parametrize(
    ("text", "authors", "told"),
    [
        ("papers by Hinton or LeCun on capsules", ("Hinton",), "or LeCun"),
        ("papers by hinton or lecun on capsules", ("hinton",), "or lecun"),
        ("papers on capsules by Hinton and/or LeCun", ("Hinton",), "and/or LeCun"),
        ("papers by Hinton, LeCun or Bengio on capsules", ("Hinton",), "LeCun or Bengio"),
        ("papers by Hinton and LeCun on capsules", ("Hinton", "LeCun"), ""),
        ("papers from Hinton on capsules", ("Hinton",), ""),
        ("papers on capsules, from Hinton", ("Hinton",), ""),
        ("what has Hinton written on capsules", ("Hinton",), ""),
        ("what did Geoffrey Hinton publish on capsules", ("Geoffrey Hinton",), ""),
        ("has Hinton written about capsules", ("Hinton",), ""),
        ("papers that Hinton published on capsules", ("Hinton",), ""),
        ("what have Hinton and LeCun published on capsules", ("Hinton", "LeCun"), ""),
        ("papers not by Hinton or LeCun on capsules", (), "not by Hinton or LeCun"),
    ],
)
def test_authors_are_no_topic(text: str, authors: tuple[str, ...], told: str):
    reading = read_search_fields(text, TODAY)

    assert (reading.search.authors, reading.search.topic) == (authors, "capsules")
    assert unfollowed_note(text, reading.sources).partition("“")[2].partition("”")[0] == told


@pytest.mark.parametrize(
    "before",
    [
        "please could you kindly find me some nice", "I was wondering whether you might have any",
        "I was wondering if there are any", "I was wondering if you could find me some",
        "I wonder if you could find", "would it be possible to get some", "is it possible to find",
        "would it be possible for you to look up", "could I possibly get", "might there be any",
        "do you happen to have", "would you be so kind as to find", "be so kind and find",
        "I'd be very grateful if you could find", "could you do me a favour and find",
        "good morning, please find", "aren't there any", "can't you find", "haven't you got any",
        "why not find", "don't you have",
    ],
)  # fmt: skip
@pytest.mark.parametrize("papers", ["papers on bees", "literature about bees", "bees papers"])
def test_a_courteous_lead_is_no_topic(before: str, papers: str):
    assert read_search_fields(f"{before} {papers}", TODAY).search.query_terms == ("bees",)


@pytest.mark.parametrize(
    "behind",
    [
        "if you don't mind, thanks a lot", ", thanks a million", ", much appreciated", ", will you",
        "will you please", ", won't you", "for me and my colleague Tom", "for my colleague Tom",
        "for us and the team", "if it's not too much trouble", "if that's ok with you",
        ", many thanks", ", thank you very much indeed",
        ", I'd appreciate it", ", I would be very grateful",
        "if you would be so kind", ", no hurry", ", you're a star", ", I owe you one",
        ", thanks in advance for your help",
        ", that would be really lovely", ", if at all possible",
        ", there's a good chap", ", sir", "and thank you so much",
    ],
)  # fmt: skip
@pytest.mark.parametrize("request_", ["find papers on bees", "bees papers since 2020"])
def test_a_courteous_end_is_no_topic(request_: str, behind: str):
    search = read_search_fields(f"{request_} {behind}".replace(" ,", ","), TODAY).search

    assert search.query_terms == ("bees",)


@pytest.mark.parametrize(
    "topic",
    [
        "the will to live", "million song dataset", "colleague support", "possible worlds",
        "mind and body", "care for children and their parents", "drugs for pain and anxiety",
        "whether robots might wonder", "the kindness of strangers", "exercise for a class",
        "wills and trusts", "star formation", "the good morning greeting", "treatment of TA",
    ],
)  # fmt: skip
def test_courteous_words_of_a_topic_stay(topic: str):
    written = read_search_fields(f"papers on {topic}", TODAY).search.topic or ""

    assert set(topic.split()) - {"the", "whether", "a"} <= set(written.split())


# What else is asked for behind a search is no part of its topic, and is told.


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
def test_a_second_order_is_told_and_not_searched_for(text: str, order: str):
    reading = read_search_fields(text, TODAY)

    assert reading.search.query_terms == ("bees",)
    assert reading.search.limit == SearchPolicy().limit
    told = unfollowed_note(text, reading.sources)
    assert (
        told == f"I can't do this part: “{order}” (one request at a time: the search comes first)."
    )


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
def test_verbs_of_a_topic_are_no_order(topic: str):
    text = f"papers on {topic}"

    reading = read_search_fields(text, TODAY)

    assert unfollowed_note(text, reading.sources) == ""
    last = [word for word in topic.split() if word not in ("it", "them")][-1]
    assert last in reading.search.query_terms


@pytest.mark.parametrize("text", ["only open access, then save them", "show more and export them"])
def test_a_follow_up_with_a_second_order_is_a_request_of_its_own(text: str):
    assert refine(SearchPolicy(topic="bees", query_terms=("bees",)), text, TODAY) is None


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
def test_an_order_about_something_else_is_told_and_not_searched_for(text: str, order: str | None):
    reading = read_search_fields(text, TODAY)

    assert reading.search == SearchPolicy(topic="ants", query_terms=("ants",))
    told = unfollowed_note(text, reading.sources)
    assert (order or text.removeprefix("find ")[14:].strip(" ?")) in told
    assert "one request at a time" in told


@pytest.mark.parametrize(
    "text", ["papers on how ants walk. Also close WO-1042", "papers on how ants walk, show my list"]
)
def test_a_clause_as_the_topic_hides_no_order_that_stands_out(text: str):
    reading = read_search_fields(text, TODAY)

    assert "wo-1042" not in reading.search.query_terms
    assert reading.search.query_terms[:2] == ("ants", "walk")


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
def test_verbs_and_nouns_of_other_work_are_topics(topic: str):
    text = f"papers on {topic}"

    reading = read_search_fields(text, TODAY)

    assert unfollowed_note(text, reading.sources) == ""
    assert topic.rsplit(maxsplit=1)[-1] in reading.search.query_terms


@pytest.mark.parametrize("text", ["and show my library", "only open access. Also close WO-1042"])
def test_no_follow_up_swallows_an_order_about_something_else(text: str):
    assert refine(SearchPolicy(topic="ants", query_terms=("ants",)), text, TODAY) is None


@pytest.mark.parametrize("text", ["ok. Show me the next page", "thanks, then show the newest ones"])
def test_an_order_for_more_of_a_search_stays_a_follow_up(text: str):
    assert refine(SearchPolicy(topic="ants", query_terms=("ants",)), text, TODAY) is not None


# Everyday words around a search: how many, for whom, and whether it is free to read.


@pytest.mark.parametrize(
    ("text", "limit"),
    [
        ("find exactly 7 papers on bees", 7),
        ("precisely ten papers on bees", 10),
        ("give me 20 on bees", 20),
        ("find just 5 about bees", 5),
        ("as many papers on bees as possible", 100),
        ("as many recent papers on bees as you can find", 100),
        ("find 2020 on bees", 10),
        ("give me one on bees", 10),
        ("papers on bees in two on two matches", 10),
        ("papers on bees exactly where they nest", 10),
    ],
)
def test_how_many_are_wanted(text: str, limit: int):
    search = read_search_fields(text, TODAY).search

    assert search.limit == limit
    assert "bees" in search.query_terms
    assert not {"exactly", "precisely", "many", "possible"} & set(search.query_terms[:1])


@pytest.mark.parametrize(
    ("said", "wanted"),
    [
        ("papers on bees, pdf only", True),
        ("only pdfs on bees", True),
        ("only free bees papers", True),
        ("papers on bees that aren't behind a paywall", True),
        ("papers on bees, not behind a paywall", True),
        ("papers on bees, no open access needed", False),
        ("papers on bees, I don't need open access", False),
        ("papers on bees, even if behind a paywall", False),
    ],
)
def test_whether_they_are_free_to_read(said: str, *, wanted: bool):
    search = read_search_fields(said, TODAY).search

    assert (search.query_terms, search.open_access_only) == (("bees",), wanted)


def test_only_papers_behind_a_paywall_cannot_be_asked_for():
    reading = read_search_fields("papers on bees behind a paywall", TODAY)

    assert reading.search.query_terms == ("bees",)
    assert [one.rule for one in reading.sources] == ["paywalled_denied"]


def test_no_verb_of_an_order_stands_in_two_lists():
    tree = ast.parse(Path(lexicon.__file__).read_text(encoding="utf-8"))
    names = [getattr(getattr(node, "targets", [None])[0], "id", "") for node in tree.body]
    lists = tree.body[names.index("_READ") : names.index("COUNTED") + 1]
    words = Counter(
        node.value for each in lists for node in ast.walk(each) if isinstance(node, ast.Constant)
    )
    assert len(words) > 100
    assert [word for word, count in words.items() if count > 1] == []
