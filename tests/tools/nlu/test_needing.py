"""What is to be done, said by a participle, a gerund or a longer frame of a request."""

import pytest

from tests.tools.nlu.closing import act, asked_of
from tests.tools.nlu.filling import Filling
from tools.nlu.intents.utterance import ordered_words


@pytest.mark.parametrize(
    "text",
    [
        "have that closed",
        "get it closed please",
        "get WO-1042 closed by tonight",
        "want WO-1042 closed",
        "would like to have WO-1042 closed",
        "I want to see this closed",
        "WO-1042 needs closing",
        "WO-1042 wants closing",
        "WO-1042 still needs to be closed",
        "WO-1042 has got to be closed",
        "WO-1042 is ready to be closed",
        "how about getting WO-1042 closed",
        "start by closing WO-1042",
        "proceed with closing WO-1042",
        "what I want is to close WO-1042",
        "all I'd like is for you to close WO-1042",
        "we just wanted to ask if you could close WO-1042",
        "make sure WO-1042 is closed before we sail",
        "let WO-1042 be closed",
        "I was hoping you could close WO-1042",
        "we're hoping you'd close WO-1042, could you close WO-1042",
        "I'm asking you to close WO-1042",
        "we are kindly requesting that you close WO-1042",
        "I would appreciate it if you could close WO-1042",
        "we'd love it if you would close WO-1042",
        "I'd be so delighted if you could close WO-1042",
        "we were wondering if you could close WO-1042",
    ],
)
def test_it_is_a_request_of_what_its_verb_asks_for(text: str) -> None:
    assert act(text).mood == "request"
    assert asked_of(text) == {"close_work_order"}


@pytest.mark.parametrize(
    "text",
    [
        "have you closed WO-1042",
        "have they closed it",
        "want WO-1042 closed?",
        "need it closed?",
        "get the list closed yesterday",
        "I have what they closed",
        "make sure that WO-1042 is not closed",
        "the point wants to be closed by the crew, is it closed",
        "I'm not asking you to close WO-1042",
        "I'm asking you not to close WO-1042",
        "I was hoping you would not close WO-1042",
        "are you able to close WO-1042",
        "Ana needs the list we closed",
        "can I have the points closed",
        "is WO-1042 ready to be closed",
        "points waiting to be closed",
        "the points due to be closed",
        "have that closed?",
        "WO-1042 wants closing?",
        "start by closing WO-1042?",
        "I'm asking you about closing WO-1042",
        "what I want is to talk about closing WO-1042",
        "I'm begging you, WO-1042 was closed",
        "I was hoping you could close WO-1042 that day",
        "I'd rather you stopped closing WO-1042",
        "gonna need a moment before closing WO-1042",
        "WO-1042 isn't ready to be closed",
        "I'd rather you didn't close WO-1042",
    ],
)
def test_what_sounds_like_it_orders_nothing(text: str) -> None:
    assert act(text).mood not in ("command", "request") or "close_work_order" not in asked_of(text)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("WO-1042 needs closing", "wo-1042 needs close"),
        ("have that closed", "have that close"),
        ("close WO-1042", "close wo-1042"),
        ("Ana closed WO-1042", "ana closed wo-1042"),
        ("the closing of WO-1042", "the closing of wo-1042"),
    ],
)
def test_what_is_asked_for_is_ranked_by_its_plain_verb(text: str, words: str) -> None:
    said = [word.strip(".,?!") for word in text.lower().split()]

    assert " ".join(ordered_words(said, act(text), {"note"})) == words


@pytest.mark.parametrize(
    ("action", "text", "slot", "value"),
    [
        ("tag_paper", "get P-3 tagged nlp", "tags", ["nlp"]),
        ("tag_paper", "P-3 has to be tagged nlp", "tags", ["nlp"]),
        ("tag_paper", "make sure P-3 is tagged nlp", "tags", ["nlp"]),
        ("tag_paper", "start by tagging P-3 nlp", "tags", ["nlp"]),
        ("tag_paper", "I was hoping you could tag P-3 nlp", "tags", ["nlp"]),
        ("tag_paper", "P-3 still needs to be tagged nlp", "tags", ["nlp"]),
        ("tag_paper", "tag P-3 as need", "tags", ["need"]),
        ("search_library", "search the library for needs", "query", "needs"),
    ],
)
def test_the_frame_of_an_order_is_no_value(
    fill: Filling, action: str, text: str, slot: str, value: object
) -> None:
    assert fill(action, text).values.get(slot) == value
