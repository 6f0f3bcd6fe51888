"""The three kinds of collision, and what is none."""

import pytest

from state.action import Action
from state.query import Collision
from tools.catalog.action_catalog import Catalogue
from tools.observability.query_row import collision_named, collision_of


def action(name: str, verb: str, effect: str = "read", pack: str = "vessel") -> Action:
    return Action.model_validate(
        {
            "name": name,
            "pack": pack,
            "summary": name,
            "verb": verb,
            "object": "thing",
            "effect": effect,
            "handler": "handlers:do",
        }
    )


OVERVIEW = action("show_equipment_overview", "show")
HISTORY = action("show_equipment_history", "view")
CLOSE = action("close_work_order", "close", "destructive")
NOTE = action("add_note", "add", "write")


@pytest.mark.parametrize(
    ("predicted", "other", "collision"),
    [
        (None, None, "none"),
        (None, CLOSE, "none"),
        (OVERVIEW, OVERVIEW, "none"),
        (OVERVIEW, None, "acceptable_soft_route"),
        (NOTE, None, "suggestion_worthy"),
        (CLOSE, None, "suggestion_worthy"),
        (OVERVIEW, HISTORY, "suggestion_worthy"),
        (OVERVIEW, CLOSE, "routing_bug"),
        (CLOSE, NOTE, "routing_bug"),
        (OVERVIEW, action("show_papers", "show", pack="research"), "routing_bug"),
    ],
)
def test_a_collision_is_judged_by_verb_family_domain_and_effect(
    predicted: Action | None, other: Action | None, collision: Collision
) -> None:
    assert collision_of(predicted, other) == collision


@pytest.mark.parametrize(
    ("predicted", "other", "collision"),
    [
        ("show_lock", "show_lock", "none"),
        ("show_lock", "search_notices", "acceptable_soft_route"),  # the broad search
        ("show_lock", "done elsewhere", "acceptable_soft_route"),
        ("close_lock", "done elsewhere", "suggestion_worthy"),
        ("done elsewhere", "close_lock", "none"),
        ("close_lock", "drain_basin", "suggestion_worthy"),
        ("close_lock", "note_in_log", "routing_bug"),
    ],
)
def test_a_search_and_what_nobody_knows_are_nothing_of_the_catalogue(
    catalogue: Catalogue, predicted: str, other: str, collision: Collision
) -> None:
    assert collision_named(predicted, other, catalogue) == collision
