"""Times and ages of what papers are about are topic; those of the papers are fields."""

from datetime import date

import pytest

from tools.nlu.search_query.parser import read_search_fields

TODAY = date(2026, 5, 20)


@pytest.mark.parametrize(
    "topic",
    [
        "people born before 1950",
        "people who were born before 1950",
        "people born between 1946 and 1964",
        "laws passed since 1990",
        "laws that were passed since 1990",
        "laws passed last year",
        "treaties signed in 1919",
        "firms founded after 2000",
        "drugs approved in the last 5 years",
        "drugs withdrawn since 2000",
        "wars fought between 1914 and 1945",
        "buildings erected in the 1930s",
        "patients older than 65 years",
        "adults over 65 years",
        "people who are older than 80 years",
        "children younger than 5 years",
        "children no older than 3 years",
        "toddlers aged under 3 years",
        "trees older than 100 years",
        "survival of patients within 5 years",
        "treatment for more than 2 years",
        "weight changes over 10 years",
        "May 1968 protests",
        "1 May riots",
        "protests of May 1968",
    ],
)
def test_times_of_what_papers_are_about_are_topic(topic: str) -> None:
    search = read_search_fields(f"papers on {topic}", TODAY).search

    assert search.topic == topic
    assert (search.year_from, search.year_to) == (None, None)
    assert all(word in search.query_terms for word in topic.split() if word[0].isdigit())


@pytest.mark.parametrize(
    ("text", "first", "last"),
    [
        ("papers older than 5 years", None, 2021),
        ("papers older than 60 years", None, 1966),
        ("papers over 10 years old", None, 2016),
        ("papers on ransomware older than ten years", None, 2016),
        ("papers on ransomware less than three years old", 2023, 2026),
        ("studies under 3 years old on children", 2023, 2026),
        ("articles of less than 2 years on patients", 2024, 2026),
        ("papers on children, no older than 3 years", 2023, 2026),
        ("nothing older than 5 years on patients", 2021, 2026),
        ("papers on patients over the last 5 years", 2021, 2026),
        ("papers published before 1950", None, 1949),
        ("papers on laws published before 1950", None, 1949),
        ("work since 1990", 1990, None),
        ("research done since 1990 on bees", 1990, None),
        ("papers which were funded in 2019", 2019, 2019),
        ("papers on bees conducted after 2010", 2011, None),
        ("papers on methods proposed since 2020", 2020, None),
        ("how have coral reefs changed since 2000", 2000, None),
        ("papers on support for the disabled since 2010", 2010, None),
        ("papers on infected bees since 2015", 2015, None),
        ("papers on weed since 2015", 2015, None),
        ("papers by Leila Ahmed since 2015", 2015, None),
        ("bees pubmed since 2015", 2015, None),
        ("papers on people born before 1950 published since 2015", 2015, None),
        ("papers on exoplanets discovered in 2019, since 2020", 2020, None),
        ("papers from the last 5 years on patients older than 65 years", 2021, 2026),
    ],
)
def test_times_of_papers_stay_fields(text: str, first: int | None, last: int | None) -> None:
    search = read_search_fields(text, TODAY).search

    assert (search.year_from, search.year_to) == (first, last)


@pytest.mark.parametrize(
    ("said", "first", "last"),
    [
        ("published in or after 2019", 2019, None),
        ("from or after 2019", 2019, None),
        ("after or in 2019", 2019, None),
        ("on or after 2019", 2019, None),
        ("in or before 2019", None, 2019),
        ("published on or before May 2019", None, 2019),
        ("before or in 2019", None, 2019),
        ("after 2019", 2020, None),
        ("before 2019", None, 2018),
        ("in 2019", 2019, 2019),
        (", 2015 at the earliest", 2015, None),
        ("at the earliest 2015", 2015, None),
        ("from 2015 at the earliest", 2015, None),
        ("2015 at the very latest", None, 2015),
        ("at the latest 2015", None, 2015),
        ("no sooner than 2018", 2018, None),
        ("lately", 2021, 2026),
        ("published recently", 2021, 2026),
    ],
)
def test_a_year_may_be_one_of_its_bounds(said: str, first: int | None, last: int | None) -> None:
    search = read_search_fields(f"papers on bees {said}", TODAY).search

    assert (search.topic, search.year_from, search.year_to) == ("bees", first, last)


@pytest.mark.parametrize("text", ["recently discovered species", "the earliest known tools"])
def test_words_of_time_that_describe_are_topic(text: str) -> None:
    search = read_search_fields(f"papers on {text}", TODAY).search

    assert (search.year_from, search.year_to) == (None, None)


@pytest.mark.parametrize(
    ("text", "terms"), [("what may cause autism", ("cause", "autism")), ("may flies", ("flies",))]
)
def test_may_is_a_month_only_beside_a_number(text: str, terms: tuple[str, ...]) -> None:
    assert read_search_fields(text, TODAY).search.query_terms == terms
