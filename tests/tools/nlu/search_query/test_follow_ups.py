"""Follow-ups change the search before: a field, the topic, a limit."""

from datetime import date
from typing import Any

import pytest

from state.policy import SearchPolicy
from tools.nlu.search_query.parser import read_search_fields, unfollowed_note
from tools.nlu.search_query.refinement import names_filters, names_only_fields, refine

TODAY = date(2026, 5, 20)
BEFORE = SearchPolicy(
    topic="soil carbon", query_terms=("soil", "carbon"), year_from=2022, year_to=2026
)


@pytest.mark.parametrize(
    ("text", "changed"),
    [
        ("only open access", {"open_access_only": True}),
        ("and since 2020?", {"year_from": 2020}),
        ("before 2025", {"year_to": 2024}),
        ("only from 2019 to 2020", {"year_from": 2019, "year_to": 2020}),
        ("2021", {"year_from": 2021, "year_to": 2021}),
        ("since last month", {"year_from": 2026, "date_from": date(2026, 4, 1)}),
        ("make it ten", {"limit": 10}),
        ("5 more", {"limit": 5}),
        ("only by Rattan Lal", {"authors": ("Rattan Lal",)}),
        ("in Nature only", {"venue": "Nature"}),
        ("newest first", {"sort_by": "date"}),
        ("paywalled is fine", {"open_access_only": False}),
        ("more like the second one", {}),
        ("show me more papers", {}),
    ],
)
def test_what_is_said_of_a_field_replaces_it(text: str, changed: dict[str, Any]):
    refined = refine(BEFORE, text, TODAY)

    assert refined is not None
    assert refined.search == BEFORE.model_copy(update=changed)


@pytest.mark.parametrize(
    ("text", "topic", "terms"),
    [
        ("what about peat bogs?", "peat bogs", ("peat", "bogs")),
        ("peat bogs instead", "peat bogs", ("peat", "bogs")),
        ("also about biochar", "soil carbon biochar", ("soil", "carbon", "biochar")),
        ("focus on biochar", "soil carbon biochar", ("soil", "carbon", "biochar")),
    ],
)
def test_the_topic_is_replaced_or_added_to_and_the_filters_stay(text, topic, terms):
    refined = refine(BEFORE, text, TODAY)

    assert refined is not None
    assert refined.search == BEFORE.model_copy(update={"topic": topic, "query_terms": terms})


def test_an_end_that_no_longer_fits_goes():
    earlier = BEFORE.model_copy(update={"year_from": 2015, "year_to": 2018})

    refined = refine(earlier, "and since 2020?", TODAY)

    assert refined is not None
    assert (refined.search.year_from, refined.search.year_to) == (2020, None)


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

    refined = refine(full, text, TODAY)

    assert refined is not None
    assert refined.search == full.model_copy(update=nothing)


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
    refined = refine(read_search_fields(before, TODAY).search, "make that 2019", TODAY)

    assert refined is not None
    assert refined.search.model_dump(include=set(fields)) == fields


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
    free = BEFORE.model_copy(update={"open_access_only": True})

    refined = refine(free, text, TODAY)

    assert refined is not None
    assert refined.search == free.model_copy(update={"open_access_only": False})
    assert refined.reasons[0].startswith("open_access_only:false")


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("only reviews", "reviews"),
        ("just the reviews please", "reviews"),
        ("surveys only", "surveys"),
        ("only systematic reviews", "systematic reviews"),
    ],
)
def test_a_kind_of_papers_narrows_the_topic(text: str, kind: str):
    refined = refine(BEFORE, text, TODAY)

    assert refined is not None
    terms = (*BEFORE.query_terms, *kind.split())
    assert refined.search == BEFORE.model_copy(
        update={"topic": f"soil carbon {kind}", "query_terms": terms}
    )


ONE_YEAR = BEFORE.model_copy(update={"year_from": 2025, "year_to": 2025, "venue": "Nature"})


@pytest.mark.parametrize(
    ("before", "text", "changed"),
    [
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
        (ONE_YEAR, "and wasps?", {"topic": "wasps", "query_terms": ("wasps",)}),
        (
            ONE_YEAR,
            "ok, and leaf beetles?",
            {"topic": "leaf beetles", "query_terms": ("leaf", "beetles")},
        ),
        (ONE_YEAR, "and open access?", {"open_access_only": True}),
    ],
)
def test_a_short_follow_up_changes_what_it_names(before, text, changed):
    refined = refine(before, text, TODAY)

    assert refined is not None
    assert refined.search == before.model_copy(update=changed)


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
def test_a_topic_is_corrected_or_narrowed_to_a_kind(text: str, terms: tuple[str, ...]):
    refined = refine(BEFORE, text, TODAY)

    assert refined is not None
    expected = {"query_terms": terms, "topic": " ".join(terms)}
    assert refined.search == BEFORE.model_copy(update=expected)


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
def test_a_single_year_is_moved_or_opened(text: str, first: int | None, last: int | None):
    before = BEFORE.model_copy(update={"year_from": 2020, "year_to": 2020})

    refined = refine(before, text, TODAY)

    assert refined is not None
    assert (refined.search.year_from, refined.search.year_to) == (first, last)


@pytest.mark.parametrize("text", ["not open access", "apart from the open access ones"])
def test_a_denial_of_open_access_ends_a_search_for_it(text: str):
    refined = refine(BEFORE.model_copy(update={"open_access_only": True}), text, TODAY)

    assert refined is not None
    assert refined.search.open_access_only is False


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


# `Drop the limit` is of how many papers; the other filters stay.

LIMITED = SearchPolicy(
    topic="tea", query_terms=("tea",), year_from=2019, year_to=2022, authors=("Hinton",), limit=5
)


@pytest.mark.parametrize("text", ["drop the limit", "without limit", "no limit", "lift that limit"])
def test_the_limit_is_lifted_alone(text: str):
    refined = refine(LIMITED, text, TODAY)

    assert refined is not None
    assert refined.search == LIMITED.model_copy(update={"limit": 10})


@pytest.mark.parametrize("text", ["drop the limits", "drop the year limit"])
def test_limits_and_the_year_limit_are_still_of_the_years(text: str):
    refined = refine(LIMITED, text, TODAY)

    assert refined is not None
    assert (refined.search.year_from, refined.search.limit) == (None, 5)


def test_older_than_so_many_years_moves_the_end_alone():
    refined = refine(LIMITED, "older than 5 years", TODAY)

    assert refined is not None
    assert (refined.search.year_from, refined.search.year_to) == (2019, 2021)
