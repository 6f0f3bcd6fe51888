"""Praise and annoyance in short answers, and what is neither."""

import pytest

from tools.nlu.feedback import Reaction, reaction


@pytest.mark.parametrize(
    ("text", "taken"),
    [
        ("Not now!", "bad"),
        ("oh, stop it", "bad"),
        ("that's really annoying", "bad"),
        ("you’re distracting me", "bad"),
        ("I already know", "bad"),
        ("nobody asked", "bad"),
        ("Thanks!", "good"),
        ("ok thank you", "good"),
        ("Good catch", "good"),
        ("that was very helpful", "good"),
        ("this helps a lot", "good"),
        ("thanks, well spotted", "good"),
    ],
)
def test_a_short_answer_is_a_reaction(text: str, taken: Reaction) -> None:
    assert reaction(text) == taken


@pytest.mark.parametrize(
    "text",
    [
        "",
        "thanks, and close WO-1042 because the filter is changed now",
        "is that useful?",
        "show lock LK-12",
        "the anchor stops it from drifting",
        "wrongly labelled parts are in the locker",
        "great circle route to Kotor",
        "wrong valve closed, open LK-12",
        "I know the way",
        "thank you note for the agent",
    ],
)
def test_what_is_about_something_else_is_none(text: str) -> None:
    assert reaction(text) is None
