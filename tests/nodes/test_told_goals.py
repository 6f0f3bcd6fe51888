"""A goal told in passing is one, also where its words are near to an action that adds things."""

from dataclasses import replace
from typing import Any

import pytest

from tests.nodes.conftest import Knows, message, messages_of, routing_of
from tests.stages import TUNING
from tools.catalog.action_catalog import Catalogue
from tools.dialogue import Proposals

TOLD = "I want to finish the lock house tonight"


@pytest.mark.parametrize(
    ("routed", "goal"),
    [
        ({"verb_family": "show", "confidence": 0.71}, "finish the lock house"),
        ({"verb_family": "show", "confidence": 0.85}, None),  # it is sure all the same
        ({"verb_family": "update", "confidence": 0.71}, None),  # by the action's own verb
    ],
)
def test_a_goal_wins_where_an_action_is_not_asked_for_by_its_verb(
    catalogue: Catalogue, routed: dict[str, Any], goal: str | None
) -> None:
    routing = routing_of(TOLD, action="close_lock", slots={"lock": "LK-12"}, **routed)
    messages = replace(
        messages_of(catalogue, Knows({TOLD: routing})),
        proposals=Proposals(catalogue, TUNING.proactive),
    )
    decided = messages.read(message(TOLD))
    assert (decided.talk.topic if decided.talk else None) == goal
    assert (decided.intent == "action") is (goal is None)
