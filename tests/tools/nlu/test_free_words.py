"""A slot of free words holds what was said for it, and none of the words of the command."""

import pytest

from tests.tools.nlu.filling import Filling


@pytest.mark.parametrize(
    "text",
    [
        "set the topic to coral reefs",
        "set the research topic to coral reefs",
        "change the topic to coral reefs",
        "change our topic from sleep to coral reefs",
        "make the topic coral reefs",
        "make coral reefs the topic",
        "make coral reefs our research topic, please",
        "switch the topic over to coral reefs",
        "update the topic to coral reefs",
        "update the topic: coral reefs",
        "replace the topic by coral reefs",
        "narrow the topic down to coral reefs",
        "please could you set the topic of this channel to coral reefs",
        "I want the topic to be coral reefs",
        "let the topic be coral reefs",
        "put coral reefs down as our topic",
        "coral reefs should be our topic",
        "the topic should be coral reefs",
        "the topic is now coral reefs",
        "from now on the topic is coral reefs",
        "topic = coral reefs",
        "topic of the channel = coral reefs",
        "topic: coral reefs",
        "topic -> coral reefs",
        "new topic, coral reefs",
        "new topic for this channel - coral reefs",
        "set topic coral reefs",
        "this channel is about coral reefs",
        "we focus on coral reefs",
        "set the topic to coral reefs, please",
        "set the topic back to coral reefs if that's ok",
        "could we switch topics to coral reefs",
        "please set the topic to coral reefs\n\nBest,\nTom",
    ],
)
def test_a_topic_is_what_it_is_set_to(fill: Filling, text: str) -> None:
    assert fill("set_research_topic", text).values == {"topic": "coral reefs"}


@pytest.mark.parametrize(
    ("text", "topic"),
    [
        ("our topic is topic models", "topic models"),
        ("set the topic to how to choose a topic", "how to choose a topic"),
        ("change the topic to the history of the sea", "history of the sea"),
        ("set the topic to life from birth to death", "life from birth to death"),
        ("change the topic", None),
        ("change the topic from coral reefs", None),
        ("change the topic of this channel please", None),
    ],
)
def test_a_topic_may_hold_words_of_the_command(fill: Filling, text: str, topic: str | None) -> None:
    assert fill("set_research_topic", text).values.get("topic") == topic


@pytest.mark.parametrize(
    ("text", "question"),
    [
        ("set the research question to why bees die", "why bees die"),
        ("set the question to how noise affects birds", "how noise affects birds"),
        ("our question should be how noise affects birds", "how noise affects birds"),
        ("our research question is why bees die", "why bees die"),
        ("let the question be how trees cool cities", "how trees cool cities"),
        ("change the question to whether noise harms fish", "whether noise harms fish"),
        ("change the question to: how does noise harm fish?", "how does noise harm fish"),
        ("change the question to does noise harm fish", "does noise harm fish"),
        ("research question = is sleep a skill", "is sleep a skill"),
        ("question: why bees die", "why bees die"),
        ("new question - do birds plan?", "do birds plan"),
        ("the question we pursue is how rumours spread", "how rumours spread"),
        ("we want to find out how soil stores carbon", "how soil stores carbon"),
        ("the research question should be whether it helps, set it", "whether it helps"),
        ("update our question to what drives bleaching, please", "what drives bleaching"),
        ("record our question, it is why coral recovers", "why coral recovers"),
    ],
)
def test_a_question_keeps_the_word_it_asks_by(fill: Filling, text: str, question: str) -> None:
    assert fill("set_research_question", text).values == {"question": question}


@pytest.mark.parametrize(
    ("text", "tags"),
    [
        ("tag the first as reef", ["reef"]),
        ("tag the first and the third as reef", ["reef"]),
        ("tag P-1 and P-2 with reef", ["reef"]),
        ("tag P-1 with deep learning", ["deep learning"]),
        ("tag the last two as must-read", ["must-read"]),
        ("tag all of them as reef", ["reef"]),
        ("tag the second one reef and coral", ["reef", "coral"]),
        ("label the first one methods", ["methods"]),
        ("mark number 2 as key paper", ["key paper"]),
        ("tag the first paper as reef", ["reef"]),
        ("tag the Vaswani paper as attention", ["attention"]),
        ("could you tag the second result with reef?", ["reef"]),
        ("tag number 2 reef", ["reef"]),
        ("add tag reef to the first one", ["reef"]),
        ("categorise P-3 as theory", ["theory"]),
        ("tag it deep", ["deep"]),
        ("P-8 should carry the tag reef", ["reef"]),
        ("put the tag reef on P-1", ["reef"]),
    ],
)
def test_a_tag_is_not_what_gets_it(fill: Filling, text: str, tags: list[str]) -> None:
    assert fill("tag_paper", text).values["tags"] == tags


@pytest.mark.parametrize(
    ("action", "text", "slot", "value"),
    [
        ("edit_note", "change N-1 from good to bad", "text", "bad"),
        ("edit_note", 'change N-1 from "good" to "bad"', "text", "bad"),
        ("edit_note", "change N-1 to bad", "text", "bad"),
        ("edit_note", "change the first one to bad", "text", "bad"),
        ("edit_note", "replace good by bad in N-1", "text", "bad"),
        ("edit_note", 'replace "good" with "bad" in N-1', "text", "bad"),
        ("edit_note", "the note N-1 should say all done", "text", "all done"),
        ("edit_note_on_work_order", "change the note on WO-1042 from good to bad", "note", "bad"),
        ("edit_note_on_work_order", "make the note on WO-1042 say belt new", "note", "belt new"),
        ("name_channel", "rename the channel to reading group", "name", "reading group"),
        ("name_channel", "the channel should be called reading group", "name", "reading group"),
        ("name_channel", "change the channel's name to winter school", "name", "winter school"),
        ("add_photo_to_handover", "add the photo leak.jpg to the handover", "photo", "leak.jpg"),
        ("add_photo_to_handover", "add leak.jpg to tonight's handover", "photo", "leak.jpg"),
        ("add_photo_to_work_order", "attach leak.jpg to 1042", "photo", "leak.jpg"),
        ("add_photo_to_work_order", "a pic of it, leak.jpg, hang it on 1059", "photo", "leak.jpg"),
        ("upload_document", "upload a document called fuel results", "title", "fuel results"),
        ("create_task", "task for Ana: wash the deck, due tomorrow", "title", "wash the deck"),
        ("add_photo_to_handover", "put leak.jpg in the handover", "photo", "leak.jpg"),
        ("upload_document", "upload them as oil analysis", "title", "oil analysis"),
        ("create_work_order", "new job: watermaker, replace hose", "title", "replace hose"),
        ("update_certificate_metadata", "new expiry of it: 1 June 2028", "number", None),
        ("log_hours_of_rest", "my rest today: 8", "periods", None),
    ],
)
def test_a_value_stands_without_what_is_around_it(
    fill: Filling, action: str, text: str, slot: str, value: str | None
) -> None:
    assert fill(action, text).values.get(slot) == value
