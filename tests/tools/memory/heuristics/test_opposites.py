import pytest

from tools.nlu.lexicon.antonyms import has_antonyms


@pytest.mark.parametrize(
    ("text", "other"),
    [
        ("The garage door is open", "Garage door is closed now"),
        ("The cat wants in", "The cat wants out"),
        ("The cistern is nearly full", "The cistern is nearly empty"),
        ("The hatch was opened", "Someone has shut the hatch"),
        ("The gate is locked", "The gate is unlocked"),
        ("Shore power is connected", "Shore power is disconnected"),
        ("The pump has started", "The pump has stopped"),
        ("Port engine hot", "Starboard engine hot"),
    ],
)
def test_opposites_are_told_apart_both_ways(text: str, other: str) -> None:
    assert has_antonyms(text, other)
    assert has_antonyms(other, text)


@pytest.mark.parametrize(
    ("text", "other"),
    [
        ("The garage door is open", "The garage door has been opened"),
        ("The door opens and closes", "The door closes"),
        ("The washing machine has finished", "The washing machine is done"),
        ("An ion trap", "A union"),
        ("The lamp on the desk", "The lamp"),
        ("", ""),
    ],
)
def test_other_words_for_the_same_are_no_opposites(text: str, other: str) -> None:
    assert not has_antonyms(text, other)
