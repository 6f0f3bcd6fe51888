"""Who tells how things are asks for no change, unless the pack has shown that telling asks."""

import pytest

from tests.nodes.conftest import catalogue  # noqa: F401  # a fixture
from tools.catalog.action_catalog import Catalogue
from tools.dialogue.pack_intents import asks_no_change


@pytest.mark.parametrize(
    "text",
    [
        "the ticket costs 12",
        "lock LK-12 is closed",
        "it is 18 degrees in the cabin",
        "our pilot has a key for the shed",
        "the basin was drained by the night shift",
        "somebody left the shed door open",
        "the gates were not locked",
        "Ines told me she wants to close LK-12",
        "the leaflet says: drain the basin first",
        "should I close LK-12?",
        "do we have to ring the bell?",
        "how many gates are closed",
        "who closed LK-12",
    ],
)
def test_telling_and_wondering_change_nothing(catalogue: Catalogue, text: str) -> None:  # noqa: F811
    assert asks_no_change(text, catalogue.actions["close_lock"])


@pytest.mark.parametrize(
    "text",
    [
        "close LK-12",
        "LK-12 has to be closed",
        "the ferry needs LK-12 closed",
        "the price should be 12 from now on",
        "LK-12 closed please",
        "the bell is annoying, make it stop",
        "the water is rising and LK-12 goes shut",
        "could LK-12 be closed",
        "make the ticket cost 12",
        "write in the log that the bell is broken",
    ],
)
def test_what_asks_for_a_change_in_any_form_asks(catalogue: Catalogue, text: str) -> None:  # noqa: F811
    assert not asks_no_change(text, catalogue.actions["close_lock"])


def test_a_pack_shows_by_an_example_that_telling_asks(catalogue: Catalogue) -> None:  # noqa: F811
    action = catalogue.actions["close_lock"]
    examples = (*action.examples, "LK-12 is to be seen as shut: the gate is down")
    told = action.model_copy(update={"examples": (*examples, "lock LK-40 is shut")})
    assert not asks_no_change("lock LK-12 is closed", told)
    assert asks_no_change("should I close LK-12?", told)
