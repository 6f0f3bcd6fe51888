"""What an intent's words force, and when the router's reading of the rest stands against it."""

from pathlib import Path

import pytest

from state.policy import Candidate, Routing
from tests.nodes.conftest import Knows, message, messages_of, routing_of
from tools.catalog.action_catalog import Catalogue
from tools.catalog.pack import load_pack

ASKED = "find me any books on whales"


@pytest.fixture(scope="module")
def shelf() -> Catalogue:
    return Catalogue.of([load_pack(Path(__file__).parents[1] / "shelf")])


def found(*likely: tuple[str, float]) -> Routing:
    (action, confidence), *others = likely
    return routing_of(
        ASKED,
        action=action,
        confidence=confidence,
        alternatives=tuple(Candidate(action=name, confidence=one) for name, one in others),
    )


def forced_of(catalogue: Catalogue, routing: Routing) -> str | None:
    reader = messages_of(catalogue, Knows({ASKED: routing}))
    return reader.read(message(ASKED, role="reader")).force_tool


def test_the_words_of_an_intent_force_its_read_where_the_router_is_unsure(shelf: Catalogue) -> None:
    assert forced_of(shelf, found(("show_book", 0.2), ("find_books", 0.1))) == "find_books"
    assert forced_of(shelf, found(("show_book", 0.45), ("find_books", 0.3))) == "find_books"


def test_they_force_nothing_that_the_router_finds_out_of_the_question(shelf: Catalogue) -> None:
    assert forced_of(shelf, found(("set_theme", 0.45), ("find_books", 0.01))) is None
    assert forced_of(shelf, found(("set_theme", 0.45))) is None
