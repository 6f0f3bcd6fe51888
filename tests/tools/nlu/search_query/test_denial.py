"""What is denied is never searched for."""

from datetime import date
from itertools import product

import pytest

from state.policy import SearchPolicy, SearchReading
from tools.nlu.search_query.parser import read_search_fields, unfollowed_note
from tools.nlu.search_query.refinement import refine

TODAY = date(2026, 5, 20)
CORAL = SearchPolicy(topic="coral", query_terms=("coral",))


def read(text: str) -> SearchReading:
    return read_search_fields(text, TODAY)


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("papers on coral not by Smith", "authors:left_out by_denied@16-28"),
        ("papers on coral, none by Smith", "authors:left_out by_denied@17-30"),
        ("papers on coral except by John Smith", "authors:left_out by_denied@16-36"),
        ("papers on coral that aren't by Smith", "authors:left_out by_denied@16-36"),
        ("papers on coral not in Nature", "venue:left_out at_denied@16-29"),
        ("papers on coral not published in Nature", "venue:left_out at_denied@16-39"),
        ("papers on coral but nothing from Nature", "venue:left_out at_denied@16-39"),
        ("papers on coral not at NeurIPS 2021", "venue:left_out at_denied@16-35"),
        ("papers on coral without open access", "open_access_only:left_out denied@16-35"),
    ],
)
def test_a_denied_constraint_is_left_out_with_a_reason(text: str, reason: str):
    reading = read(text)

    assert reason in reading.reasons
    assert reading.search.model_copy(update={"topic": "coral"}) == CORAL


@pytest.mark.parametrize(
    ("text", "first", "last"),
    [
        ("coral papers, nothing before 2015", 2015, None),
        ("no papers from before 2015 on coral", 2015, None),
        ("papers on coral, nothing older than 2015", 2015, None),
        ("papers on coral, nothing after 2015", None, 2015),
        ("papers on coral, nothing from 2015", None, None),
        ("papers on coral before 2015", None, 2014),
    ],
)
def test_a_denied_bound_is_its_opposite(text: str, first: int | None, last: int | None):
    search = read(text).search

    assert (search.year_from, search.year_to, search.query_terms) == (first, last, ("coral",))


def test_what_is_not_denied_is_searched_for():
    search = read("not sure, papers on coral by Smith in Nature, no paywall").search

    assert (search.authors, search.venue, search.open_access_only) == (("Smith",), "Nature", True)


def test_a_follow_up_takes_back_the_author_and_the_venue_it_denies():
    before = CORAL.model_copy(update={"authors": ("Ann Lee", "Smith"), "venue": "Nature"})

    by = refine(before, "not by Smith", TODAY)
    at = refine(before, "not in Nature", TODAY)

    assert by is not None
    assert by.search == before.model_copy(update={"authors": ("Ann Lee",)})
    assert at is not None
    assert at.search == before.model_copy(update={"venue": None})


# What is denied or excepted is never searched for, in whatever words, and the person is told.

NOVEMBER = date(2026, 11, 26)
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
def test_a_denied_field_is_not_searched_for_but_told(denial: str, field: str):
    text = f"papers on bees {denial} {field}"

    reading = read_search_fields(text, NOVEMBER)

    assert reading.search == BEES
    told = unfollowed_note(text, reading.sources)
    assert field in told
    assert "left out" in told


@pytest.mark.parametrize("access", ["open access", "open access ones", "free to read"])
@pytest.mark.parametrize("denial", [one for one in DENIALS if one != "but none"])
def test_denied_access_is_not_searched_for(denial: str, access: str):
    text = f"papers on bees {denial} {access}"

    reading = read_search_fields(text, NOVEMBER)

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
def test_a_denial_may_stand_anywhere(text: str, told: str):
    reading = read_search_fields(text, NOVEMBER)

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
def test_the_complement_of_an_open_stretch_is_searched(text, first, last):
    reading = read_search_fields(text, NOVEMBER)

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
def test_several_fields_are_denied_together(text: str):
    assert read_search_fields(text, NOVEMBER).search == BEES


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
def test_what_is_denied_twice_is_asked_for(text: str, fields: dict[str, object]):
    assert read_search_fields(text, NOVEMBER).search == BEES.model_copy(update=fields)


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
def test_what_is_not_required_is_no_field_and_nothing_to_tell(text: str):
    reading = read_search_fields(text, NOVEMBER)

    assert reading.search == BEES
    assert unfollowed_note(text, reading.sources) == ""


@pytest.mark.parametrize("text", ["papers on paywalled journals", "papers on closed access fees"])
def test_closed_access_is_a_topic_unless_it_is_left_out(text: str):
    assert read_search_fields(text, NOVEMBER).search.open_access_only is not True


def test_the_one_who_is_named_instead_is_the_author():
    search = read_search_fields("papers on bees not by Hinton but by LeCun", NOVEMBER).search

    assert search == BEES.model_copy(update={"authors": ("LeCun",)})


@pytest.mark.parametrize(
    ("text", "first", "last"),
    [("none since 2024", 2022, 2023), ("except 2024", 2022, 2026), ("not only 2024", 2022, 2026)],
)
def test_a_follow_up_denies_alike(text: str, first: int, last: int):
    before = BEES.model_copy(update={"year_from": 2022, "year_to": 2026})

    refined = refine(before, text, NOVEMBER)

    assert refined is not None
    assert (refined.search.year_from, refined.search.year_to) == (first, last)


# What a search is not to be about is no word of it, and the person is told.

JUNE = date(2026, 6, 14)


@pytest.mark.parametrize(
    ("text", "terms", "told"),
    [
        ("papers on mice but not rats", ("mice",), "but not rats"),
        ("papers on mice, excluding reviews", ("mice",), "excluding reviews"),
        (
            "papers on sleep except for infant sleep since 2020",
            ("sleep",),
            "except for infant sleep",
        ),
        ("papers on mice but not rats and voles", ("mice",), "but not rats and voles"),
        ("papers on mice, skip reviews", ("mice",), "skip reviews"),
        ("papers on cells, not about cancer", ("cells",), "not about cancer"),
        ("find papers on vision other than segmentation", ("vision",), "other than segmentation"),
    ],
)
def test_what_is_left_out_is_told_and_not_searched(text: str, terms: tuple[str, ...], told: str):
    read = read_search_fields(text, JUNE)

    assert read.search.query_terms == terms
    assert (
        unfollowed_note(text, read.sources)
        == f"I can't do this part: “{told}” (nothing can be left out by that)."
    )


@pytest.mark.parametrize(
    ("text", "terms"),
    [
        ("papers on learning without labels", ("learning", "labels")),
        ("papers on cells not dividing", ("cells", "dividing")),
        ("papers on mice, not from 2020", ("mice",)),
        ("find papers on skip connections", ("skip", "connections")),
        ("papers on how to exclude outliers", ("exclude", "outliers")),
        ("papers on excluding minorities", ("excluding", "minorities")),
    ],
)
def test_what_a_topic_denies_itself_stays_its_own(text: str, terms: tuple[str, ...]):
    search = read_search_fields(text, JUNE).search

    assert set(terms) <= set(search.query_terms)


# Words that deny elsewhere, in questions, corrections and topics, deny no field.


@pytest.mark.parametrize(
    ("text", "first", "last"),
    [
        ("papers on bees from 2021 rather than 2020", 2021, 2021),
        ("papers on bees from 2021 instead of 2020", 2021, 2021),
        ("papers on bees, not 2020 but 2021", 2021, 2021),
        ("papers on bees from 2015 to 2022 except 2020", 2015, 2022),
        ("papers on bees since 2015 (2020 excluded)", 2015, None),
        ("papers on bees but only from 2020", 2020, 2020),
        ("papers on bees but from 2020", 2020, 2020),
        ("papers on bees limited to 2020", 2020, 2020),
        ("papers on bees, not by Hinton, from 2020", 2020, 2020),
        ("papers on bees not in Nature and since 2020", 2020, None),
        ("no, papers on bees from 2020", 2020, 2020),
        ("papers on bees no since 2020", 2020, None),
        ("not sure, papers on bees since 2015", 2015, None),
        ("isn't there a paper on bees from 2020", 2020, 2020),
        ("aren't there any papers on bees from 2020?", 2020, 2020),
        ("are there no papers on bees from 2020?", 2020, 2020),
        ("can't you find papers on bees from 2020", 2020, 2020),
        ("don't you have papers on bees from 2020", 2020, 2020),
        ("why not papers on bees from 2020", 2020, 2020),
        ("papers on learning without labels since 2019", 2019, None),
        ("papers on cells not dividing since 2019", 2019, None),
        ("papers on why bees do not fly since 2019", 2019, None),
        ("papers on work outside Europe since 2019", 2019, None),
        ("papers on outside options since 2019", 2019, None),
        ("papers on life without the internet from 2020", 2020, 2020),
        ("papers on save the bees campaigns from 2020", 2020, 2020),
        ("papers on bar charts from 2020", 2020, 2020),
        ("papers on rejected papers from 2020", 2020, 2020),
        ("papers on what to do besides work since 2015", 2015, None),
        ("papers on the none of the above option since 2015", 2015, None),
        ("papers on nothing since 2015", 2015, None),
        ("papers on never events since 2015", 2015, None),
        ("papers on no-till farming since 2015", 2015, None),
        ("papers on avoiding collisions since 2015", 2015, None),
        ("papers on children not in school since 2015", 2015, None),
        ("papers on flight no 2020 since 2015", 2015, None),
    ],
)
def test_words_that_deny_elsewhere_deny_no_field(text: str, first: int | None, last: int | None):
    search = read_search_fields(text, NOVEMBER).search

    assert (search.year_from, search.year_to) == (first, last)


# What is not wanted is not searched for, though a wish or a word for results stands between.


@pytest.mark.parametrize(
    "said",
    [
        "that I don't want from 2020", "which we don't need from 2020",
        "I don't want from 2020", "that I really do not want from 2020",
        "that I would rather not have from 2020", "which I'd rather not see from 2020",
        ", I'd rather not read those from 2020", ", I want nothing from 2020",
        "without results from 2020", "without any hits from 2020", "with no results from 2020",
        "without matches published in 2020", ", no entries from 2020",
        "ignoring 2020", "skipping 2020", "disregarding the year 2020", ", avoiding 2020",
        "ignoring anything from 2020", ", ignoring the ones from 2020",
        ", 2020 is of no interest", ", 2020 doesn't interest me", ", those from 2020 are no use",
        ", 2020 ignored", "but don't get me any from 2020",
        ", we agreed to exclude 2020", ", as we have decided to leave out 2020",
        ", because I chose to ignore 2020",
    ],
)  # fmt: skip
def test_what_is_not_wanted_at_one_remove_is_told(said: str):
    text = f"papers on bees {said}".replace(" ,", ",")

    reading = read_search_fields(text, NOVEMBER)

    search = reading.search
    assert (search.topic, search.year_from, search.year_to) == ("bees", None, None)
    assert "(years cannot be left out" in unfollowed_note(text, reading.sources)


@pytest.mark.parametrize(
    ("said", "first", "last"),
    [
        ("that I don't want since 2015", None, 2014),
        ("which I'd rather not have from before 2015", 2015, None),
        (", without results since 2015", None, 2014),
        ("but without hits from before 2015", 2015, None),
        (", with no results after 2018", None, 2018),
        ("that I don't want results since 2015", None, 2014),
        (", I want no results since 2015", None, 2014),
        ("except results since 2015", None, 2014),
        ("and nothing since 2015", None, 2014),
        ("and nothing before 2015", 2015, None),
        (", anything since 2015 is no use", None, 2014),
    ],
)
def test_what_is_left_of_an_open_time_is_searched(said: str, first: int | None, last: int | None):
    text = f"papers on bees {said}".replace(" ,", ",")

    search = read_search_fields(text, NOVEMBER).search

    assert (search.topic, search.year_from, search.year_to) == ("bees", first, last)


@pytest.mark.parametrize(
    "topic",
    [
        "bees", "diplomacy", "mergers", "strikes", "vaccines", "prayers", "trade", "bands",
        "diplomacy and trade",
    ],
)  # fmt: skip
@pytest.mark.parametrize(
    "denial",
    [
        "without results", "with no results", "without any hits", "without matches",
        "without results published", "without results that were published", "and no results",
        "that don't show results", "that never had results",
    ],
)  # fmt: skip
@pytest.mark.parametrize("time", ["since 2015", "after 2015", "before 2015", "from 2015"])
def test_results_that_may_be_the_topics_own_never_turn_a_time_round(topic, denial, time):
    text = f"papers on {topic} {denial} {time}"

    reading = read_search_fields(text, NOVEMBER)

    search = reading.search
    assert (search.topic, search.year_from, search.year_to) == (topic, None, None)
    assert f"{time}” (years cannot be left out" in unfollowed_note(text, reading.sources)


@pytest.mark.parametrize("papers", ["papers", "studies", "articles on bees"])
def test_papers_without_results_may_be_those_that_found_nothing(papers: str):
    search = read_search_fields(f"{papers} without results since 2015", NOVEMBER).search

    assert (search.year_from, search.year_to) == (None, None)


@pytest.mark.parametrize(
    ("said", "who"),
    [
        (", ignoring Hinton", ()), ("that I don't want by Hinton", ()),
        (", ignoring wasps", ()), (", disregarding wasps by Hinton", ("Hinton",)),
    ],
)  # fmt: skip
def test_ignoring_leaves_out_whatever_it_names(said: str, who: tuple[str, ...]):
    text = f"papers on bees {said}".replace(" ,", ",")

    reading = read_search_fields(text, NOVEMBER)

    assert (reading.search.topic, reading.search.authors) == ("bees", who)
    assert "(nothing can be left out" in unfollowed_note(text, reading.sources)


@pytest.mark.parametrize(
    "topic",
    [
        "foods people don't want", "data we do not want", "trials without results",
        "machine learning without results", "peace talks with no results", "ignoring pheromones",
        "an election without results", "tests without results", "things that I forget",
    ],
)  # fmt: skip
def test_what_others_do_without_is_a_topic(topic: str):
    search = read_search_fields(f"papers on {topic} from 2020", NOVEMBER).search

    assert (search.year_from, search.year_to) == (2020, 2020)
    assert search.topic == topic.removeprefix("an ")


# A kind of paper, a noun or a verb of the topic takes a denial: the fields behind it stay.


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
def test_a_topic_is_never_turned_into_the_years_before(topic: str):
    search = read_search_fields(f"papers on {topic} since 2015", NOVEMBER).search

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
def test_year_and_topic_are_kept(said: str, topic: str):
    search = read_search_fields(f"papers on {said} 2020", NOVEMBER).search

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
def test_a_year_is_kept(text: str):
    search = read_search_fields(text, NOVEMBER).search

    assert (search.year_from, search.year_to) == (2020, 2020)


def test_what_is_not_to_be_forgotten_is_the_topic():
    assert (
        read_search_fields("don't forget papers on bees from 2020", NOVEMBER).search.topic == "bees"
    )


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
def test_venue_and_author_are_kept(text: str, venue: str | None, authors: tuple[str, ...]):
    search = read_search_fields(text, NOVEMBER).search

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
def test_a_kind_is_told_and_the_years_from_then_on_kept(kind: str):
    text = f"papers on bees {kind} since 2015".replace(" ,", ",")

    reading = read_search_fields(text, NOVEMBER)

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
def test_a_kind_of_some_years_is_told_and_its_years_are_not_searched(kind: str, time: str):
    text = f"papers on bees {kind} {time}".replace(" ,", ",")

    reading = read_search_fields(text, NOVEMBER)

    search = reading.search
    assert (search.topic, search.year_from, search.year_to) == ("bees", None, None)
    assert f"{time}” (years cannot be left out" in unfollowed_note(text, reading.sources)


@pytest.mark.parametrize("time", ["since 2015", "after 2014", "from 2015 on", "2015 or later"])
@pytest.mark.parametrize("kind", ["without reviews", ", no theses"])
def test_a_time_without_an_end_is_the_searchs(kind: str, time: str):
    text = f"papers on bees {kind} {time}".replace(" ,", ",")

    search = read_search_fields(text, NOVEMBER).search

    assert (search.year_from, search.year_to) == (2015, None)


@pytest.mark.parametrize("time", [", from 2015", "please, from 2015", ". From 2015"])
def test_a_time_that_is_said_apart_from_the_kind_is_kept(time: str):
    search = read_search_fields(
        f"papers on bees, no theses {time}".replace(" ,", ","), NOVEMBER
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
def test_what_stands_at_the_field_still_denies_it(denial: str):
    text = f"papers on bees {denial} since 2015".replace(" ,", ",")

    search = read_search_fields(text, NOVEMBER).search

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
def test_what_is_left_out_itself_is_told(text: str, told: str):
    reading = read_search_fields(text, NOVEMBER)

    search = reading.search
    assert (search.topic, search.year_from, search.venue, search.authors) == (
        "bees",
        None,
        None,
        (),
    )
    assert f"“{told}”" in unfollowed_note(text, reading.sources)


def test_what_does_not_go_back_before_a_year_is_since_then():
    search = read_search_fields("papers on bees that do not go back before 2010", NOVEMBER).search

    assert (search.year_from, search.year_to) == (2010, None)
