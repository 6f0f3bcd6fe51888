"""Collisions over a labelled dataset: which kind each wrong prediction is."""

from typing import Any

import pytest

from evals.evaluators.requests import action_accuracy, collision_in, routing_bugs, suggestion_worthy
from evals.evaluators.scoring import action_of
from state.policy import READ_OR_CHANGE

KINDS = [
    {"name": "show_overview", "pack": "vessel", "verb": "show", "effect": "read"},
    {"name": "show_history", "pack": "vessel", "verb": "show", "effect": "read"},
    {"name": "add_note", "pack": "vessel", "verb": "add", "effect": "write"},
    {"name": "close", "pack": "vessel", "verb": "update", "effect": "destructive"},
]


def answer(action: str | None, *, chip: str | None = None) -> dict[str, Any]:
    return {"action": action, "chips": [{"action": chip}] if chip else [], "kinds": KINDS}


OPEN = answer(None) | {
    "reason": READ_OR_CHANGE,
    "outcome": "offered",
    "chips": [{"action": "show_history"}, {"action": "add_note"}],
}


def label(action: str | None, *acceptable: str) -> dict[str, Any]:
    others = [{"action": one, "execution_class": "A"} for one in acceptable]
    return {"action": action, "execution_class": None, "acceptable": others}


@pytest.mark.parametrize(
    ("given", "meant", "collision"),
    [
        (answer("close"), label("close"), "none"),
        (answer("show_history"), label(None, "show_history"), "none"),
        (answer(None), label("close"), "none"),
        (answer("show_history"), label(None), "acceptable_soft_route"),
        (answer("add_note"), label(None), "suggestion_worthy"),
        (answer(None, chip="show_history"), label("show_overview"), "suggestion_worthy"),
        (OPEN, label("add_note"), "suggestion_worthy"),
        (OPEN, label("close"), "routing_bug"),  # not among the chips: the first one counts
        (OPEN, label(None), "acceptable_soft_route"),
        (answer("close"), label("show_overview"), "routing_bug"),
        ({"error": "boom"}, label("close"), "none"),
    ],
)
def test_each_wrong_prediction_is_of_one_kind(given, meant, collision) -> None:
    assert collision_in(given, meant) == collision


def test_they_are_counted_and_named() -> None:
    given = [answer("close"), answer("add_note"), answer("close")]
    meant = [label("show_overview"), label(None), label("close")]
    bugs = routing_bugs(given, meant)
    assert (bugs["score"], bugs["comment"]) == (1.0, "close for show_overview")
    assert suggestion_worthy(given, meant)["score"] == 1.0


@pytest.mark.parametrize("meant", ["show_history", "add_note", None])
def test_what_is_left_open_is_right_for_no_label(meant: str | None) -> None:
    assert action_of(OPEN) not in ("show_history", "add_note", None)
    assert action_accuracy(OPEN, label(meant))["score"] == 0.0
    assert action_accuracy(OPEN | {"reason": "several_plausible"}, label("show_history"))["score"]
