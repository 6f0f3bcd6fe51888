"""What a channel keeps is declared by who may set it; what it keeps is replaced by a chip alone."""

import pytest

from tests.packs.research.conversation import OWNER, Talk

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
