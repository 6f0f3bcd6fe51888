"""Is somebody else to do just what an action gives them to do: `let Chiara see our library`?"""

from collections.abc import Iterable
from typing import Any

from state.action import PRIMITIVE_SLOT_TYPES, Action
from tools.routing.reading import Reading
from tools.routing.slots.filling import Filled
from tools.routing.words.phrases import word_set

_CAUSES = word_set("let have get make remind ask tell allow want need like prefer")
"""Right before the name of a person these ask for a doing that is theirs."""
_BEFORE_CAUSES = word_set("i we i'd we'd would please really just also")
_BEFORE_NAMES = word_set("the our my")


def is_for_named(reading: Reading, action: Action, filled: Filled) -> bool:
    """Tell `let Chiara see our library`, where the person is the one that the action takes.

    `I want the chief to handle WO-1077` is told so too.
    """
    values = {
        str(value)
        for name, slot in action.slots.items()
        if slot.type not in PRIMITIVE_SLOT_TYPES
        for value in _each(filled.values.get(name))
    }
    person = next((one for one in reading.mentions if one.is_known), None)
    if person is None or person.value not in values:
        return False
    before = [token.text for token in reading.normal.tokens[: person.first]]
    *lead, cause = [word for word in before if word not in _BEFORE_NAMES] or [""]
    if cause not in _CAUSES or not _BEFORE_CAUSES.issuperset(lead):
        return False
    # `ask Ben to assign it` leaves the very doing to Ben.
    behind = (one for one in reading.verbs if one.first >= person.end)
    return not any(action.name in one.actions for one in behind)


def _each(value: Any) -> Iterable[Any]:  # one value of a slot, or several
    return value if isinstance(value, list) else [value] if value is not None else []
