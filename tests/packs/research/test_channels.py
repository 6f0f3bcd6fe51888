"""Channels, what they keep, and pages of a search."""

import pytest
from sqlalchemy import Connection

from packs.research.store import reading, writing
from state.memory import PackMemory
from state.record import DecisionRecord
from state.session import Session
from tests.packs.research.conftest import OpenTalk
from tests.packs.research.conversation import OWNER, VIEWER, Talk
from tools.storage.sessions import save_session

# The channels of a project that is years old.


async def test_a_channel_that_was_not_used_lately_is_found_by_its_stage(talk: Talk):
    with writing(talk.harbour.data_dir / "packs" / "default") as store:
        for number in range(300):
            row = (f"c-{number}", f"channel {number}", f"2026-01-01T{number:05}")
            store.execute("INSERT INTO channel VALUES (?, ?, ?)", row)

    def keep(connection: Connection) -> None:
        for number in range(300):
            memory = {"research": PackMemory(stage="writing" if number < 2 else "analyzing")}
            session = Session(tenant_id="default", session_id=f"c-{number}", memory=memory)
            save_session(connection, session, at=number)

    await talk.harbour.executive._box.database.write(keep)
    found = (await talk.says("which channels are in writing?")).text or ""
    assert [line.split(":")[0] for line in found.splitlines()] == ["channel 1", "channel 0"]
    assert "… and 270 more" in ((await talk.says("list the channels")).text or "")


# What a channel keeps is declared by who may set it; what it keeps is replaced by a chip alone.

KEPT = "why do whales learn new songs?"


@pytest.mark.parametrize(
    "text",
    [
        "if my research question was frogs, what would you do",
        "if our research question is how frogs sing, what would you do?",
        "say my research question is how frogs sing in ponds",
        "suppose we are working on frog song in ponds",
        "what would change when our topic is frog song in ponds?",
        "Tom thinks our research question is how frogs sing",
        "I doubt that our research question is how frogs sing",
        "our research question is how frogs sing, just kidding",
        "is it true that our topic is frog song in ponds?",
        "our topic is frog song in ponds?",
        "my topic is boring",
        "my topic is really very boring to me",
        "our project is late again",
        "my question is whether you are stupid",
        "my question is whether your search works at all",
        "our topic was frog song in ponds",
        "> our research question is how frogs sing",
    ],
)
async def test_what_is_not_declared_is_not_remembered(talk: Talk, text: str):
    await talk.says(text)

    facts = (await talk.memory()).facts
    assert {name for name, fact in facts.items() if fact.source == "said"} == set()


@pytest.mark.parametrize(
    ("text", "name", "value"),
    [
        ("Our research question is how do frogs sing?", "research_question", "how do frogs sing?"),
        ("hi, so our topic is frog song in ponds", "research_topic", "frog song in ponds"),
        ("We're working on frog song in ponds.", "research_topic", "frog song in ponds"),
        ("find papers on reefs, we are working on coral acids", "research_topic", "coral acids"),
    ],
)
async def test_what_is_declared_is_remembered(talk: Talk, text: str, name: str, value: str):
    await talk.says(text)

    assert (await talk.memory()).facts[name].value == value


async def test_what_somebody_said_is_replaced_by_a_chip_and_not_in_passing(talk: Talk):
    await talk.says(f"Our research question is {KEPT}", OWNER)

    offered = await talk.says("our research question is how do frogs sing in ponds")
    kept = (await talk.memory()).facts["research_question"].value
    await talk.chooses(offered)

    assert offered.action == "set_research_question"
    assert kept == KEPT
    assert (await talk.memory()).facts["research_question"].value != KEPT


async def test_channels_are_told_apart_by_their_stage(talk: Talk):
    await talk.does("call this channel whales", OWNER)
    await talk.harbour.executive.offers.choose(
        str((await talk.says("call this channel reefs", OWNER, "reefs")).offer_id), "chip-1", OWNER
    )
    await talk.says("find papers on whale song", OWNER)

    every = await talk.says("list the channels", OWNER)
    others = await talk.says("list the channels in other stages", OWNER)
    none = await talk.says("which channels are writing?", OWNER)

    assert "whales: finding papers (since" in every.text
    assert others.text.startswith("reefs: exploring (since")
    assert "whales" not in others.text
    assert none.text == "None of the 2 channels with a name is."


async def test_everything_with_a_label_is_no_list_of_the_labels(talk: Talk):
    for text in ("everything with the label graphs", "show me everything labelled transformers"):
        record = await talk.says(text)
        assert record.action == "show_library" or record.outcome == "offered", text
    told = await talk.says("show me everything tagged methods")
    assert told.text.endswith("I can't do this part: “tagged methods”.")


async def test_the_most_cited_works_on_a_topic_are_searched_for(talk: Talk):
    for text in ("the 2 most cited works on whale song", "the most cited works on whale song"):
        record = await talk.says(text)
        assert (record.action, record.outcome) == ("search_papers", "executed"), text
        assert (record.arguments or {})["sort_by"] == "citations"


async def test_what_the_pack_gives_as_an_example_is_no_question_to_us(talk: Talk):
    record = await talk.says("what did I write about P-1")

    assert (record.action, record.outcome) == ("show_notes", "executed")


async def test_who_may_change_nothing_hushes_nobody_beside_a_request(talk: Talk):
    said = await talk.says("be quiet for 10 minutes and show the library", VIEWER)

    assert said.text.startswith("To control what I say here, you need a role that permits changes")
    assert "papers in the library" in said.text
    assert (await talk.harbour.session()).muted_until is None


# Nobody is asked for a yes to empty the library where only a part of it was meant.


@pytest.mark.parametrize(
    "text",
    [
        "delete all unread papers",
        "remove all read papers",
        "empty the library of duplicates",
        "clear the library tag transformers",
        "delete the papers nobody cites from the library",
    ],
)
async def test_a_part_of_the_library_is_not_all_of_it(talk: Talk, text: str):
    record = await talk.says(text, OWNER)

    assert record.outcome != "awaiting_approval", record.text


async def test_all_of_it_is_asked_for(talk: Talk):
    record = await talk.says("empty the library", OWNER)

    assert (record.outcome, record.action) == ("awaiting_approval", "clear_library")


# The pages of a search are turned forth and back, and what cites a paper is found.

ORDINALS = ("first", "second", "third", "fourth", "fifth")


async def titles(talk: Talk, record: DecisionRecord) -> list[str]:
    """Read which papers an answer lists, by their word."""
    outcome = (await talk.harbour.executive.records.trace(record.decision_id, "default")).stages
    papers = outcome["outcome"]["data"]["papers"]
    return [paper["title"].split()[2] for paper in papers]


async def test_the_next_page_goes_on_and_says_when_there_is_no_more(talk: Talk):
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
async def test_as_many_come_as_are_asked_for(talk: Talk, text: str, count: int):
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
async def test_the_number_of_a_page_is_no_number_of_papers(talk: Talk, text: str):
    await talk.says("find two papers on whale song")
    record = await talk.says(text)
    assert (record.action, record.arguments) == ("next_results", {"page": 2})
    assert len(await titles(talk, record)) == 2
    assert "page 2" in record.text


async def test_a_page_that_was_shown_comes_again_by_its_number(talk: Talk):
    first = await talk.says("find two papers on whale song")
    second = await talk.says("page 2")
    await talk.says("page 3")
    assert await titles(talk, await talk.says("page 2")) == await titles(talk, second)
    assert await titles(talk, await talk.says("page 1")) == await titles(talk, first)


@pytest.mark.parametrize(
    "text", ["back to page 1", "back to the first page", "go back to the 1st page, please"]
)
async def test_back_to_a_page_is_back_to_that_one(talk: Talk, text: str):
    first = await talk.says("find two papers on whale song")
    await talk.says("page 2")
    await talk.says("page 3")
    record = await talk.says(text)
    assert record.action == "previous_results"
    assert await titles(talk, record) == await titles(talk, first)


async def test_back_to_a_page_further_on_is_that_one_if_it_was_shown(talk: Talk):
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


async def test_back_to_a_page_that_was_never_shown_is_told(talk: Talk):
    await talk.says("find one paper on whale song")
    shown = await talk.says("page 2")
    record = await talk.says("back to page 5")
    assert record.action == "previous_results"
    assert record.text == "Page 5 was not shown yet: this is page 2 of 2 so far."
    assert (await titles(talk, shown))[0] in (await talk.says("show me the first one")).text
    assert "page 1" in (await talk.says("previous page")).text


@pytest.mark.parametrize("text", ["page 0", "back to page 0"])
async def test_no_page_is_before_the_first(talk: Talk, text: str):
    await talk.says("find one paper on whale song")
    await talk.says("page 2")
    record = await talk.says(text)
    assert (record.outcome, record.text) == ("spoke", "I cannot read that: page must be at least 1")


async def test_a_number_that_no_page_has_shows_none(talk: Talk):
    await talk.says("find one paper on whale song")
    assert (await talk.says("page 1000000")).outcome == "offered"


async def test_of_a_page_far_on_the_next_one_is_shown_and_that_is_said(talk: Talk):
    await talk.says("find one paper on whale song")
    record = await talk.says("page 4")
    assert "page 2" in record.text
    assert "page 4 is further on" in record.text
    assert len(await titles(talk, record)) == 1


@pytest.mark.parametrize("text", ["previous page", "go back a page", "one page back please"])
async def test_going_back_shows_the_same_and_asks_nobody(talk: Talk, text: str):
    first = await talk.says("find two papers on whale song")
    await talk.says("next page")
    talk.are_down()
    assert await titles(talk, await talk.says(text)) == await titles(talk, first)
    assert (await talk.says("previous page")).text == "This is the first page."
    assert "page 2" in ((await talk.says("next page")).text or "")


@pytest.mark.parametrize("text", ["one page back please", "go back one page", "flip back 1 page"])
async def test_how_many_pages_back_is_no_page_of_that_number(talk: Talk, text: str):
    await talk.says("find one paper on whale song")
    second = await talk.says("next page")
    await talk.says("next page")
    assert await titles(talk, await talk.says(text)) == await titles(talk, second)


async def test_the_second_one_is_of_the_page_on_the_table(talk: Talk):
    await talk.says("find two papers on whale song")
    page = await titles(talk, await talk.says("next page"))
    assert page[1] in ((await talk.says("show me the second one")).text or "")


async def test_a_changed_search_begins_anew(talk: Talk):
    await talk.says("find two papers on whale song")
    await talk.says("next page")
    assert await titles(talk, await talk.says("only open access")) == ["learning", "dialects"]
    assert await titles(talk, await talk.says("more")) == []


async def test_a_topic_is_a_search_and_no_next_page(talk: Talk):
    await talk.says("find two papers on whale song")
    assert (await talk.says("more papers on dialects")).action == "search_papers"


async def test_without_a_search_there_is_no_page(talk: Talk):
    record = await talk.says("next page")
    assert record.outcome == "failed"
    assert "nothing was searched for in this conversation" in (record.text or "")


async def test_another_conversation_has_its_own_pages(talk: Talk):
    await talk.says("find two papers on whale song")
    assert (await talk.says("next page", session="other")).outcome == "failed"


async def test_a_provider_that_is_down_loses_no_page(talk: Talk):
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
async def test_what_cites_a_paper_and_what_it_cites(talk: Talk, text, action, found):
    order = await titles(talk, await talk.says("find papers on whale song"))
    record = await talk.says(text.format(ORDINALS[order.index("learning")]))
    assert record.action == action
    assert record.outcome == "executed"
    assert await titles(talk, record) == found


async def test_a_viewer_turns_pages(talk: Talk):
    await talk.says("find two papers on whale song", VIEWER)
    assert (await talk.says("next page", VIEWER)).outcome == "executed"


async def test_a_store_of_the_first_version_gets_its_pages(open_talk: OpenTalk):
    async with open_talk() as talk:
        await talk.says("show my library")
        folder = talk.harbour.data_dir / "packs" / "default"
        with reading(folder) as store:
            assert store.execute("PRAGMA user_version").fetchone()[0] == 2
