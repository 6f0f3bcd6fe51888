"""`Closed ones too` ends a search for open access; it is not what is searched for alone."""

from datetime import date

import pytest

from tools.nlu.search_query.parser import read_search_fields, unfollowed_note
from tools.nlu.search_query.refinement import names_only_fields, refine

TODAY = date(2026, 11, 26)
OPEN = read_search_fields("open access papers on bees since 2015", TODAY).search


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
def test_what_is_not_free_is_let_in(text: str) -> None:
    reading = refine(OPEN, text, TODAY)

    assert reading is not None
    assert reading.search == OPEN.model_copy(update={"open_access_only": False})
    assert unfollowed_note(text, reading.sources) == ""


@pytest.mark.parametrize("text", ["closed ones", "only paywalled ones", "only closed access"])
def test_what_is_not_free_alone_cannot_be_searched(text: str) -> None:
    reading = refine(OPEN, text, TODAY)

    assert reading is None or "(nothing can be left out" in unfollowed_note(text, reading.sources)


@pytest.mark.parametrize(
    "topic",
    ["open and closed systems", "open or closed loops", "closed captions", "paywalled news sites"],
)
def test_what_is_open_and_closed_is_a_topic(topic: str) -> None:
    search = read_search_fields(f"papers on {topic}", TODAY).search

    assert (search.topic, search.open_access_only) == (topic, None)


@pytest.mark.parametrize(
    ("text", "is_whole"),
    [
        ("closed ones too", True), ("open access only", True), ("since 2020", True),
        ("we closed ones too", False), ("I closed it, open access", False), ("hello", False),
    ],
)  # fmt: skip
def test_a_follow_up_may_be_nothing_but_fields(text: str, is_whole: bool) -> None:
    sources = read_search_fields(text, TODAY).sources

    assert names_only_fields(text, sources) is is_whole
