"""Why, for what and how urgently papers are wanted is no topic; who wrote them is the author."""

from datetime import date
from itertools import product

import pytest

from tools.nlu.search_query.parser import read_search_fields, unfollowed_note

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
def test_courtesy_and_purpose_are_no_topic(before: str, behind: str) -> None:
    search = read_search_fields(f"{before} papers on bees{behind}", TODAY).search

    assert search.query_terms == ("bees",)


@pytest.mark.parametrize(
    "text",
    [
        "for my thesis on urban heat: papers",
        "for my essay about urban heat, papers please",
        "papers for my phd project on urban heat",
        "I am writing a thesis on urban heat and need sources",
        "my boss wants at most 12 papers on urban heat",
        "scan the literature for urban heat",
        "has anyone written about urban heat",
        "most cited papers on urban heat first",
        "newest papers on urban heat first",
    ],
)
def test_the_subject_of_the_work_is_the_topic_where_no_other_is_said(text: str) -> None:
    assert read_search_fields(text, TODAY).search.topic == "urban heat"


@pytest.mark.parametrize("topic", ["chance", "free will", "urgent care", "time and space"])
def test_words_of_courtesy_are_topics_behind_papers_on(topic: str) -> None:
    assert read_search_fields(f"papers on {topic}", TODAY).search.topic == topic


@pytest.mark.parametrize(
    ("text", "topic"),
    [
        ("time to event analysis papers", "time to event analysis"),
        ("start codons in bacteria", "start codons in bacteria"),
        ("begin by looking for studies on start codons", "start codons"),
    ],
)
def test_what_may_begin_a_request_may_begin_a_topic(text: str, topic: str) -> None:
    assert read_search_fields(text, TODAY).search.topic == topic


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
def test_authors_are_no_topic(text: str, authors: tuple[str, ...], told: str) -> None:
    reading = read_search_fields(text, TODAY)

    assert (reading.search.authors, reading.search.topic) == (authors, "capsules")
    assert unfollowed_note(text, reading.sources).partition("“")[2].partition("”")[0] == told


@pytest.mark.parametrize(
    "text",
    [
        "papers from Google on capsules",
        "papers from Kenya on coral",
        "what has NASA published on comets",
        "papers from Hinton's lab",
        "papers on venom from Conus",
        "papers on what Darwin wrote on barnacles",
    ],
)
def test_what_may_be_a_place_is_no_author(text: str) -> None:
    assert read_search_fields(text, TODAY).search.authors == ()


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
def test_a_courteous_lead_is_no_topic(before: str, papers: str) -> None:
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
def test_a_courteous_end_is_no_topic(request_: str, behind: str) -> None:
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
def test_courteous_words_of_a_topic_stay(topic: str) -> None:
    written = read_search_fields(f"papers on {topic}", TODAY).search.topic or ""

    assert set(topic.split()) - {"the", "whether", "a"} <= set(written.split())
