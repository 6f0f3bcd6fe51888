"""`Undo that` means one's own last action; everything else is for the catalogue."""

import pytest

from tools.nlu.dialogue_acts.negated_orders import asks_undo


@pytest.mark.parametrize(
    "text",
    [
        "undo",
        "undo that",
        "Undo it!",
        "take that back",
        "please take it back.",
        "can you undo the last one",
        "oops, undo that please",
        "undo my last action",
        "revert the last change",
        "reverse that",
        "undo what you just did",
        "can you undo that?",
        "could you please take it back?",
        "will you undo it?",
    ],
)
def test_the_last_action_is_meant(text: str) -> None:
    assert asks_undo(text)


@pytest.mark.parametrize(
    "text",
    [
        "do not undo that",
        "don't take that back",
        "undo the closing of WO-1042",
        "reverse transfer TR-701",
        "she said undo that",
        "take that back to the workshop",
        "what can I undo",
        "undo that?",
        "please undo?",
        "did you undo that?",
        "undo that and close WO-1042",
        "undoing",
        "",
        "undo " * 100,
    ],
)
def test_anything_more_is_read_as_any_other_text(text: str) -> None:
    assert not asks_undo(text)
