"""From when papers are wanted."""

from datetime import date
from itertools import product
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from state.policy import SearchPolicy, SearchReading
from tests.titled import Titled, titled
from tools.nlu.search_query.parser import read_search_fields, unfollowed_note

TODAY = date(2026, 5, 20)


def read(text: str) -> SearchReading:
    return read_search_fields(text, TODAY)


BOUNDS: Titled = {
    "what is older than a window, or before or after a year by a verb of dating": [
        ("papers on bees older than the last decade", None, 2016),
        ("papers on bees from before the past decade", None, 2016),
        ("papers on bees older than the past 5 years", None, 2021),
        ("papers on bees earlier than the last three years", None, 2023),
        ("papers on bees from the last decade", 2016, 2026),
        ("papers on bees that predate 2000", None, 1999),
        ("papers on bees predating 2010", None, 2009),
        ("papers on bees that postdate 2015", 2016, None),
        ("papers on bees postdating 2015", 2016, None),
    ],
    "none since and none after": [
        ("bees with none since 2015", None, 2014),
        ("papers on bees, none after 2019", None, 2019),
        ("bees with none at all since 2015", None, 2014),
        ("papers on bees with none whatsoever after 2019", None, 2019),
    ],
    "a year may be one of its bounds": [
        ("papers on bees published in or after 2019", 2019, None),
        ("papers on bees from or after 2019", 2019, None),
        ("papers on bees after or in 2019", 2019, None),
        ("papers on bees on or after 2019", 2019, None),
        ("papers on bees in or before 2019", None, 2019),
        ("papers on bees published on or before May 2019", None, 2019),
        ("papers on bees before or in 2019", None, 2019),
        ("papers on bees after 2019", 2020, None),
        ("papers on bees before 2019", None, 2018),
        ("papers on bees in 2019", 2019, 2019),
        ("papers on bees , 2015 at the earliest", 2015, None),
        ("papers on bees at the earliest 2015", 2015, None),
        ("papers on bees from 2015 at the earliest", 2015, None),
        ("papers on bees 2015 at the very latest", None, 2015),
        ("papers on bees at the latest 2015", None, 2015),
        ("papers on bees no sooner than 2018", 2018, None),
        ("papers on bees lately", 2021, 2026),
        ("papers on bees published recently", 2021, 2026),
    ],
}


@pytest.mark.parametrize(("text", "first", "last"), titled(BOUNDS))
def test_bounds_are_read_and_are_no_topic(text: str, first: int | None, last: int | None):
    search = read(text).search

    assert (search.topic, search.year_from, search.year_to) == ("bees", first, last)


# What is denied at one end of time is a bound at the other, whatever the papers are about.


@pytest.mark.parametrize(
    ("text", "first", "last"),
    [
        ("no papers on coral from before 2015", 2015, None),
        ("no studies about coral reefs older than 2010", 2010, None),
        ("no more articles on coral after 2018", None, 2018),
        ("papers on coral from before 2015", None, 2014),
        ("no articles on soil, papers on coral before 2015", None, 2014),
        # times of papers stay fields
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
def test_a_denied_year_bounds_the_other_end(text: str, first: int | None, last: int | None):
    search = read_search_fields(text, TODAY).search
    assert (search.year_from, search.year_to) == (first, last)


FIELDS: Titled = {
    "the topic is without the denial": [
        ("no papers on coral from before 2015", {"topic": "coral"}),
    ],
    "only a year is no number of papers": [
        ("papers on drone swarms, only 2024", {"year_from": 2024, "year_to": 2024, "limit": 10}),
    ],
    "only a number is one": [
        ("papers on drone swarms, only 20", {"limit": 20}),
    ],
    "what others agreed to exclude is a topic": [
        (
            "papers on why parties agreed to exclude 2020",
            {"topic": "parties agreed to exclude 2020"},
        ),
    ],
    "may is a month only beside a number": [
        ("what may cause autism", {"query_terms": ("cause", "autism")}),
        ("may flies", {"query_terms": ("flies",)}),
    ],
    "a comma between digits parts thousands": [
        ("find 1,000 papers on coral", {"limit": 100}),
        ("top 1,500 papers about coral", {"limit": 100}),
        ("the top 5, then coral", {"limit": 5}),
    ],
    "citations are counted in thousands": [
        (
            "papers on coral with at least 1,000 citations",
            {"min_citations": 1000, "query_terms": ("coral",)},
        ),
    ],
    "a range into the future ends this year": [
        ("papers on coral between 2025 and 3030", {"year_from": 2025, "year_to": 2026}),
    ],
    "a number that says what it counts is topic": [
        (
            "papers on battery ageing after 3000 cycles",
            {"query_terms": ("battery", "ageing", "3000", "cycles")},
        ),
        ("papers on the 3000 rice genomes", {"query_terms": ("3000", "rice", "genomes")}),
        ("papers on energy demand in 2050", {"query_terms": ("energy", "demand", "2050")}),
    ],
    "words of time that describe are topic": [
        ("papers on recently discovered species", {"year_from": None, "year_to": None}),
        ("papers on the earliest known tools", {"year_from": None, "year_to": None}),
        # what is no time stays in the topic
        ("papers on frm and credit risk", {"year_from": None, "year_to": None}),
        ("papers on the following 2015 guidelines", {"year_from": None, "year_to": None}),
        (
            "papers on monetary policy following the 2008 crisis",
            {"year_from": None, "year_to": None},
        ),
        ("papers on form 2020", {"year_from": None, "year_to": None}),
        ("papers on women in their twenties", {"year_from": None, "year_to": None}),
        ("papers on vienna at the turn of the century", {"year_from": None, "year_to": None}),
        ("papers on going back to school", {"year_from": None, "year_to": None}),
        ("papers on storage for max 5 years", {"year_from": None, "year_to": None}),
        ("papers on tea from2020a", {"year_from": None, "year_to": None}),
    ],
}


@pytest.mark.parametrize(("text", "fields"), titled(FIELDS))
def test_a_number_is_a_field_where_it_is_one(text: str, fields: dict[str, Any]):
    assert read(text).search.model_dump(include=set(fields)) == fields


@pytest.mark.parametrize(
    "text",
    [
        "papers on bees from 2019, 2020 excluded, to 2022",
        "papers on bees from 2019 (2020 excluded) to 2022",
        "papers on bees from 2019, without 2020, until 2022",
        "papers on bees from 2019 but not 2020 to 2022",
        "papers on bees from 2019, excluding 2020, to 2022",
    ],
)
def test_a_year_left_out_inside_a_range_leaves_its_ends(text: str):
    reading = read_search_fields(text, TODAY)
    search = reading.search
    assert (search.topic, search.year_from, search.year_to) == ("bees", 2019, 2022)
    told = unfollowed_note(text, reading.sources)
    assert "2020" in told
    assert "(years cannot be left out)" in told


# Times and ages of what papers are about are topic; those of the papers are fields.


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
def test_times_of_what_papers_are_about_are_topic(topic: str):
    search = read_search_fields(f"papers on {topic}", TODAY).search

    assert search.topic == topic
    assert (search.year_from, search.year_to) == (None, None)
    assert all(word in search.query_terms for word in topic.split() if word[0].isdigit())


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("papers on coral since 3020", "since 3020"),
        ("papers on coral before 3020", "before 3020"),
        ("papers on coral in 2027", "in 2027"),
        ("papers on coral published in 2050", "published in 2050"),
    ],
)
def test_years_without_papers_are_told_and_no_topic(text: str, said: str):
    reading = read(text)

    assert reading.search.query_terms == ("coral",)
    assert (reading.search.year_from, reading.search.year_to) == (None, None)
    assert (
        unfollowed_note(text, reading.sources) == f"I can't do this part: “{said}” (in the future)."
    )


# A time is read, or told as left out; it is never searched for as words.


@pytest.mark.parametrize(
    ("said", "first", "last"),
    [
        ("since '19", 2019, None),
        ("from '19", 2019, 2019),
        ("after '99", 2000, None),
        ("between '15 and '18", 2015, 2018),
        ("since twenty twenty", 2020, None),
        ("since twenty-twenty-one", 2021, None),
        ("before nineteen ninety-five", None, 1994),
        ("in two thousand and five", 2005, 2005),
        ("since twenty oh nine", 2009, None),
        ("a decade ago", 2016, 2016),
        ("from two decades ago", 2006, 2006),
        ("a year ago", 2025, 2025),
        ("from around ten years ago", 2015, 2017),
        ("since a couple of years ago", 2024, None),
        ("until five years ago", None, 2021),
        ("before 3 years ago", None, 2023),
        ("from 3 weeks ago", 2026, 2026),
        ("ten years ago until five years ago", 2016, 2021),
        ("from ten years ago to five years ago", 2016, 2021),
        ("between ten and five years ago", 2016, 2021),
        ("from 10 to 5 years ago", 2016, 2021),
        ("this century", 2001, 2026),
        ("by the end of 2020", None, 2020),
        ("past 3-5 years", 2021, 2026),
        ("in the last three to five years", 2021, 2026),
        ("no older than 3-5 years", 2021, 2026),
        ("from the last twenty-five years", 2001, 2026),
        ("-2018", None, 2018),
        (", -2018", None, 2018),
        ("2018-", 2018, None),
        ("since last Christmas", 2025, None),
        ("since Christmas", 2025, None),
        ("before Christmas 2022", None, 2022),
        ("since 15/06/2021", 2021, None),
        ("since 2024-1", 2024, None),
        ("until twenty thirty", None, 2030),
    ],
)
def test_times_are_read_however_they_are_said(said: str, first: int | None, last: int | None):
    text = f"papers on bees {said}"

    reading = read_search_fields(text, TODAY)

    assert (reading.search.year_from, reading.search.year_to) == (first, last)
    assert reading.search.query_terms == ("bees",)
    assert unfollowed_note(text, reading.sources) == ""


@pytest.mark.parametrize(
    "said",
    [
        "before 1500",
        "since 1234",
        "between 1500 and 1700",
        "published before 1492",
        "since 2024-13",
        "since 2024-00",
        "before 2024-02-30",
        "until 13/2024",
        "since 01/06/2021",
        "since last Easter",
        "since Easter 2023",
        "since last semester",
        "since our last meeting",
        "since twenty thirty",
    ],
)
def test_times_that_cannot_be_read_are_told(said: str):
    text = f"papers on bees {said}"

    reading = read_search_fields(text, TODAY)

    assert (reading.search.year_from, reading.search.year_to) == (None, None)
    assert reading.search.query_terms == ("bees",)
    assert f"“{said}”" in unfollowed_note(text, reading.sources)


@pytest.mark.parametrize(
    "topic",
    [
        "sea level since the last glacial maximum",
        "retail sales before Christmas",
        "battery ageing after 1000 cycles",
        "care between 1000 and 1500 patients",
        "vision in twenty twenty patients",
        "twenty twenty vision",
        "fires 20 million years ago",
        "art of this century",
        "the class of '68",
        "speech in last place",
    ],
)
def test_times_that_papers_are_about_stay(topic: str):
    reading = read_search_fields(f"papers on {topic}", TODAY)

    assert reading.sources == ()
    assert reading.search.topic in (topic, topic.removeprefix("the "))


# A slip in the word before a year, or no space behind it, loses no time.


@pytest.mark.parametrize(
    ("said", "first", "last"),
    [
        ("sinse 2020", 2020, None),
        ("sence 2017", 2017, None),
        ("snice March 2021", 2021, None),
        ("frm 2020", 2020, 2020),
        ("fron 2018", 2018, 2018),
        ("befor 2020", None, 2019),
        ("betwen 2015 and 2018", 2015, 2018),
        ("upto 2015", None, 2015),
        ("SINCE2020", 2020, None),
        ("after2020", 2021, None),
        ("until2019", None, 2019),
        ("going back to 2015", 2015, None),
        ("reaching back as far as 2012", 2012, None),
        ("as far back as 2015", 2015, None),
        ("following 2015", 2016, None),
        ("since the turn of the century", 2000, None),
        ("since the turn of the millennium", 2000, None),
        ("in the last decade and a half", 2011, 2026),
        ("from the past year and a half", 2024, 2026),
        ("max 5 years old", 2021, 2026),
        ("maximum of 3 years old", 2023, 2026),
    ],
)
def test_a_time_is_read_and_no_word_of_it_searched_for(said, first, last):
    search = read_search_fields(f"papers on tea {said}", TODAY).search

    assert (search.year_from, search.year_to) == (first, last)
    assert search.query_terms == ("tea",)


# Times that hang on another are read; those that nobody can place are told, and no topic.

NOVEMBER = date(2026, 11, 26)
BEES = SearchPolicy(topic="bees", query_terms=("bees",))


@pytest.mark.parametrize(
    ("text", "first", "last"),
    [
        ("in the 18 months to June 2025", date(2024, 1, 1), date(2025, 6, 30)),
        ("in the year to June 2025", date(2024, 7, 1), date(2025, 6, 30)),
        ("from the 12 months ending March 2024", date(2023, 4, 1), date(2024, 3, 31)),
        ("during the two quarters until September 2024", date(2024, 4, 1), date(2024, 9, 30)),
        ("in the six months up to the end of 2024", date(2024, 7, 1), date(2024, 12, 31)),
    ],
)
def test_months_that_end_with_a_month_are_read(text: str, first: date, last: date):
    search = read_search_fields(f"papers on bees {text}", NOVEMBER).search

    assert (search.date_from, search.date_to, search.topic) == (first, last, "bees")


@pytest.mark.parametrize("text", ["in the three years to 2020", "over the 3 years ending 2020"])
def test_years_that_end_with_a_year_are_whole(text: str):
    search = read_search_fields(f"papers on bees {text}", NOVEMBER).search

    assert search == BEES.model_copy(update={"year_from": 2018, "year_to": 2020})


@pytest.mark.parametrize(
    "time",
    [
        "from FY2023", "since FY23", "in FY2022/23", "from fiscal year 2023",
        "from the academic year 2023", "from last fall", "from last autumn", "in last winter",
        "since last summer", "this spring", "last fall", "from the weekend", "since last weekend",
        "from the other day",
    ],
)  # fmt: skip
def test_a_time_that_cannot_be_placed_is_told(time: str):
    text = f"papers on bees {time}"

    reading = read_search_fields(text, NOVEMBER)

    assert reading.search == BEES
    assert (
        unfollowed_note(text, reading.sources)
        == f"I can't do this part: “{time}” (no time that can be read)."
    )


@pytest.mark.parametrize(
    "topic",
    [
        "the fall of Rome", "last summer ice", "the weekend effect in hospitals", "weekend effects",
        "spring phenology", "years to retirement", "the road to 2030", "injuries at the weekend",
        "the weekend", "last winter",
    ],
)  # fmt: skip
def test_seasons_and_weekends_of_a_topic_stay(topic: str):
    text = f"papers on {topic}"

    reading = read_search_fields(text, NOVEMBER)

    assert unfollowed_note(text, reading.sources) == ""
    assert topic.rsplit(maxsplit=1)[-1] in reading.search.query_terms


# Parts of a year: last year and this year have the same ones as a year by number.

YEARS = {"2025": 2025, "last year": 2025, "the last year": 2025, "the past year": 2025,
         "this year": 2026, "the current year": 2026, "2024": 2024}  # fmt: skip
DATES = {
    "in Q1 of {}": ("{}-01-01", "{}-03-31"),
    "in Q1 {}": ("{}-01-01", "{}-03-31"),
    "from Q1/{}": ("{}-01-01", "{}-03-31"),
    "in 1Q {}": ("{}-01-01", "{}-03-31"),
    "in 1Q of {}": ("{}-01-01", "{}-03-31"),
    "in the first quarter of {}": ("{}-01-01", "{}-03-31"),
    "in the first quarter {}": ("{}-01-01", "{}-03-31"),
    "in {}'s Q1": ("{}-01-01", "{}-03-31"),
    "in {}'s first quarter": ("{}-01-01", "{}-03-31"),
    "in the first three months of {}": ("{}-01-01", "{}-03-31"),
    "in the first month of {}": ("{}-01-01", "{}-01-31"),
    "in the first two weeks of {}": ("{}-01-01", "{}-01-14"),
    "since Q1 of {}": ("{}-01-01", None),
    "since the end of Q1 {}": ("{}-03-31", None),
    "since the end of March {}": ("{}-03-31", None),
    "since the second quarter of {}": ("{}-04-01", None),
    "since the beginning of {}": ("{}-01-01", None),
    "since the start of {}": ("{}-01-01", None),
    "from the start of {} on": ("{}-01-01", None),
    "from the start of {} onwards": ("{}-01-01", None),
    "not before the start of {}": ("{}-01-01", None),
    "until the end of the first half of {}": (None, "{}-06-30"),
    "until the end of {}": (None, "{}-12-31"),
    "up to the end of {}": (None, "{}-12-31"),
    "by the end of {}": (None, "{}-12-31"),
    "published by the end of {}": (None, "{}-12-31"),
    "no later than the end of {}": (None, "{}-12-31"),
    "before the end of {}": (None, "{}-12-30"),
}
WHOLE_YEARS = {
    "in summer {}": "in",
    "in the summer of {}": "in",
    "in early {}": "in",
    "in late {}": "in",
    "late in {}": "in",
    "in spring and summer {}": "in",
    "between spring and autumn {}": "in",
    "from spring to autumn of {}": "in",
    "in {}'s summer": "in",
    "at the end of {}": "in",
    "in the middle of {}": "in",
    "from the start to the end of {}": "in",
    "towards the end of {}": "in",
    "since autumn {}": "since",
    "since late {}": "since",
    "since the middle of {}": "since",
    "after summer {}": "since",
    "until winter {}": "until",
    "before summer {}": "until",
}
PARTS = ("Q2 of", "2Q", "the second quarter of", "the second half of", "H1", "the latter half of",
         "summer", "the winter of", "the start of", "the end of", "the end of Q2", "early",
         "the last three months of", "the first and second quarter of")  # fmt: skip
WORDS = ("in", "since", "until", "before", "after", "by", "at", "around", "from", "not after", "")


@pytest.mark.parametrize(("said", "year"), [*product(DATES, YEARS)])
def test_a_part_of_a_year_is_read_to_the_day(said: str, year: str):
    reading = read_search_fields(f"papers on coral {said.format(year)}", TODAY)

    search, number = reading.search, YEARS[year]
    wanted = tuple(day and date.fromisoformat(day.format(number)) for day in DATES[said])
    assert (search.date_from, search.date_to) == wanted
    assert (search.topic, search.query_terms) == ("coral", ("coral",))


@pytest.mark.parametrize(("said", "year"), [*product(WHOLE_YEARS, YEARS)])
def test_seasons_and_vague_parts_are_the_whole_year(said: str, year: str):
    search = read_search_fields(f"papers on coral {said.format(year)}", TODAY).search

    bound, number = WHOLE_YEARS[said], YEARS[year]
    assert search.year_from == (None if bound == "until" else number)
    assert search.year_to == (None if bound == "since" else number)
    assert (search.date_from, search.date_to, search.topic) == (None, None, "coral")


@pytest.mark.parametrize(
    ("said", "first", "last"),
    [
        ("in the second half of the last year", "2025-07-01", "2025-12-31"),
        ("the first half of the past year", "2025-01-01", "2025-06-30"),
        ("in the last two quarters of 2024", "2024-07-01", "2024-12-31"),
        ("in the first and second quarter of last year", "2025-01-01", "2025-06-30"),
        ("between the first and third quarter of 2024", "2024-01-01", "2024-09-30"),
        ("in the first half of the year 2024", "2024-01-01", "2024-06-30"),
        ("from the end of 2023 to the start of last year", "2023-12-31", "2025-01-01"),
        ("between the start and the end of Q2 2024", "2024-04-01", "2024-06-30"),
        ("from the first half of last year or the second half of 2024", "2024-07-01", "2025-06-30"),
        ("since the end of last month until yesterday", "2026-04-30", "2026-05-19"),
    ],
)
def test_ends_and_parts_make_ranges(said: str, first: str, last: str):
    search = read_search_fields(f"papers on coral {said}", TODAY).search

    assert (search.date_from, search.date_to) == tuple(map(date.fromisoformat, (first, last)))
    assert search.topic == "coral"


@pytest.mark.parametrize(
    ("said", "first", "last"),
    [
        ("until 31 March", None, "2026-03-31"),
        ("since Monday", "2026-05-18", None),
        ("since the day before yesterday", "2026-05-18", None),
        ("since last week's Thursday", "2026-05-14", None),
        ("since the first Monday of March", "2026-03-02", None),
        ("before two days before Christmas", None, "2025-12-22"),
    ],
)
def test_days_mean_the_same_as_in_any_other_request(said: str, first: str | None, last: str | None):
    search = read_search_fields(f"papers on coral {said}", TODAY).search

    days = (search.date_from, search.date_to)
    assert days == tuple(one and date.fromisoformat(one) for one in (first, last))
    assert search.query_terms == ("coral",)


@pytest.mark.parametrize("said", ["in the last year", "over the past year", "in the last quarter"])
def test_a_window_without_a_part_still_ends_today(said: str):
    search = read_search_fields(f"papers on coral {said}", TODAY).search

    months = 3 if "quarter" in said else 12
    assert search.date_from == (date(2026, 2, 20) if months == 3 else date(2025, 5, 20))
    assert (search.year_to, search.topic) == (2026, "coral")


@pytest.mark.parametrize(
    "topic",
    [
        "winter of 1916",
        "summer 2003 heat wave",
        "end of life care",
        "end of the year bonuses",
        "energy demand at the end of the century",
        "sea level by the end of 2050",
        "fall of Rome",
        "trade in the last quarter of the 20th century",
        "person of the year 2024",
    ],
)
def test_a_part_that_is_no_filter_belongs_to_the_topic(topic: str):
    search = read_search_fields(f"papers on the {topic}", TODAY).search

    assert (search.year_from, search.year_to, search.topic) == (None, None, topic)


@pytest.mark.parametrize("said", ["the second half of this year", "Q4 this year"])
def test_a_part_that_is_still_to_come_is_told(said: str):
    reading = read_search_fields(f"papers on coral in {said}", TODAY)

    assert (reading.search.year_from, reading.search.topic) == (None, "coral")
    assert reading.sources[0].rule == "in_in_future"


@given(
    st.lists(st.tuples(*map(st.sampled_from, (WORDS, PARTS, list(YEARS)))), min_size=1, max_size=2),
    st.sampled_from((" ", " and ", " to ", ", ", " or ")),
    st.dates(date(2025, 1, 1), date(2031, 12, 31)),
)
@settings(max_examples=400, deadline=None)
def test_parts_never_run_backwards_nor_into_years_nobody_said(
    said: list[tuple[str, str, str]], between: str, today: date
):
    text = "papers on coral " + between.join(" ".join(words) for words in said)

    search = read_search_fields(text, today).search

    if search.year_from is not None:
        assert search.year_from <= today.year
        assert search.year_to is None or search.year_from <= search.year_to
    if search.date_from is not None and search.date_to is not None:
        assert search.date_from <= search.date_to
    assert search.year_to is None or search.year_to <= today.year
