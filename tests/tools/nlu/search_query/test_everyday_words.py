"""Everyday words around a search: how many, for whom, and whether it is free to read."""

from datetime import date

import pytest

from tools.nlu.search_query.parser import read_search_fields

TODAY = date(2026, 5, 20)


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
def test_how_many_are_wanted(text: str, limit: int) -> None:
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
def test_whether_they_are_free_to_read(said: str, *, wanted: bool) -> None:
    search = read_search_fields(said, TODAY).search

    assert (search.query_terms, search.open_access_only) == (("bees",), wanted)


@pytest.mark.parametrize(
    ("text", "topic"),
    [
        ("only free energy papers", "free energy"),
        ("only free radical papers", "free radical"),
        ("papers on pdf parsing", "pdf parsing"),
        ("papers on knowledge behind paywalls", "knowledge behind paywalls"),
    ],
)
def test_words_of_access_may_be_topic(text: str, topic: str) -> None:
    search = read_search_fields(text, TODAY).search

    assert (search.topic, search.open_access_only) == (topic, None)


def test_only_papers_behind_a_paywall_cannot_be_asked_for() -> None:
    reading = read_search_fields("papers on bees behind a paywall", TODAY)

    assert reading.search.query_terms == ("bees",)
    assert [one.rule for one in reading.sources] == ["paywalled_denied"]


@pytest.mark.parametrize(
    ("text", "topic"),
    [
        ("what do we know about sleep", "sleep"),
        ("what have we learned about sleep", "sleep"),
        ("what has been discovered about sleep", "sleep"),
        ("Lena wants papers on sleep", "sleep"),
        ("Lena and Tom need some papers on sleep", "sleep"),
        ("google sleep papers", "sleep"),
        ("google for sleep", "sleep"),
        ("google trends and flu", "google trends and flu"),
        ("google scholar coverage", "google scholar coverage"),
        ("papers on google sleep", "google sleep"),
        ("known unknowns", "known unknowns"),
        ("why children need papers on sleep", "children need papers on sleep"),
    ],
)
def test_who_asks_and_how_is_no_topic(text: str, topic: str) -> None:
    assert read_search_fields(text, TODAY).search.topic == topic
