"""Follow-ups that sound like other requests, or hold words that look like fields."""

import pytest

from tests.packs.research.conversation import Talk


async def test_a_filter_is_dropped_though_dropping_sounds_like_removing(talk: Talk) -> None:
    await talk.says("find papers on whale song since 2022, open access only")

    record = await talk.says("drop the year limit")

    assert (record.outcome, record.action) == ("executed", "search_papers")
    assert record.arguments is not None
    assert "year_from" not in record.arguments
    assert record.arguments["open_access_only"] is True


@pytest.mark.parametrize(
    ("text", "year"),
    [("more like the second one", None), ("more like the second one since 2021", 2021)],
)
async def test_the_second_one_is_a_paper_and_no_year(
    talk: Talk, text: str, year: int | None
) -> None:
    await talk.says("find papers on whale song")

    record = await talk.says(text)

    assert record.action == "find_similar_papers"
    assert (record.arguments or {}).get("year_from") == year
    assert record.outcome == "executed", record.text


async def test_make_it_ten_is_ten_though_ten_were_asked_for_before(talk: Talk) -> None:
    await talk.says("find papers on whale song")

    record = await talk.says("make it ten")

    assert record.action == "search_papers"
    assert (record.arguments or {})["limit"] == 10


async def test_a_search_that_finds_nothing_ends_the_list_before_it(talk: Talk) -> None:
    await talk.says("find papers on whale song")
    await talk.says("find papers on quantum gravity")

    record = await talk.says("add the second one to the library")

    assert (await talk.memory()).listed["paper"].values == ()
    assert "The last list is empty" in record.text, (record.outcome, record.text)
    assert record.offer_id is None


async def test_a_search_that_finds_one_paper_is_a_list_of_one(talk: Talk) -> None:
    await talk.says("find papers on whale song")
    await talk.says("find papers on whale song dialects from 2018")

    listed = (await talk.memory()).listed["paper"]
    record = await talk.says("add the second one to the library")

    assert len(listed.values) == 1
    assert "the last list has 1" in record.text


async def test_a_paper_that_is_looked_at_leaves_its_list_on_the_table(talk: Talk) -> None:
    await talk.says("find papers on whale song")
    before = (await talk.memory()).listed["paper"].values

    await talk.says("show the second one")

    listed = (await talk.memory()).listed["paper"]
    assert (listed.values, listed.it) == (before, before[1])


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        (
            "find papers on whale song since 2023 before 2020",
            "Not followed: “since 2023” and “before 2020” (no year is both).",
        ),
        ("find papers on whale song since 2035", "Not followed: “since 2035” (in the future)."),
        (
            "find papers on whale song not by Smith",
            "Not followed: “not by Smith” (nothing can be left out by that).",
        ),
        (
            "find the top 500 papers on whale song",
            "Not followed: “the top 500 papers” (a search gives at most 100).",
        ),
    ],
)
async def test_what_a_search_does_not_follow_is_told(talk: Talk, text: str, sentence: str) -> None:
    record = await talk.says(text)

    assert record.outcome == "executed"
    assert record.text.splitlines()[-1] == sentence


async def test_a_search_that_follows_everything_tells_of_nothing(talk: Talk) -> None:
    record = await talk.says("find recent papers on whale song since 2018, any access")

    assert "Not followed" not in record.text


async def test_a_search_that_nobody_answered_is_told_plainly_and_can_be_refined(
    talk: Talk,
) -> None:
    talk.are_down()

    failed = await talk.says("find papers on whale song by Castellote")
    record = await talk.says("only open access")

    assert failed.outcome == "failed"
    assert (
        "Nothing was lost: try again in a while; `prefrontal why` tells what each one said."
        in failed.text
    )
    assert "Semantic Scholar" not in failed.text
    outcome = (await talk.harbour.executive.records.trace(failed.decision_id, "default")).stages
    assert "Semantic Scholar: " in outcome["outcome"]["reason"]
    assert record.action == "search_papers"
    assert (record.arguments or {})["open_access_only"] is True
    assert (record.arguments or {})["query"] == "whale song"
    assert (record.arguments or {})["authors"] == ["Castellote"]


@pytest.mark.parametrize(
    ("text", "query"),
    [
        ("are there any reviews", "whale song reviews"),
        ("any surveys?", "whale song surveys"),
        ("reviews of wasp venom", "reviews wasp venom"),
        ("I meant ants", "ants"),
    ],
)
async def test_a_kind_of_paper_narrows_the_last_search_and_a_topic_replaces_it(
    talk: Talk, text: str, query: str
) -> None:
    await talk.says("find papers on whale song")

    record = await talk.says(text)

    assert record.action == "search_papers"
    assert (record.arguments or {})["query"] == query
