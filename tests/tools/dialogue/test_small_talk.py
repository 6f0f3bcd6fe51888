"""A greeting is no request, and a request that begins with one still is."""

import pytest

from tools.dialogue.chitchat import is_small_talk


@pytest.mark.parametrize(
    "text",
    [
        "hello",
        "Good morning!",
        "thanks a lot, that was great",
        "ok, got it",
        "Thank you very much for your help.",
        "hey everybody, how are you?",
        "yes",
        "haha nice",
        "see you tomorrow",
    ],
)
def test_talk_is_talk(text: str) -> None:
    assert is_small_talk(text)


@pytest.mark.parametrize(
    "text",
    [
        "hello, find papers on whales",
        "thanks, now close WO-1042",
        "good morning report",
        "okay do it",
        "the morning watch",
        "",
        "   ",
        "fine tuning",
        "all right whales",
        "hellos",
        "hello " * 100,
    ],
)
def test_anything_more_is_not(text: str) -> None:
    assert not is_small_talk(text)
