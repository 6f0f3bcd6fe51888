"""The pages of a search are turned forth and back, and what cites a paper is found."""

import pytest

from packs.research.store import reading
from state.record import DecisionRecord
from tests.packs.research.conftest import OpenTalk
from tests.packs.research.conversation import VIEWER, Talk

ORDINALS = ("first", "second", "third", "fourth", "fifth")


async def titles(talk: Talk, record: DecisionRecord) -> list[str]:
    """Read which papers an answer lists, by their word."""
    outcome = (await talk.harbour.executive.records.trace(record.decision_id, "default")).stages
    papers = outcome["outcome"]["data"]["papers"]
    return [paper["title"].split()[2] for paper in papers]


async def test_the_next_page_goes_on_and_says_when_there_is_no_more(talk: Talk) -> None:
    first = await talk.says("find two papers on whale song")
    second = await talk.says("next page")
    third = await talk.says("more please")
    fourth = await talk.says("more")
    shown = [await titles(talk, one) for one in (first, second, third, fourth)]
    assert [len(page) for page in shown] == [2, 2, 1, 0]
    assert sorted(shown[0] + shown[1] + shown[2]) == [
        "decline",
        "dialects",
        "history",
        "learning",
        "structure",
    ]
    assert (second.action, second.execution_class) == ("next_results", "A")
    assert "page 2" in (second.text or "")
    assert "(There are no more.)" in (third.text or "")
    assert "you have seen all that was found" in (fourth.text or "")


@pytest.mark.parametrize(
    ("text", "count"),
    [
        ("show me 3 more", 3),
        ("the next three", 3),
        ("next 3 results please", 3),
        ("1 more", 1),
        ("more", 2),
        ("show me more", 2),
        ("give me the next page, please", 2),
        ("Turn the page.", 2),
    ],
)
async def test_as_many_come_as_are_asked_for(talk: Talk, text: str, count: int) -> None:
    await talk.says("find two papers on whale song")
    record = await talk.says(text)
    assert record.action == "next_results"
    assert len(await titles(talk, record)) == count


@pytest.mark.parametrize(
    "text",
    [
        "page 2", "page two", "page 2 please", "show page 2", "go to page 2", "and page 2?",
        "the second page", "second page please", "show me the 2nd page", "go to the second page",
    ],
)  # fmt: skip
async def test_the_number_of_a_page_is_no_number_of_papers(talk: Talk, text: str) -> None:
    await talk.says("find two papers on whale song")
    record = await talk.says(text)
    assert (record.action, record.arguments) == ("next_results", {"page": 2})
    assert len(await titles(talk, record)) == 2
    assert "page 2" in record.text


async def test_a_page_that_was_shown_comes_again_by_its_number(talk: Talk) -> None:
    first = await talk.says("find two papers on whale song")
    second = await talk.says("page 2")
    await talk.says("page 3")
    assert await titles(talk, await talk.says("page 2")) == await titles(talk, second)
    assert await titles(talk, await talk.says("page 1")) == await titles(talk, first)


@pytest.mark.parametrize(
    "text", ["back to page 1", "back to the first page", "go back to the 1st page, please"]
)
async def test_back_to_a_page_is_back_to_that_one(talk: Talk, text: str) -> None:
    first = await talk.says("find two papers on whale song")
    await talk.says("page 2")
    await talk.says("page 3")
    record = await talk.says(text)
    assert record.action == "previous_results"
    assert await titles(talk, record) == await titles(talk, first)


async def test_back_to_a_page_further_on_is_that_one_if_it_was_shown(talk: Talk) -> None:
    await talk.says("find one paper on whale song")
    await talk.says("page 2")
    third = await talk.says("page 3")
    await talk.says("page 1")
    talk.are_down()
    for text in ("back to page 3", "back to page three", "back to the third page"):
        record = await talk.says(text)
        assert record.action == "previous_results"
        assert await titles(talk, record) == await titles(talk, third)
        assert "page 3" in record.text


async def test_back_to_a_page_that_was_never_shown_is_told(talk: Talk) -> None:
    await talk.says("find one paper on whale song")
    shown = await talk.says("page 2")
    record = await talk.says("back to page 5")
    assert record.action == "previous_results"
    assert record.text == "Page 5 was not shown yet: this is page 2 of 2 so far."
    assert (await titles(talk, shown))[0] in (await talk.says("show me the first one")).text
    assert "page 1" in (await talk.says("previous page")).text


@pytest.mark.parametrize("text", ["page 0", "back to page 0"])
async def test_no_page_is_before_the_first(talk: Talk, text: str) -> None:
    await talk.says("find one paper on whale song")
    await talk.says("page 2")
    record = await talk.says(text)
    assert (record.outcome, record.text) == (
        "spoke",
        "I cannot read that: page must be at least 1",
    )


async def test_a_number_that_no_page_has_shows_none(talk: Talk) -> None:
    await talk.says("find one paper on whale song")
    assert (await talk.says("page 1000000")).outcome == "offered"


async def test_of_a_page_far_on_the_next_one_is_shown_and_that_is_said(talk: Talk) -> None:
    await talk.says("find one paper on whale song")
    record = await talk.says("page 4")
    assert "page 2" in record.text
    assert "page 4 is further on" in record.text
    assert len(await titles(talk, record)) == 1


@pytest.mark.parametrize("text", ["previous page", "go back a page", "one page back please"])
async def test_going_back_shows_the_same_and_asks_nobody(talk: Talk, text: str) -> None:
    first = await talk.says("find two papers on whale song")
    await talk.says("next page")
    talk.are_down()
    back = await talk.says(text)
    assert await titles(talk, back) == await titles(talk, first)
    assert (await talk.says("previous page")).text == "This is the first page."
    again = await talk.says("next page")
    assert "page 2" in (again.text or "")


@pytest.mark.parametrize("text", ["one page back please", "go back one page", "flip back 1 page"])
async def test_how_many_pages_back_is_no_page_of_that_number(talk: Talk, text: str) -> None:
    await talk.says("find one paper on whale song")
    second = await talk.says("next page")
    await talk.says("next page")
    assert await titles(talk, await talk.says(text)) == await titles(talk, second)


async def test_the_second_one_is_of_the_page_on_the_table(talk: Talk) -> None:
    await talk.says("find two papers on whale song")
    page = await titles(talk, await talk.says("next page"))
    shown = await talk.says("show me the second one")
    assert page[1] in (shown.text or "")


async def test_a_changed_search_begins_anew(talk: Talk) -> None:
    await talk.says("find two papers on whale song")
    await talk.says("next page")
    fewer = await talk.says("only open access")
    assert await titles(talk, fewer) == ["learning", "dialects"]
    assert await titles(talk, await talk.says("more")) == []


async def test_a_topic_is_a_search_and_no_next_page(talk: Talk) -> None:
    await talk.says("find two papers on whale song")
    record = await talk.says("more papers on dialects")
    assert record.action == "search_papers"


async def test_without_a_search_there_is_no_page(talk: Talk) -> None:
    record = await talk.says("next page")
    assert record.outcome == "failed"
    assert "nothing was searched for in this conversation" in (record.text or "")


async def test_another_conversation_has_its_own_pages(talk: Talk) -> None:
    await talk.says("find two papers on whale song")
    assert (await talk.says("next page", session="other")).outcome == "failed"


async def test_a_provider_that_is_down_loses_no_page(talk: Talk) -> None:
    await talk.says("find two papers on whale song")
    talk.are_down()
    assert (await talk.says("next page")).outcome == "failed"
    talk.are_back()
    assert len(await titles(talk, await talk.says("next page"))) == 2


@pytest.mark.parametrize(
    ("text", "action", "found"),
    [
        ("who cites the {} one?", "find_citing_papers", ["decline"]),
        ("papers citing the {} one", "find_citing_papers", ["decline"]),
        ("what has cited the {} paper", "find_citing_papers", ["decline"]),
        ("references of the {} one", "find_references", ["structure"]),
        ("what does the {} one cite?", "find_references", ["structure"]),
        ("show the reference list of the {} paper", "find_references", ["structure"]),
        ("who cites the {} one since 2024", "find_citing_papers", []),
    ],
)
async def test_what_cites_a_paper_and_what_it_cites(
    talk: Talk, text: str, action: str, found: list[str]
) -> None:
    order = await titles(talk, await talk.says("find papers on whale song"))
    record = await talk.says(text.format(ORDINALS[order.index("learning")]))
    assert record.action == action
    assert record.outcome == "executed"
    assert await titles(talk, record) == found


async def test_a_viewer_turns_pages(talk: Talk) -> None:
    await talk.says("find two papers on whale song", VIEWER)
    assert (await talk.says("next page", VIEWER)).outcome == "executed"


async def test_a_store_of_the_first_version_gets_its_pages(open_talk: OpenTalk) -> None:
    async with open_talk() as talk:
        await talk.says("show my library")
        folder = talk.harbour.data_dir / "packs" / "default"
        with reading(folder) as store:
            assert store.execute("PRAGMA user_version").fetchone()[0] == 2
