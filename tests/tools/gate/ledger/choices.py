"""What may be asked for, by whom, and where a process may die: the choices of chance."""

from typing import Any

from hypothesis import strategies as st

from tests.safety.benches import CAPTAIN, COOK, ENGINEER, MATE, ROBOT, STRANGER

ARGUMENTS: dict[str, tuple[dict[str, Any], ...]] = {
    "open_valve": ({"valve": "V-1"}, {"valve": "V-2", "turns": 3}, {"valve": "V-1", "note": "x"}),
    "flood_hold": ({"hold": "H-1"}, {"hold": "H-2"}),
    "shift_ballast": ({"tonnes": 20}, {"tonnes": 500}),
    "buy_pump": ({"count": 1}, {"count": 99}),
}
PEOPLE = (ENGINEER, CAPTAIN, MATE, COOK, STRANGER, ROBOT)
STEPS = ("before_claim", "after_claim", "in_effect", "after_effect", "after_record")

people = st.sampled_from((ENGINEER, CAPTAIN, MATE, CAPTAIN, MATE, *PEOPLE))
actions = st.sampled_from(sorted(ARGUMENTS))
places = st.integers(min_value=0, max_value=30)
