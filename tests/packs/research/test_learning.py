"""What a channel keeps is declared by who may set it; what it keeps is replaced by a chip alone."""

import pytest

from tests.packs.research.conversation import OWNER, VIEWER, Talk

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
async def test_what_is_not_declared_is_not_remembered(talk: Talk, text: str) -> None:
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
async def test_what_is_declared_is_remembered(talk: Talk, text: str, name: str, value: str) -> None:
    await talk.says(text)

    assert (await talk.memory()).facts[name].value == value


async def test_what_somebody_said_is_replaced_by_a_chip_and_not_in_passing(talk: Talk) -> None:
    await talk.says(f"Our research question is {KEPT}", OWNER)

    offered = await talk.says("our research question is how do frogs sing in ponds")
    kept = (await talk.memory()).facts["research_question"].value
    await talk.chooses(offered)

    assert offered.action == "set_research_question"
    assert kept == KEPT
    assert (await talk.memory()).facts["research_question"].value != KEPT


async def test_channels_are_told_apart_by_their_stage(talk: Talk) -> None:
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


async def test_everything_with_a_label_is_no_list_of_the_labels(talk: Talk) -> None:
    for text in ("everything with the label graphs", "show me everything labelled transformers"):
        record = await talk.says(text)
        assert record.action == "show_library" or record.outcome == "offered", text
    told = await talk.says("show me everything tagged methods")
    assert told.text.endswith("Not followed: “tagged methods”.")


async def test_the_most_cited_works_on_a_topic_are_searched_for(talk: Talk) -> None:
    for text in ("the 2 most cited works on whale song", "the most cited works on whale song"):
        record = await talk.says(text)
        assert (record.action, record.outcome) == ("search_papers", "executed"), text
        assert (record.arguments or {})["sort_by"] == "citations"


async def test_what_the_pack_gives_as_an_example_is_no_question_to_us(talk: Talk) -> None:
    record = await talk.says("what did I write about P-1")

    assert (record.action, record.outcome) == ("show_notes", "executed")


async def test_who_may_change_nothing_hushes_nobody_beside_a_request(talk: Talk) -> None:
    said = await talk.says("be quiet for 10 minutes and show the library", VIEWER)

    assert said.text.startswith("That I change only for somebody who may change something here")
    assert "papers in the library" in said.text
    assert (await talk.harbour.session()).muted_until is None
