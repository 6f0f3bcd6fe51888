"""Facts that answer questions in other words: a measured set, and what is read and turned round."""

from pathlib import Path

import pytest

from tools.adapters.embedding.minilm import MiniLM
from tools.memory.facts import Fact, best_fact
from tools.nlu.control.personal import (
    asks_own_name,
    corrected_value,
    fact_of,
    forgetting,
    in_second_person,
    naming,
    with_value,
)

ROWS = [
    line.split("\t")
    for line in Path(__file__).with_name("fact_questions.tsv").read_text("utf-8").splitlines()
]
KNOWN = [
    Fact(int(number), text, float(number), None) for kind, number, text in ROWS if kind == "fact"
]
ASKED = [(int(number), text) for kind, number, text in ROWS if kind == "ask"]


def test_questions_find_their_fact_and_those_about_nothing_told_find_none():
    encoder = MiniLM(None)
    right = wrong = told = 0
    for number, text in ASKED:
        found = best_fact(encoder, text, KNOWN)
        right += number != 0 and found is not None and found.entry_id == number
        wrong += found is not None and found.entry_id != number
        told += number != 0
    assert (len(ASKED), told) == (65, 37)
    assert right >= 33
    assert wrong <= 4


def test_the_newer_of_two_that_say_as_much_is_the_answer():
    old = Fact(1, "my favourite block is obsidian", 1.0, None)
    new = Fact(2, "my favourite block is diamond", 2.0, None)
    for known in ([old, new], [new, old]):
        assert best_fact(MiniLM(None), "what is my favourite block?", known) == new


def test_without_an_encoder_all_words_of_the_question_have_to_stand_there():
    found = best_fact(None, "when do the bins go out?", KNOWN)
    assert found is not None
    assert found.text == "the bins go out on Thursday"
    assert best_fact(None, "when does the recycling truck come?", KNOWN) is None


@pytest.mark.parametrize(
    ("text", "kind", "name"),
    [
        ("call me Captain please", "called", "Captain"),
        ("Please call me Mary Ann from now on.", "called", "Mary Ann"),
        ("my name's Jo", "called", "Jo"),
        ("don’t call me sir", "not_called", "sir"),
        ("stop calling me boss", "not_called", "boss"),
    ],
)
def test_names_are_read(text: str, kind: str, name: str):
    request = naming(text, is_told=False)
    assert request is not None
    assert (request.kind, request.topic) == (kind, name)


@pytest.mark.parametrize(
    "text",
    [
        "call me at five",
        "call me a taxi",
        "call me back",
        "call me when it is done",
        "they call me names",
        "my name badge is lost",
        "I'm Ana",  # unless the reader knows that something is told
        "call the captain",
        "don't call me before nine",
    ],
)
def test_what_is_no_name_is_left_alone(text: str):
    assert naming(text, is_told=False) is None


def test_own_names_are_asked_for():
    assert asks_own_name("what's my name?")
    assert asks_own_name("what do you call me")
    assert not asks_own_name("what is my wife's name?")


def test_facts_are_read_corrected_and_turned_round():
    assert fact_of("Remember that my car is on level 3.") == "my car is on level 3"
    assert forgetting("forget that I like obsidian") == "I like obsidian"
    assert forgetting("forget about it") is None
    assert corrected_value("no, it's diamonds now") == "diamonds"
    assert corrected_value("it's diamonds") is None
    assert with_value("my favourite block is obsidian", "diamonds") == (
        "my favourite block is diamonds"
    )
    assert with_value("we usually eat at seven", "at eight") == "we usually eat at eight"
    assert in_second_person("I'm sure my car is mine, and I am here") == (
        "You're sure your car is yours, and you are here"
    )
