"""A kind of paper, a noun or a verb of the topic takes a denial: the fields behind it stay."""

from datetime import date

import pytest

from tools.nlu.search_query.parser import read_search_fields, unfollowed_note

TODAY = date(2026, 11, 26)


@pytest.mark.parametrize(
    "topic",
    [
        "bees bar none", "the price drop", "frame skipping", "a world without work",
        "why people have not published", "birds that never came back", "doing without",
        "bees I don't have", "voter drop off", "playing outside", "trials without results",
        "doing nothing", "what we have not done", "drugs not made", "species that are no more",
        "wolves that have not been back", "people who were not published", "gene dropping",
        "tax avoiding", "laws we already have", "things that I like but do not need",
        "topics with no papers on ethics", "bees but no preprints on wasps", "rise and drop",
        "learning with and without", "people who say nothing", "laws that we never got",
        "cut off", "data we do not want", "school avoiding", "hair removing", "films not released",
        "countries which have never gone back", "households without internet", "what is lacking",
        "those who have nothing", "glaciers that are not there", "jobs that have not come back",
        "what not to include", "when not to search", "either or neither", "services nobody needs",
        "working from home and not in an office", "refugees that do not get in",
    ],
)  # fmt: skip
def test_a_topic_is_never_turned_into_the_years_before(topic: str) -> None:
    search = read_search_fields(f"papers on {topic} since 2015", TODAY).search

    assert (search.year_from, search.year_to) == (2015, None)


@pytest.mark.parametrize(
    ("said", "topic"),
    [
        ("weight drop in", "weight drop"), ("noise removing from", "noise removing"),
        ("ad skipping in", "ad skipping"), ("data hiding from", "data hiding"),
        ("the discount in", "discount"), ("things I forget from", "things I forget"),
        ("the chocolate bar from", "chocolate bar"), ("sales drop in", "sales drop"),
        ("drop out in", "drop out"),
        ("choices besides from", "choices besides"), ("packet drop during", "packet drop"),
        ("things we do not need from", "things we do not need"),
        ("the price drop from", "price drop"), ("frame skipping in", "frame skipping"),
    ],
)  # fmt: skip
def test_year_and_topic_are_kept(said: str, topic: str) -> None:
    search = read_search_fields(f"papers on {said} 2020", TODAY).search

    assert (search.topic, search.year_from, search.year_to) == (topic, 2020, 2020)


@pytest.mark.parametrize(
    "text",
    [
        "papers on what did not work in 2020",
        "papers on drop out in 2020",
        "papers on those who do not work in 2020",
        "don't forget papers on bees from 2020",
        "please do not forget the papers on bees from 2020",
        "papers on children who are not in school in 2020",
    ],
)
def test_a_year_is_kept(text: str) -> None:
    search = read_search_fields(text, TODAY).search

    assert (search.year_from, search.year_to) == (2020, 2020)


def test_what_is_not_to_be_forgotten_is_the_topic() -> None:
    assert read_search_fields("don't forget papers on bees from 2020", TODAY).search.topic == "bees"


@pytest.mark.parametrize(
    ("text", "venue", "authors"),
    [
        ("papers on things we do not need from Nature", "Nature", ()),
        ("papers on data we do not share in Nature", "Nature", ()),
        ("papers on how to avoid those from Nature", "Nature", ()),
        ("please don't forget to include papers on bees in Nature", "Nature", ()),
        ("papers on bees without meta-analyses in Nature", "Nature", ()),
        ("papers on bees without reviews by Hinton", None, ("Hinton",)),
        ("papers on bees, skip the preprints by Hinton", None, ("Hinton",)),
        ("papers on bees but no surveys by Hinton", None, ("Hinton",)),
    ],
)
def test_venue_and_author_are_kept(text: str, venue: str | None, authors: tuple[str, ...]) -> None:
    search = read_search_fields(text, TODAY).search

    assert (search.venue, search.authors) == (venue, authors)


KINDS = [
    "without reviews", "excluding reviews", "but no preprints", "excluding preprints",
    ", no systematic reviews", "except for editorials", ", not reviews", ", skip reviews",
    ", don't show me reviews", "but not surveys", ", skip preprints", "without any theses",
    "excluding reviews and preprints", ", but please no reviews", "and no reviews",
    "rather than reviews", "that aren't reviews", "which are not preprints",
    ", ignore preprints", ", avoid surveys", ", not reviews or preprints",
    "with the exception of reviews", "omitting books", "without case studies",
]  # fmt: skip


@pytest.mark.parametrize("kind", KINDS)
def test_a_kind_is_told_and_the_years_from_then_on_kept(kind: str) -> None:
    text = f"papers on bees {kind} since 2015".replace(" ,", ",")

    reading = read_search_fields(text, TODAY)

    search = reading.search
    assert (search.topic, search.year_from, search.year_to) == ("bees", 2015, None)
    assert f"“{kind.strip(' ,')}” (nothing can be left out" in unfollowed_note(
        text, reading.sources
    )


@pytest.mark.parametrize(
    "time",
    [
        "from 2015", "in 2015", "published in 2015", "before 2015", "until 2015",
        "between 2015 and 2018", "in the last 5 years", "this year", "last year",
    ],
)  # fmt: skip
@pytest.mark.parametrize("kind", KINDS)
def test_a_kind_of_some_years_is_told_and_its_years_are_not_searched(kind: str, time: str) -> None:
    text = f"papers on bees {kind} {time}".replace(" ,", ",")

    reading = read_search_fields(text, TODAY)

    search = reading.search
    assert (search.topic, search.year_from, search.year_to) == ("bees", None, None)
    assert f"{time}” (years cannot be left out" in unfollowed_note(text, reading.sources)


@pytest.mark.parametrize("time", ["since 2015", "after 2014", "from 2015 on", "2015 or later"])
@pytest.mark.parametrize("kind", ["without reviews", ", no theses"])
def test_a_time_without_an_end_is_the_searchs(kind: str, time: str) -> None:
    text = f"papers on bees {kind} {time}".replace(" ,", ",")

    search = read_search_fields(text, TODAY).search

    assert (search.year_from, search.year_to) == (2015, None)


@pytest.mark.parametrize("time", [", from 2015", "please, from 2015", ". From 2015"])
def test_a_time_that_is_said_apart_from_the_kind_is_kept(time: str) -> None:
    search = read_search_fields(
        f"papers on bees, no theses {time}".replace(" ,", ","), TODAY
    ).search

    assert (search.year_from, search.year_to) == (2015, 2015)


@pytest.mark.parametrize(
    "denial",
    [
        ", none that came out", "but nothing published", "and ignore those", "with none",
        ", please drop anything", ", not published", "excluding ones published", "with no papers",
        "that have not appeared", "which haven't been published", ", we don't want any",
        "without any of them", ", already read those", "and no papers",
    ],
)  # fmt: skip
def test_what_stands_at_the_field_still_denies_it(denial: str) -> None:
    text = f"papers on bees {denial} since 2015".replace(" ,", ",")

    search = read_search_fields(text, TODAY).search

    assert (search.topic, search.year_from, search.year_to) == ("bees", None, 2014)


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("papers on bees but no preprints from arXiv", "but no preprints from arXiv"),
        ("papers on bees not done by Hinton", "not done by Hinton"),
        ("papers on bees excluding 2020", "excluding 2020"),
        ("papers on bees, ignoring 2020", "ignoring 2020"),
        ("papers on bees and skip 2020", "and skip 2020"),
        ("papers on bees, don't include 2020", "don't include 2020"),
    ],
)
def test_what_is_left_out_itself_is_told(text: str, told: str) -> None:
    reading = read_search_fields(text, TODAY)

    search = reading.search
    assert (search.topic, search.year_from, search.venue, search.authors) == (
        "bees",
        None,
        None,
        (),
    )
    assert f"“{told}”" in unfollowed_note(text, reading.sources)


def test_what_does_not_go_back_before_a_year_is_since_then() -> None:
    search = read_search_fields("papers on bees that do not go back before 2010", TODAY).search

    assert (search.year_from, search.year_to) == (2010, None)
