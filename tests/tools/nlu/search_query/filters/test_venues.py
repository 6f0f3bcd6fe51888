"""Several venues: the first is searched, the others are told, and none is a word of the topic."""

from datetime import date
from itertools import product

import pytest

from tools.nlu.search_query.parser import read_search_fields, unfollowed_note

TODAY = date(2026, 5, 20)
LISTS = (
    "NeurIPS or ICML",
    "NeurIPS and ICML",
    "NeurIPS & ICML",
    "NeurIPS and/or ICML",
    "NeurIPS/ICML",
    "NeurIPS, ICML, or ICLR",
    "NeurIPS, ICML, and ICLR",
    "NeurIPS, ICML or ICLR",
    "NeurIPS, ICML, ICLR",
    "NeurIPS/ICML/ICLR",
    "NeurIPS, ICML, ICLR, or AAAI",
    "NeurIPS, ICML, ICLR, and AAAI",
    "NeurIPS, Nature, and the Lancet",
    "NeurIPS and the New England Journal of Medicine",
)
PLACES = ("papers in {} on coral", "papers on coral at {}", "{} papers on coral",
          "papers on coral from {} since 2020", "papers on coral published in {}")  # fmt: skip


@pytest.mark.parametrize(("place", "listed"), [*product(PLACES, LISTS)])
def test_all_venues_of_a_list_are_read(place: str, listed: str) -> None:
    text = place.format(listed)

    reading = read_search_fields(text, TODAY)

    told = unfollowed_note(text, reading.sources)
    assert (reading.search.venue, reading.search.topic) == ("NeurIPS", "coral")
    assert listed.removeprefix("NeurIPS").strip(" ,/") in told.replace("“/", "“")


@pytest.mark.parametrize(
    ("text", "venue", "told"),
    [
        ("papers in either NeurIPS or ICML on coral", "NeurIPS", "or ICML"),
        ("papers in NeurIPS or in ICML on coral", "NeurIPS", "or in ICML"),
        ("papers at NeurIPS, at ICML, and also at ICLR on coral", "NeurIPS", "at ICML, and also"),
        ("papers in Nature on coral and in Science", "Nature", "in Science"),
        ("papers on coral from Nature, Science, or Cell", "Nature", "Science, or Cell"),
        ("Nature, Science, or Cell papers on coral", "Nature", "Science, or Cell"),
        ("papers in the Journal of Botany or Nature on coral", "Journal of Botany", "or Nature"),
    ],
)
def test_venues_are_told_however_they_are_joined(text: str, venue: str, told: str) -> None:
    reading = read_search_fields(text, TODAY)

    assert (reading.search.venue, reading.search.topic) == (venue, "coral")
    assert told in unfollowed_note(text, reading.sources)


def test_the_year_of_the_first_venue_of_a_list_is_read() -> None:
    for text in (
        "papers in NeurIPS 2023 and ICML 2024 on coral",
        "NeurIPS'23/ICML'24 coral papers",
    ):
        search = read_search_fields(text, TODAY).search

        assert (search.year_from, search.year_to) == (2023, 2023)
        assert (search.venue, search.topic) == ("NeurIPS", "coral")


def test_a_venue_that_is_named_twice_is_one() -> None:
    text = "NeurIPS papers on coral, only in NeurIPS"

    reading = read_search_fields(text, TODAY)

    assert (reading.search.venue, unfollowed_note(text, reading.sources)) == ("NeurIPS", "")


@pytest.mark.parametrize(
    ("text", "venue", "topic"),
    [
        ("papers in ICML and cell biology", "ICML", "cell biology"),
        ("papers in Nature and cancer therapy", "Nature", "cancer therapy"),
        ("papers in ICML, or science of learning", "ICML", "science of learning"),
        ("papers on nature and science education", None, "nature and science education"),
        (
            "papers in the International Journal of Engineering and Science on coral",
            "International Journal of Engineering and Science",
            "coral",
        ),
    ],
)
def test_a_word_behind_a_venue_is_not_always_one(text: str, venue: str | None, topic: str) -> None:
    search = read_search_fields(text, TODAY).search

    assert (search.venue, search.topic) == (venue, topic)


WORDS = ("cancer", "science", "nature", "cell", "blood", "brain", "neuron", "circulation", "gut",
         "soda", "colt", "NeurIPS", "ICML")  # fmt: skip


@pytest.mark.parametrize(
    ("text", "word"),
    [
        *product(
            (
                "papers on {}",
                "find papers on {}",
                "articles on the {}",
                "recent studies on {} and diet",
                "articles published on {}",
                "five papers on diet on {}",
            ),
            WORDS,
        )
    ],
)
def test_what_papers_are_on_is_never_a_venue(text: str, word: str) -> None:
    search = read_search_fields(text.format(word), TODAY).search

    assert search.venue is None
    assert word in search.query_terms


@pytest.mark.parametrize("word", ["nature", "science", "cell", "brain", "cancer"])
def test_a_plain_word_in_a_topic_is_no_venue(word: str) -> None:
    for text in ("papers on bees in {}", "papers in {} and diet", "bees in {}", "bees of {}"):
        search = read_search_fields(text.format(word), TODAY).search

        assert (search.venue, search.query_terms[-1] in (word, "diet")) == (None, True)


@pytest.mark.parametrize(
    ("text", "venue", "topic"),
    [
        ("papers in nature", "nature", None),
        ("papers in nature since 2020", "nature", None),
        ("papers in nature on coral", "nature", "coral"),
        ("papers in brain on stroke", "brain", "stroke"),
        ("papers on coral in Nature", "Nature", "coral"),
        ("papers on diet in Cancer", "Cancer", "diet"),
        ("papers on coral published in cell", "cell", "coral"),
        ("papers on coral at NeurIPS", "NeurIPS", "coral"),
        ("papers on coral on arXiv", "arXiv", "coral"),
        ("Cell papers on mitosis", "Cell", "mitosis"),
        ("papers in cancer", None, "cancer"),
        ("Cell division papers", None, "Cell division"),
    ],
)
def test_a_venue_is_written_as_a_name_or_leaves_the_topic_to_others(
    text: str, venue: str | None, topic: str | None
) -> None:
    search = read_search_fields(text, TODAY).search

    assert (search.venue, search.topic) == (venue, topic)
