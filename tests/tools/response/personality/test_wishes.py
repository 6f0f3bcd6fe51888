"""What people ask of the manner of talking, and what only sounds like it."""

import pytest

from state.talk import TalkRequest
from tools.nlu.control.requests import control_request
from tools.nlu.feedback import sentiment


@pytest.mark.parametrize(
    ("text", "trait", "steps"),
    [
        ("be less sarcastic", "sarcasm", -1),
        ("Please talk more formally.", "formality", 1),
        ("can you be a bit funnier?", "humor", 0.5),
        ("you’re too verbose", "verbosity", -1),
        ("be much more enthusiastic", "enthusiasm", 2),
        ("be formal", "formality", 2),
        ("be brief", "verbosity", -2),
        ("don't be so formal", "formality", -2),
        ("stop being so serious", "humor", 2),
        ("be more casual with me", "formality", -1),
        ("be more serious please", "humor", -1),
        ("sound calmer", "enthusiasm", -1),
        ("be a little less proactive", "proactive", -0.5),
    ],
)
def test_a_wish_moves_a_trait_by_steps(text: str, trait: str, steps: float) -> None:
    wish = control_request(text)
    assert wish is not None
    assert (wish.kind, wish.trait, wish.steps) == ("trait", trait, steps)


@pytest.mark.parametrize(
    ("text", "trait"),
    [
        ("no sarcasm", "sarcasm"),
        ("no more jokes please", "humor"),
        ("stop joking", "humor"),
        ("never be sarcastic", "sarcasm"),
    ],
)
def test_none_of_a_trait_is_none_at_all(text: str, trait: str) -> None:
    assert control_request(text) == TalkRequest.model_validate(
        {"kind": "trait", "trait": trait, "value": 0.0}
    )


@pytest.mark.parametrize(
    ("text", "kind", "topic"),
    [
        ("switch to the dry wit personality", "template", "dry_wit"),
        ("use your captain persona", "template", "captain"),
        ("be yourself again", "as_usual", None),
        ("reset your personality", "as_usual", None),
        ("load the minecraft skill", "load_skill", "minecraft"),
        ("stop using the sarcasm skill", "unload_skill", "sarcasm"),
    ],
)
def test_characters_and_skills_are_asked_for_by_name(
    text: str, kind: str, topic: str | None
) -> None:
    wish = control_request(text)
    assert wish is not None
    assert (wish.kind, wish.topic) == (kind, topic)


@pytest.mark.parametrize(
    "text",
    [
        "more details",
        "be careful with the formal report",
        "write a more formal letter to the harbour",
        "the report was too formal",
        "he said be less sarcastic, and then close WO-1042",
        "find funnier papers about humor",
        "show me more about sarcasm detection",
        "stop the formal review",
    ],
)
def test_what_is_about_something_else_is_no_wish(text: str) -> None:
    assert control_request(text) is None


@pytest.mark.parametrize(
    ("text", "at_least", "at_most"),
    [
        ("ugh, I keep dying", -1, -0.7),
        ("this is impossible", -0.7, -0.5),
        ("I don't love this", -0.4, -0.2),
        ("yay, I did it", 0.7, 1),
        ("close WO-1042", 0, 0),
        ("The great circle route to Lisbon is three days longer than the other one, I think", 0, 0),
    ],
)
def test_outcries_tell_how_somebody_feels(text: str, at_least: float, at_most: float) -> None:
    assert at_least <= sentiment(text) <= at_most
