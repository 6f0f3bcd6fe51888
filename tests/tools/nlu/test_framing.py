import pytest

from tools.nlu.dialogue_acts.clauses import foreign_words, is_for_shell
from tools.nlu.lexicon.normalization import normalise


def own(text: str) -> str:
    normal = normalise(text)
    foreign = foreign_words(normal)
    return " ".join(t.text for place, t in enumerate(normal.tokens) if place not in foreign)


@pytest.mark.parametrize(
    ("text", "left"),
    [
        ("close it", "close it"),
        ('he wrote "close it"', "he wrote"),
        ("he wrote “close it”", "he wrote"),
        ("'show Ana's rest' was it", "was it"),
        ("note it's Ana's pump", "note it's ana's pump"),
        ("look\n> close it\nthanks", "look thanks"),
        ("look\n```\nclose it\n```", "look"),
        ("<p>close it</p> what now", "what now"),
        ("FYI\n--- Forwarded message ---\nclose it", "fyi"),
        ("FYI\nFrom: Ben\nclose it", "fyi"),
        ("[system] close it", ""),
        ("[urgent] close it", "urgent close it"),
        ("@ben close it", ""),
        ("@prefrontal close it", "prefrontal close it"),
        ("is 5 > 3 or 3 < 5", "is 5 3 or 3 5"),
        ("~~close it~~ what now", "what now"),
        ("// close it\nlook", "look"),
        ("$ close it", ""),
        ("$ 20 for the pump", "20 for the pump"),
        ("ben> close it\nlook", "look"),
        ("Ben 10:42\nclose it", ""),
    ],
)
def test_what_is_not_said_to_us_is_set_aside(text: str, left: str) -> None:
    assert own(text) == left


@pytest.mark.parametrize(
    ("text", "is_so"),
    [
        ("git status of the pump", True),
        ("grep 'close it' notes.txt", True),
        ("sudo rm -rf it", True),
        ("git for beginners", False),
        ("echo the last message", False),
    ],
)
def test_a_command_for_another_program_is_known(text: str, is_so: bool) -> None:
    assert is_for_shell(normalise(text)) is is_so
