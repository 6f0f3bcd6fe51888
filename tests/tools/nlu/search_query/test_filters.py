"""How many papers, and of which venue."""

from datetime import date
from itertools import product

import pytest

from state.policy import SearchPolicy
from tools.nlu.search_query.parser import read_search_fields, unfollowed_note
from tools.nlu.search_query.refinement import refine

# However a number of papers is said, it is the limit, and no word of the topic.

TODAY = date(2026, 5, 20)
KINDS = (
    "reviews", "surveys", "case studies", "systematic reviews", "meta-analyses", "reports",
    "books", "clinical trials", "review articles", "case reports", "overviews",
)  # fmt: skip
NUMBERS = {"5": 5, "three": 3, "a dozen": 12, "six": 6, "twenty-five": 25, "a couple of": 2}
BEFORE = SearchPolicy(topic="tides", query_terms=("tides",))


@pytest.mark.parametrize(("kind", "number"), list(product(KINDS, NUMBERS)))
def test_kinds_of_papers_are_counted_like_papers(kind: str, number: str):
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
def test_a_number_said_last_is_the_limit(text: str, number: str):
    search = read_search_fields(text.format(number), TODAY).search

    assert search.limit == {"5": 5, "three": 3, "a dozen": 12, "twenty": 20}[number]
    assert search.query_terms in (("bees",), ("bee",))


@pytest.mark.parametrize(
    ("text", "limit"),
    [("five please", 5), ("only five please", 5), ("a dozen, please", 12), ("20 will do", 20)],
)
def test_a_number_and_please_change_a_search(text: str, limit: int):
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
        # top of a measure is a topic
        "papers on top-5 accuracy",
        "top-5 accuracy of vision papers",
        "papers on top-5 error rates in vision papers",
        "papers on top predators",
    ],
)
def test_a_number_of_a_topic_is_no_limit(text: str):
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
def test_what_others_do_with_a_number_of_papers_is_no_limit(text: str, topic: str):
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
def test_an_order_for_a_number_of_papers_is_a_limit(order: str):
    search = read_search_fields(order, TODAY).search

    assert search.limit == 5
    assert "5" not in search.query_terms


# However `top` is joined to a number of papers, it is the limit; of a measure it is not.


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
def test_a_joined_number_is_the_limit(text: str, limit: int, terms: tuple[str, ...]):
    search = read_search_fields(text, TODAY).search

    assert (search.limit, search.query_terms) == (limit, terms)


# Several venues: the first is searched, the others are told, and none is a word of the topic.

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
def test_all_venues_of_a_list_are_read(place: str, listed: str):
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
def test_venues_are_told_however_they_are_joined(text: str, venue: str, told: str):
    reading = read_search_fields(text, TODAY)

    assert (reading.search.venue, reading.search.topic) == (venue, "coral")
    assert told in unfollowed_note(text, reading.sources)


def test_the_year_of_the_first_venue_of_a_list_is_read():
    for text in (
        "papers in NeurIPS 2023 and ICML 2024 on coral",
        "NeurIPS'23/ICML'24 coral papers",
    ):
        search = read_search_fields(text, TODAY).search

        assert (search.year_from, search.year_to) == (2023, 2023)
        assert (search.venue, search.topic) == ("NeurIPS", "coral")


def test_a_venue_that_is_named_twice_is_one():
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
        # a venue is written as a name or leaves the topic to others
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
def test_a_word_behind_a_venue_is_not_always_one(text: str, venue: str | None, topic: str):
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
def test_what_papers_are_on_is_never_a_venue(text: str, word: str):
    search = read_search_fields(text.format(word), TODAY).search

    assert search.venue is None
    assert word in search.query_terms


@pytest.mark.parametrize("word", ["nature", "science", "cell", "brain", "cancer"])
def test_a_plain_word_in_a_topic_is_no_venue(word: str):
    for text in ("papers on bees in {}", "papers in {} and diet", "bees in {}", "bees of {}"):
        search = read_search_fields(text.format(word), TODAY).search

        assert (search.venue, search.query_terms[-1] in (word, "diet")) == (None, True)
