"""Follow-ups change the search before: a field, the topic, a limit."""

from datetime import date
from typing import Any

import pytest

from state.policy import SearchPolicy
from tests.titled import Titled, titled
from tools.nlu.search_query.parser import read_search_fields, unfollowed_note
from tools.nlu.search_query.refinement import names_filters, names_only_fields, refine

TODAY = date(2026, 5, 20)
BEFORE = SearchPolicy(
    topic="soil carbon", query_terms=("soil", "carbon"), year_from=2022, year_to=2026
)
ONE_YEAR = BEFORE.model_copy(update={"year_from": 2025, "year_to": 2025, "venue": "Nature"})
OF_2020 = BEFORE.model_copy(update={"year_from": 2020, "year_to": 2020})
FREE = BEFORE.model_copy(update={"open_access_only": True})
LIMITED = SearchPolicy(
    topic="tea", query_terms=("tea",), year_from=2019, year_to=2022, authors=("Hinton",), limit=5
)


def refined(before: SearchPolicy, text: str) -> SearchPolicy:
    reading = refine(before, text, TODAY)
    assert reading is not None
    return reading.search


def on(*terms: str) -> dict[str, Any]:
    return {"topic": " ".join(terms), "query_terms": terms}


CHANGES: Titled = {
    "a field is replaced": [
        (BEFORE, "only open access", {"open_access_only": True}),
        (BEFORE, "and since 2020?", {"year_from": 2020}),
        (BEFORE, "before 2025", {"year_to": 2024}),
        (BEFORE, "only from 2019 to 2020", {"year_from": 2019, "year_to": 2020}),
        (BEFORE, "2021", {"year_from": 2021, "year_to": 2021}),
        (BEFORE, "since last month", {"year_from": 2026, "date_from": date(2026, 4, 1)}),
        (BEFORE, "make it ten", {"limit": 10}),
        (BEFORE, "5 more", {"limit": 5}),
        (BEFORE, "only by Rattan Lal", {"authors": ("Rattan Lal",)}),
        (BEFORE, "in Nature only", {"venue": "Nature"}),
        (BEFORE, "newest first", {"sort_by": "date"}),
        (BEFORE, "paywalled is fine", {"open_access_only": False}),
        (BEFORE, "more like the second one", {}),
        (BEFORE, "show me more papers", {}),
    ],
    "the topic is replaced or added to, and the filters stay": [
        (BEFORE, "what about peat bogs?", on("peat", "bogs")),
        (BEFORE, "peat bogs instead", on("peat", "bogs")),
        (
            BEFORE,
            "also about biochar",
            on("soil", "carbon", "biochar"),
        ),
        (
            BEFORE,
            "focus on biochar",
            on("soil", "carbon", "biochar"),
        ),
    ],
    "an end that no longer fits goes": [
        (
            BEFORE.model_copy(update={"year_from": 2015, "year_to": 2018}),
            "and since 2020?",
            {"year_from": 2020, "year_to": None},
        ),
    ],
    "a kind of papers narrows the topic": [
        (BEFORE, "only reviews", on("soil", "carbon", "reviews")),
        (BEFORE, "just the reviews please", on("soil", "carbon", "reviews")),
        (BEFORE, "surveys only", on("soil", "carbon", "surveys")),
        (BEFORE, "only systematic reviews", on("soil", "carbon", "systematic", "reviews")),
    ],
    "a short one changes what it names": [
        (ONE_YEAR, "no, since 2018", {"year_from": 2018, "year_to": None}),
        (ONE_YEAR, "sorry, I meant until 2022", {"year_from": None, "year_to": 2022}),
        (ONE_YEAR, "since 2018", {"year_from": 2018}),
        (BEFORE, "no, before 2024", {"year_to": 2023}),
        (ONE_YEAR, "older ones", {"year_from": None, "year_to": 2024}),
        (BEFORE, "show me older papers", {"year_from": None, "year_to": 2021}),
        (ONE_YEAR, "newer ones please", {"year_from": 2026, "year_to": None}),
        (BEFORE, "older ones too", {"year_from": None, "year_to": None}),
        (ONE_YEAR, "any venue", {"venue": None}),
        (ONE_YEAR, "any journal is fine", {"venue": None}),
        (ONE_YEAR, "clear the filters", {"venue": None, "year_from": None, "year_to": None}),
        (ONE_YEAR, "and wasps?", on("wasps")),
        (
            ONE_YEAR,
            "ok, and leaf beetles?",
            on("leaf", "beetles"),
        ),
        (ONE_YEAR, "and open access?", {"open_access_only": True}),
    ],
    "a topic is corrected, or narrowed to a kind": [
        (BEFORE, "I meant peat bogs", on("peat", "bogs")),
        (BEFORE, "no, I meant papers on peat bogs", on("peat", "bogs")),
        (BEFORE, "sorry, I mean peat bogs", on("peat", "bogs")),
        (BEFORE, "no, not soil carbon, peat bogs", on("peat", "bogs")),
        (BEFORE, "not soil but peat bogs", on("peat", "bogs")),
        (BEFORE, "are there any reviews", on("soil", "carbon", "reviews")),
        (BEFORE, "is there a systematic review?", on("soil", "carbon", "systematic", "review")),
        (BEFORE, "any reviews?", on("soil", "carbon", "reviews")),
        (BEFORE, "do you have any books", on("soil", "carbon", "books")),
    ],
    "a single year is moved or opened": [
        (OF_2020, "or later", {"year_from": 2020, "year_to": None}),
        (OF_2020, "or newer please", {"year_from": 2020, "year_to": None}),
        (OF_2020, "and after", {"year_from": 2020, "year_to": None}),
        (OF_2020, "or earlier", {"year_from": None, "year_to": 2020}),
        (OF_2020, "or before", {"year_from": None, "year_to": 2020}),
        (OF_2020, "the year before", {"year_from": 2019, "year_to": 2019}),
        (OF_2020, "and the year before?", {"year_from": 2019, "year_to": 2019}),
        (OF_2020, "what about the previous year?", {"year_from": 2019, "year_to": 2019}),
        (OF_2020, "the year after", {"year_from": 2021, "year_to": 2021}),
        (OF_2020, "from the following year", {"year_from": 2021, "year_to": 2021}),
    ],
    "a denial of open access ends a search for it": [
        (FREE, "not open access", {"open_access_only": False}),
        (FREE, "apart from the open access ones", {"open_access_only": False}),
    ],
    "the limit is lifted alone": [
        (LIMITED, "drop the limit", {"limit": 10}),
        (LIMITED, "without limit", {"limit": 10}),
        (LIMITED, "no limit", {"limit": 10}),
        (LIMITED, "lift that limit", {"limit": 10}),
    ],
    "limits and the year limit are of the years": [
        (LIMITED, "drop the limits", {"year_from": None, "year_to": None, "authors": ()}),
        (LIMITED, "drop the year limit", {"year_from": None, "year_to": None}),
    ],
    "so many years move the end alone": [
        (LIMITED, "older than 5 years", {"year_to": 2021}),
    ],
}


@pytest.mark.parametrize(("before", "text", "changed"), titled(CHANGES))
def test_a_follow_up_changes_what_it_names_and_nothing_else(before, text, changed):
    assert refined(before, text) == before.model_copy(update=changed)


@pytest.mark.parametrize(
    ("text", "gone"),
    [
        ("drop the year limit", ("year_from", "year_to")),
        ("any year", ("year_from", "year_to")),
        ("forget the open access filter", ("open_access_only",)),
        ("by any author", ("authors",)),
        ("remove the venue filter", ("venue",)),
        ("clear all filters", ("year_from", "year_to", "open_access_only", "authors", "venue")),
        *(
            (said, ("year_from", "year_to", "open_access_only", "authors", "venue"))
            for said in ("start over without filters", "begin from scratch without any filters")
        ),
    ],
)
def test_a_filter_is_taken_back(text: str, gone: tuple[str, ...]):
    full = BEFORE.model_copy(
        update={"open_access_only": True, "authors": ("Lal",), "venue": "Geoderma"}
    )
    nothing = {name: SearchPolicy.model_fields[name].get_default() for name in gone}

    assert refined(full, text) == full.model_copy(update=nothing)


@pytest.mark.parametrize(
    "text",
    [
        "thanks",
        "yes",
        "is it open access?",
        "who published that last week?",
        "how do I cite a paper from 2019?",
        "find papers on whales since 2020",
        "add the second one to my library",
        "summarise the first three papers",
        "delete my notes from last year",
        "close WO-1042",
        # other short questions are no follow up
        "any paper",
        "and now?",
        "and the second one?",
        "and citations?",
        "and reviews?",
        "and what is it about?",
        "and you?",
        # what may be said of anything changes no search
        "I meant the second one",
        "I meant WO-1042",
        "I mean tomorrow",
        "not wasps, peat bogs",
        "page 2",
        "page 3 please",
        "some books",
        "I meant you",
        "is there a problem",
        # of several years none is the one
        "or later",
        "the year before",
    ],
)
def test_a_request_of_its_own_refines_nothing(text: str):
    assert refine(BEFORE, text, TODAY) is None


@pytest.mark.parametrize(
    ("before", "fields"),
    [
        ("papers on coral since 2015", {"year_from": 2019, "year_to": None, "limit": 10}),
        ("papers on coral until 2015", {"year_from": None, "year_to": 2019, "limit": 10}),
        ("papers on coral", {"year_from": 2019, "year_to": 2019, "limit": 10}),
    ],
)
def test_another_year_moves_the_end_that_was_said(before: str, fields: dict[str, object]):
    search = refined(read_search_fields(before, TODAY).search, "make that 2019")

    assert search.model_dump(include=set(fields)) == fields


@pytest.mark.parametrize(
    "text",
    [
        "not open access only",
        "not only open access",
        "closed ones too",
        "paywalled ones too",
        "also closed ones",
        "include closed access papers",
        "closed access is fine",
    ],
)
def test_open_access_alone_is_lifted(text: str):
    reading = refine(FREE, text, TODAY)

    assert reading is not None
    assert reading.search == BEFORE.model_copy(update={"open_access_only": False})
    assert reading.reasons[0].startswith("open_access_only:false")


def test_older_than_a_search_without_a_beginning_is_nothing():
    assert refine(SearchPolicy(topic="bees", query_terms=("bees",)), "older ones", TODAY) is None


@pytest.mark.parametrize(
    ("text", "is_named"),
    [
        ("clear all filters", True),
        ("Clear the filters!", True),
        ("drop the year filter please", True),
        ("remove the limit", False),
        ("delete the journal", False),
        ("clear the library", False),
        ("order fuel filters", False),
    ],
)
def test_only_filters_are_named_so(text: str, *, is_named: bool):
    assert names_filters(text) is is_named


# Follow-ups that correct a topic, narrow it to a kind, move a year, or deny what was set.


# `Closed ones too` ends a search for open access; it is not what is searched for alone.

NOVEMBER = date(2026, 11, 26)
OPEN = read_search_fields("open access papers on bees since 2015", NOVEMBER).search


@pytest.mark.parametrize(
    "text",
    [
        "closed ones too", "and closed ones", "and the closed ones", "plus the paywalled ones",
        "with closed ones as well", "closed as well", "paywalled too", "and paywalled too",
        "also non-OA papers", "non open access ones too", "subscription papers too",
        "also the ones behind a paywall", "even those behind a paywall", "both open and closed",
        "open or closed", "I don't mind paywalls", "I do not care about the paywall",
        "access doesn't matter", "open access does not matter", "show me the closed ones too",
    ],
)  # fmt: skip
def test_what_is_not_free_is_let_in(text: str):
    reading = refine(OPEN, text, NOVEMBER)

    assert reading is not None
    assert reading.search == OPEN.model_copy(update={"open_access_only": False})
    assert unfollowed_note(text, reading.sources) == ""


@pytest.mark.parametrize("text", ["closed ones", "only paywalled ones", "only closed access"])
def test_what_is_not_free_alone_cannot_be_searched(text: str):
    reading = refine(OPEN, text, NOVEMBER)

    assert reading is None or "(nothing can be left out" in unfollowed_note(text, reading.sources)


@pytest.mark.parametrize(
    "topic",
    ["open and closed systems", "open or closed loops", "closed captions", "paywalled news sites"],
)
def test_what_is_open_and_closed_is_a_topic(topic: str):
    search = read_search_fields(f"papers on {topic}", NOVEMBER).search

    assert (search.topic, search.open_access_only) == (topic, None)


@pytest.mark.parametrize(
    ("text", "is_whole"),
    [
        ("closed ones too", True), ("open access only", True), ("since 2020", True),
        ("we closed ones too", False), ("I closed it, open access", False), ("hello", False),
    ],
)  # fmt: skip
def test_a_follow_up_may_be_nothing_but_fields(text: str, is_whole: bool):
    assert names_only_fields(text, read_search_fields(text, NOVEMBER).sources) is is_whole
