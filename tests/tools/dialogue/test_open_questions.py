"""A value that was asked for answers the question, whatever its words are mostly asked with."""

import pytest

from state.policy import Routing
from state.session import OpenQuestion
from tests.nodes.conftest import Knows, message, messages_of, routing_of
from tests.stages import NOW
from tools.catalog.action_catalog import Catalogue
from tools.dialogue.slot_answers import slot_answer
from tools.nlu.slots.answers import NO_ANSWER

OPEN = OpenQuestion(
    action="close_lock",
    arguments={},
    slots=("lock",),
    confidence=0.9,
    at=NOW.timestamp() - 60,
)
VALUE = {"action": "close_lock", "slots": {"lock": "LK-12"}}


def routed(text: str, **fields: object) -> Routing:
    """Read a text as a request for another action of the same thing."""
    asked = {"action": "show_lock", "confidence": 0.9, "verb_family": "show", "mood": "request"}
    return routing_of(text, **{**asked, "slots": {"lock": "LK-12"}, **fields})


@pytest.mark.parametrize("text", ["LK-12 please", "LK-12 now please", "please, LK-12"])
def test_a_value_asked_for_politely_is_no_request_of_its_own(catalogue: Catalogue, text) -> None:
    router = Knows({text: routed(text)}, {text: routing_of(text, **VALUE)})

    decided = slot_answer(messages_of(catalogue, router).message(message(text)), OPEN)

    assert decided is not None
    assert (decided.action, decided.arguments) == ("close_lock", {"lock": "LK-12"})


@pytest.mark.parametrize(
    "text", ["never mind", "call it off", "abort", "never mind, abort", "can you call it off?"]
)
def test_who_calls_it_off_drops_what_was_asked_of_them(catalogue: Catalogue, text: str) -> None:
    router = Knows({text: routed(text)}, {text: routing_of(text, **VALUE)})
    decided = slot_answer(messages_of(catalogue, router).message(message(text)), OPEN)
    assert decided is not None
    assert (decided.action, decided.says) == (None, "OK, I'll leave it.")


@pytest.mark.parametrize(
    "answer", [None, {"action": "close_lock", "reasons": (NO_ANSWER,)}], ids=["none", "more"]
)
def test_a_request_of_its_own_answers_nothing(catalogue: Catalogue, answer) -> None:
    text = "show LK-12 please"
    answers = {} if answer is None else {text: routing_of(text, **answer)}

    reader = messages_of(catalogue, Knows({text: routed(text)}, answers))
    assert slot_answer(reader.message(message(text)), OPEN) is None


def test_free_words_that_are_clearly_a_request_are_no_note(catalogue: Catalogue) -> None:
    text = "show LK-12 please"
    note = {"action": "note_in_log", "slots": {"note": text}}
    router = Knows({text: routed(text, confidence=0.99)}, {text: routing_of(text, **note)})
    wanted = OPEN.model_copy(update={"action": "note_in_log", "slots": ("note",)})

    assert slot_answer(messages_of(catalogue, router).message(message(text)), wanted) is None
