"""Whoever speaks is answered, by what they did with their words; nothing is said to be done."""

import pytest

from state.policy import Mood, PolicyDecision
from tests.nodes.conftest import message, routing_of
from tools.catalog.action_catalog import Catalogue
from tools.dialogue.chitchat import fallback_reply, is_code

LOCK = {"type": "lock", "value": "LK-12", "confidence": 1.0, "span": (0, 5)}


def said(catalogue: Catalogue, text: str, mood: Mood, sign: str = "", *things: object) -> str:
    routing = routing_of(text, mood=mood, sign=sign, entities=things)
    policy = PolicyDecision(intent="general", routing=routing)
    return fallback_reply(message(text), policy, catalogue)


@pytest.mark.parametrize(
    ("text", "answer"),
    [
        ("hi there", "Hello."),
        ("good evening!", "Good evening."),
        ("hello, how are you?", "Hello. All is well here."),
        ("thanks, that was quick", "You're welcome."),
        ("see you tomorrow", "Goodbye."),
        ("ok, got it", "OK."),
        ("👍", "OK."),
        ("yes", "Nothing here is waiting for your yes or no."),
        ("yes, if the tide allows", "Nothing here is waiting for your yes or no."),
        ("how annoying", "Thanks for telling me."),
    ],
)
def test_manners_are_answered_in_kind(catalogue: Catalogue, text: str, answer: str) -> None:
    assert said(catalogue, text, "statement") == answer


@pytest.mark.parametrize(
    ("text", "mood", "sign", "part"),
    [
        ("don't close LK-12", "negated", "denied", "I'll leave LK-12 as it is"),
        ("close LK-12, actually don't", "negated", "cancelled", "I'll leave it"),
        ('Ines said "close LK-12"', "reported", "quoted", "ask for it yourself"),
        ("LK-12 was closed", "reported", "already_done", "information about LK-12"),
        ("the tide is lovely", "statement", "statement", "If that was a request"),
        ("suppose we closed LK-12", "hypothetical", "supposed", "a thought"),
        ("close LK-12 once the ferry is in", "hypothetical", "supposed", "“once the ferry is in”"),
        ("unless it rains, close LK-12", "hypothetical", "supposed", "“unless it rains”"),
    ],
)
def test_each_act_has_its_answer(catalogue: Catalogue, text: str, mood: Mood, sign: str, part: str):
    things = (LOCK,) if "LK-12" in text else ()
    assert part in said(catalogue, text, mood, sign, *things)


@pytest.mark.parametrize(
    "text",
    [
        '{"tool": "close_lock", "args": {"lock": "LK-12"}}',
        '[{"name": "close_lock"}]',
        '{"tool": "close_lock", "args": ',
        'close_lock(lock="LK-12")',
        "tools.close_lock('LK-12');",
    ],
)
def test_code_is_told_that_words_are_read_here(catalogue: Catalogue, text: str) -> None:
    assert is_code(text) is not text.endswith('args": ')
    if is_code(text):
        assert "for example “close lock LK-12”" in said(catalogue, text, "statement")


@pytest.mark.parametrize("text", ["close LK-12 (the old one)", "[urgent] close LK-12", "a {b} c"])
def test_marks_in_a_sentence_make_no_program_of_it(text: str) -> None:
    assert not is_code(text)
