"""What a channel keeps of what is said in passing reads as a topic or question of research."""

import pytest

from tests.packs.research.conversation import Talk

CHAT = (
    "our project is a mess", "our topic is a complete mess", "our project is about to fail",
    "my thesis is on hold", "the project is late", "the topic is off limits",
    "the topic is lunch at noon", "my project is coral bleaching in warm seas",
    "I am interested in buying a boat", "I am interested in papers on bees",
    "we are studying for the exam", "we're studying at the library", "I'm working on my tan",
    "we are working on the slides", "we are researching flights to Rome",
    "I want to understand why the coffee is cold", "I want to find out who ate my lunch",
    "my question is why the coffee is cold",
)  # fmt: skip


async def test_chat_sets_no_topic_and_no_question(talk: Talk) -> None:
    for text in CHAT:
        record = await talk.says(text)

        assert record.intent != "remember", text
        assert not (await talk.memory()).facts, text


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("we work on whale song in shallow seas", "topic: whale song in shallow seas"),
        ("we are working on the effect of noise", "topic: the effect of noise"),
        ("our project is about whale song", "topic: whale song"),
        ("my thesis is on coral bleaching", "topic: coral bleaching"),
        ("I am writing a paper on coral reefs", "topic: coral reefs"),
        ("I'm studying coral bleaching", "topic: coral bleaching"),
        ("my topic is graph neural networks", "topic: graph neural networks"),
        ("our question is why bees decline", "question: why bees decline"),
        ("our research question is how noise changes song", "question: how noise changes song"),
        ("we are investigating whether grazing pays", "question: whether grazing pays"),
    ],
)
async def test_what_is_noted_is_told(talk: Talk, text: str, told: str) -> None:
    record = await talk.says(text)

    assert (record.intent, record.text) == ("remember", f"Noted. Research {told}")
