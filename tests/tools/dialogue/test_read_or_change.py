"""A read and a change may both be meant: then neither is named, and both are there to be chosen."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from state.policy import READ_OR_CHANGE, Candidate, PolicyDecision
from tests.nodes.conftest import Knows, message, messages_of, routing_of
from tools.catalog.action_catalog import Catalogue
from tools.dialogue.pack_intents import asks_no_change

SHOW: dict[str, Any] = {"action": "show_lock", "confidence": 0.45, "slots": {"lock": "LK-12"}}
CLOSE: dict[str, Any] = {"action": "close_lock", "confidence": 0.45, "slots": {"lock": "LK-12"}}


@pytest.fixture
def read(catalogue: Catalogue, tmp_path: Path) -> Callable[..., PolicyDecision]:
    """Decide on a text that was routed so, with others beside it: name, confidence."""
    router = Knows()
    messages = messages_of(catalogue, router, tmp_path)

    def decided(*rivals: tuple[str, float], role: str = "keeper", **routed: Any) -> PolicyDecision:
        others = tuple(Candidate(action=name, confidence=sure) for name, sure in rivals)
        router.routings["text"] = routing_of("text", **routed, alternatives=others)
        return messages.read(message("text", role=role))

    return decided


@pytest.mark.parametrize(("routed", "rival"), [(SHOW, "close_lock"), (CLOSE, "show_lock")])
def test_neither_is_named_and_both_are_there_to_be_chosen(
    read: Callable[..., PolicyDecision], routed: dict[str, Any], rival: str
) -> None:
    policy = read((rival, 0.1), **routed)
    assert (policy.intent, policy.action, policy.arguments) == ("clarify", None, {})
    assert READ_OR_CHANGE in policy.reasons
    assert [one.action for one in policy.alternatives] == [routed["action"], rival]
    assert policy.alternatives[0].slots == {"lock": "LK-12"}  # what was read for it is kept


@pytest.mark.parametrize(("routed", "rival"), [(SHOW, "close_lock"), (CLOSE, "show_lock")])
def test_what_is_held_is_left_open_however_sure_it_is(
    read: Callable[..., PolicyDecision], routed: dict[str, Any], rival: str
) -> None:
    policy = read((rival, 0.1), **routed | {"confidence": 0.9, "held": "mood"})
    assert (policy.action, READ_OR_CHANGE in policy.reasons) == (None, True)


def test_what_else_is_offered_stays_behind_them_once(read: Callable[..., PolicyDecision]) -> None:
    policy = read(("ring_bell", 0.3), ("close_lock", 0.28), **SHOW)
    names = [one.action for one in policy.alternatives]
    assert names[0] == "show_lock"
    assert sorted(names) == ["close_lock", "ring_bell", "show_lock"]


@pytest.mark.parametrize(
    ("rival", "sure", "fields"),
    [
        ("close_lock", 0.06, SHOW),  # hardly likely
        ("close_lock", 0.3, SHOW | {"confidence": 0.7}),  # clearly the one
        ("close_lock", 0.1, SHOW | {"mood": "question"}),  # no change is in a question
        ("note_in_log", 0.44, CLOSE),  # of one kind: the likelier is named
    ],
)
def test_what_is_no_rival_leaves_the_action_named(
    read: Callable[..., PolicyDecision], rival: str, sure: float, fields: dict[str, Any]
) -> None:
    assert read((rival, sure), **fields).action == fields["action"]


def test_what_somebody_may_not_ask_for_is_no_rival(read: Callable[..., PolicyDecision]) -> None:
    assert read(("close_lock", 0.3), role="passenger", **SHOW).action == "show_lock"


# Who tells how things are asks for no change, unless the pack has shown that telling asks.


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
def test_telling_and_wondering_change_nothing(catalogue: Catalogue, text: str) -> None:
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
def test_what_asks_for_a_change_in_any_form_asks(catalogue: Catalogue, text: str) -> None:
    assert not asks_no_change(text, catalogue.actions["close_lock"])


def test_a_pack_shows_by_an_example_that_telling_asks(catalogue: Catalogue) -> None:
    action = catalogue.actions["close_lock"]
    examples = (*action.examples, "LK-12 is to be seen as shut: the gate is down")
    told = action.model_copy(update={"examples": (*examples, "lock LK-40 is shut")})
    assert not asks_no_change("lock LK-12 is closed", told)
    assert asks_no_change("should I close LK-12?", told)


@pytest.mark.parametrize("sign", ["unknown_verb", "unknown_word"])
def test_a_verb_that_nobody_knows_guesses_at_no_dangerous_action(
    read: Callable[..., PolicyDecision], sign: str
) -> None:
    for known, is_offered in ((sign, False), ("declared", True)):
        policy = read(("close_lock", 0.1), **SHOW | {"mood": "statement", "sign": known})
        assert ("close_lock" in [one.action for one in policy.alternatives]) is is_offered
