"""What is said when nothing better is at hand: events are relayed, messages answered."""

from pathlib import Path

import pytest

from state.policy import Candidate, Mood, PolicyDecision, Routing
from state.result import response_id_of
from tests.stages import event_of
from tools.catalog.action_catalog import Catalogue
from tools.catalog.pack import load_pack
from tools.response.template_replies import template_reply

MESSAGE = event_of("do a somersault", user="amir")


def policy_of(mood: Mood | None = None, *reasons: str) -> PolicyDecision:
    routing = (
        Routing(text="x", normalized="x", tokens=("x",), action=None, confidence=0.2, mood=mood)
        if mood
        else None
    )
    return PolicyDecision(intent="general", routing=routing, confidence=0.2, reasons=reasons)


def test_an_event_is_relayed_in_its_own_words() -> None:
    result = template_reply(event_of("The tide turns"), policy_of(), "llm_unavailable")
    assert (result.path, result.response_text) == ("fallback", "The tide turns")
    assert result.metadata == {"reason": "llm_unavailable", "intent": "general"}


@pytest.mark.parametrize("mood", ["command", "request", "question"])
def test_what_was_asked_and_nobody_can_do_is_turned_down(mood: Mood) -> None:
    result = template_reply(MESSAGE, policy_of(mood), "no_matching_action")
    assert (result.path, result.response_text) == ("rejected", "I can't do that yet.")
    assert result.metadata["reason"] == "no_matching_action"


@pytest.mark.parametrize("mood", ["statement", "negated", "reported", "hypothetical"])
def test_who_asked_for_nothing_hears_the_last_word(mood: Mood) -> None:
    result = template_reply(MESSAGE, policy_of(mood), "llm_unavailable", last_word="Hello.")
    assert (result.path, result.response_text) == ("rejected", "Hello.")
    assert result.metadata["reason"] == "nothing_asked"


def test_a_choice_nobody_clicked_is_told_so_and_recorded_so() -> None:
    choice = event_of("close lock LK-12", kind="choice")
    result = template_reply(choice, policy_of(None, "no_such_click"), "llm_unavailable")
    assert result.path == "rejected"
    assert "nothing was done" in result.response_text
    assert result.metadata["reason"] == "no_such_click"


def test_it_never_proposes_an_action() -> None:
    assert template_reply(MESSAGE, policy_of("command"), "r").action is None


def test_the_same_decision_has_the_same_response_id() -> None:
    first = template_reply(MESSAGE, policy_of(), "r").response_id
    assert first == response_id_of(MESSAGE.decision_id)
    assert first != response_id_of(event_of(event_id="another").decision_id)


@pytest.mark.parametrize(
    ("mood", "confidence", "role", "is_told"),
    [
        ("question", 0.45, "keeper", True),
        ("question", 0.45, "passenger", False),
        ("question", 0.11, "keeper", False),
        ("command", 0.45, "keeper", False),
    ],
)
def test_a_question_about_an_action_is_told_how_it_is_asked_for(
    mood: Mood, confidence: float, role: str, is_told: bool
) -> None:
    catalogue = Catalogue.of([load_pack(Path(__file__).parents[3] / "harbour")])
    policy = policy_of(mood)
    assert policy.routing
    near = (Candidate(action="close_lock", confidence=confidence),)
    routing = policy.routing.model_copy(update={"alternatives": near})
    asked = event_of("how do I close a lock?", user="amir", role=role)
    result = template_reply(
        asked, policy.model_copy(update={"routing": routing}), "llm_unavailable", catalogue
    )
    assert (catalogue.actions["close_lock"].examples[0] in result.response_text) is is_told
    assert (result.action, result.path) == (None, "rejected")
