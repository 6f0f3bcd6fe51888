"""What is not wanted is not searched for, though a wish or a word for results stands between."""

from datetime import date

import pytest

from tools.nlu.search_query.parser import read_search_fields, unfollowed_note

TODAY = date(2026, 11, 26)


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
def test_what_is_not_wanted_at_one_remove_is_told(said: str) -> None:
    text = f"papers on bees {said}".replace(" ,", ",")

    reading = read_search_fields(text, TODAY)

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
def test_what_is_left_of_an_open_time_is_searched(
    said: str, first: int | None, last: int | None
) -> None:
    text = f"papers on bees {said}".replace(" ,", ",")

    search = read_search_fields(text, TODAY).search

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
def test_results_that_may_be_the_topics_own_never_turn_a_time_round(
    topic: str, denial: str, time: str
) -> None:
    text = f"papers on {topic} {denial} {time}"

    reading = read_search_fields(text, TODAY)

    search = reading.search
    assert (search.topic, search.year_from, search.year_to) == (topic, None, None)
    assert f"{time}” (years cannot be left out" in unfollowed_note(text, reading.sources)


@pytest.mark.parametrize("papers", ["papers", "studies", "articles on bees"])
def test_papers_without_results_may_be_those_that_found_nothing(papers: str) -> None:
    search = read_search_fields(f"{papers} without results since 2015", TODAY).search

    assert (search.year_from, search.year_to) == (None, None)


@pytest.mark.parametrize(
    ("said", "who"),
    [
        (", ignoring Hinton", ()), ("that I don't want by Hinton", ()),
        (", ignoring wasps", ()), (", disregarding wasps by Hinton", ("Hinton",)),
    ],
)  # fmt: skip
def test_ignoring_leaves_out_whatever_it_names(said: str, who: tuple[str, ...]) -> None:
    text = f"papers on bees {said}".replace(" ,", ",")

    reading = read_search_fields(text, TODAY)

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
def test_what_others_do_without_is_a_topic(topic: str) -> None:
    search = read_search_fields(f"papers on {topic} from 2020", TODAY).search

    assert (search.year_from, search.year_to) == (2020, 2020)
    assert search.topic == topic.removeprefix("an ")
