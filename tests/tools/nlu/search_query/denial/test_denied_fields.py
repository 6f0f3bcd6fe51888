"""What is denied or excepted is never searched for, in whatever words, and the person is told."""

from datetime import date
from itertools import product

import pytest

from state.policy import SearchPolicy
from tools.nlu.search_query.parser import read_search_fields, unfollowed_note
from tools.nlu.search_query.refinement import refine

TODAY = date(2026, 11, 26)
BEES = SearchPolicy(topic="bees", query_terms=("bees",))
DENIALS = (
    "not", "but not", "but none", "nothing", "but nothing", "but not those", "except",
    "except those", "except for the ones", "other than", "other than those", "apart from those",
    "aside from those", "with the exception of those", "without any", "without those",
    "excluding anything", "none of them", "none of which is", "that aren't", "that are not",
    "which were not", "rather than", "instead of those", "barring those", "leaving out those",
    "leave out everything", "skip those", "ignore anything", "but please nothing",
    "just not the ones", "unless", "I don't want any", "please exclude papers",
    "don't show me ones", "I'm not interested in anything", "but no papers",
)  # fmt: skip
FIELDS = (
    "from 2020", "published in 2020", "from 2015 to 2018", "from between 2015 and 2018",
    "from the 90s", "from the last 5 years", "from last year", "from March 2020", "by Hinton",
    "in Nature",
)  # fmt: skip


@pytest.mark.parametrize(("denial", "field"), list(product(DENIALS, FIELDS)))
def test_a_denied_field_is_not_searched_for_but_told(denial: str, field: str) -> None:
    text = f"papers on bees {denial} {field}"

    reading = read_search_fields(text, TODAY)

    assert reading.search == BEES
    told = unfollowed_note(text, reading.sources)
    assert field in told
    assert "left out" in told


@pytest.mark.parametrize("access", ["open access", "open access ones", "free to read"])
@pytest.mark.parametrize("denial", [one for one in DENIALS if one != "but none"])
def test_denied_access_is_not_searched_for(denial: str, access: str) -> None:
    text = f"papers on bees {denial} {access}"

    reading = read_search_fields(text, TODAY)

    assert reading.search == BEES
    assert "nothing can be left out" in unfollowed_note(text, reading.sources)


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("papers on bees, 2020 excluded", "2020 excluded"),
        ("papers on bees, open access excluded", "open access excluded"),
        ("papers on bees with those from 2020 left out", "from 2020 left out"),
        ("papers on bees outside 2020", "outside 2020"),
        ("papers on bees bar 2020", "bar 2020"),
        ("papers on bees, leaving aside 2020", "leaving aside 2020"),
        ("non-2020 papers on bees", "non-2020"),
        ("papers on bees from any year but 2020", "but 2020"),
        ("papers on bees from every year except 2020", "except 2020"),
        ("papers on bees excluding the years 2015 to 2018", "excluding the years 2015 to 2018"),
        ("papers on bees, neither from 2019 nor 2020", "neither from 2019 nor 2020"),
        ("papers on bees not from 2019, 2020 or 2022", "not from 2019, 2020 or 2022"),
        ("papers on bees apart from Hinton's papers", "apart from Hinton's papers"),
        ("papers on bees that Hinton didn't write", "that Hinton didn't write"),
        ("papers on bees by anyone but Hinton", "by anyone but Hinton"),
        ("papers on bees in any journal but Nature", "in any journal but Nature"),
        ("papers on bees but no Hinton papers", "but no Hinton papers"),
        ("papers on bees, wasps excluded", "wasps excluded"),
        ("papers on bees apart from honeybees", "apart from honeybees"),
        ("papers on bees, but not the top 5", "but not the top 5"),
        ("papers on bees, all but the first three", "but the first three"),
        ("papers on bees not sorted by citations", "not sorted by citations"),
        ("no papers on bees from 2020", "from 2020"),
        ("don't show me papers on bees from 2020", "from 2020"),
        ("I don't want papers from 2020 on bees", "I don't want papers from 2020"),
        ("papers on bees not until 2020", "not until 2020"),
        ("papers on bees, nothing since summer 2024", "nothing since summer 2024"),
        ("papers on bees but no recent ones", "but no recent"),
        ("papers on bees, leave the ones from 2020 out", "leave the ones from 2020 out"),
        ("papers on bees, but leave 2020 out", "but leave 2020 out"),
        ("papers on bees (no 2020)", "no 2020"),
        ("papers on bees, I already have those from 2020", "I already have those from 2020"),
        ("papers on bees rejected from Nature", "rejected from Nature"),
        ("papers on bees lacking open access", "lacking open access"),
        ("papers on bees, no longer from 2020", "no longer from 2020"),
        ("papers on bees by someone other than Hinton", "by someone other than Hinton"),
        ("papers on bees, not Hinton", "not Hinton"),
        ("papers on bees but no Hinton", "but no Hinton"),
        ("papers on bees published anywhere except Nature", "published anywhere except Nature"),
        ("papers on bees in all years but 2020", "but 2020"),
    ],
)
def test_a_denial_may_stand_anywhere(text: str, told: str) -> None:
    reading = read_search_fields(text, TODAY)

    assert reading.search == BEES
    assert f"“{told}”" in unfollowed_note(text, reading.sources)


@pytest.mark.parametrize(
    ("text", "first", "last"),
    [
        ("papers on bees except those before 2010", 2010, None),
        ("papers on bees without pre-2010 ones", 2010, None),
        ("papers on bees. Don't include anything from before 2010.", 2010, None),
        ("papers on bees, don't go back before 2010", 2010, None),
        ("papers on bees, none from 2010 or earlier", 2011, None),
        ("papers on bees but none since 2015", None, 2014),
        ("papers on bees apart from those since 2015", None, 2014),
        ("papers on bees not from 2015 or later", None, 2014),
        ("papers on bees which haven't been published since 2015", None, 2014),
        ("papers on bees, ignore everything after 2020", None, 2020),
        ("papers on bees since 2000 but none since 2015", 2000, 2014),
        ("papers on bees before 2010 but not before 1990", 1990, 2009),
    ],
)
def test_the_complement_of_an_open_stretch_is_searched(
    text: str, first: int | None, last: int | None
) -> None:
    reading = read_search_fields(text, TODAY)

    assert reading.search == BEES.model_copy(update={"year_from": first, "year_to": last})
    assert unfollowed_note(text, reading.sources) == ""


@pytest.mark.parametrize(
    "text",
    [
        "papers on bees, nothing by Hinton since 2015",
        "papers on bees, except those before 2010 by Hinton",
        "no papers in Nature on bees before 2015",
        "papers on bees, except ones by Hinton from 2020",
        "papers on bees, but nothing by Hinton or from 2020",
        "papers on bees, neither by Hinton nor in Nature",
        "papers on bees except those in Nature and those from 2020",
    ],
)
def test_several_fields_are_denied_together(text: str) -> None:
    assert read_search_fields(text, TODAY).search == BEES


@pytest.mark.parametrize(
    ("text", "fields"),
    [
        ("papers on bees, nothing that isn't open access", {"open_access_only": True}),
        ("papers on bees, nothing but open access", {"open_access_only": True}),
        ("papers on bees, none without open access", {"open_access_only": True}),
        ("papers on bees apart from the paywalled ones", {"open_access_only": True}),
        ("papers on bees except those behind a paywall", {"open_access_only": True}),
        ("papers on bees, skip anything that isn't by Hinton", {"authors": ("Hinton",)}),
        ("papers on bees, exclude everything not from 2020", {"year_from": 2020, "year_to": 2020}),
        ("no papers on bees other than those from 2020", {"year_from": 2020, "year_to": 2020}),
    ],
)
def test_what_is_denied_twice_is_asked_for(text: str, fields: dict[str, object]) -> None:
    reading = read_search_fields(text, TODAY)

    assert reading.search == BEES.model_copy(update=fields)


@pytest.mark.parametrize(
    "text",
    [
        "papers on bees not only from 2020",
        "papers on bees not just 2020",
        "papers on bees, not limited to 2020",
        "papers on bees not necessarily from 2020",
        "papers on bees, it doesn't have to be from 2020",
        "papers on bees that need not be recent",
    ],
)
def test_what_is_not_required_is_no_field_and_nothing_to_tell(text: str) -> None:
    reading = read_search_fields(text, TODAY)

    assert reading.search == BEES
    assert unfollowed_note(text, reading.sources) == ""


@pytest.mark.parametrize("text", ["papers on paywalled journals", "papers on closed access fees"])
def test_closed_access_is_a_topic_unless_it_is_left_out(text: str) -> None:
    assert read_search_fields(text, TODAY).search.open_access_only is not True


def test_the_one_who_is_named_instead_is_the_author() -> None:
    search = read_search_fields("papers on bees not by Hinton but by LeCun", TODAY).search

    assert search == BEES.model_copy(update={"authors": ("LeCun",)})


@pytest.mark.parametrize(
    ("text", "first", "last"),
    [("none since 2024", 2022, 2023), ("except 2024", 2022, 2026), ("not only 2024", 2022, 2026)],
)
def test_a_follow_up_denies_alike(text: str, first: int, last: int) -> None:
    before = BEES.model_copy(update={"year_from": 2022, "year_to": 2026})

    refined = refine(before, text, TODAY)

    assert refined is not None
    assert (refined.search.year_from, refined.search.year_to) == (first, last)
