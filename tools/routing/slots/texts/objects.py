"""Which words only say what kind of thing is meant, and are no value of a text slot?"""

from collections.abc import Sequence

from state.action import Action
from tools.routing.things.roles import KNOWN_THING, Things
from tools.routing.words.phrases import word_set

FREE_NAMES = word_set(
    "query note text content message description comment remark body title subject details summary "
    "question reason search topic"
)
"""Slots and objects of these names are words themselves, not the name of something."""
_DETERMINERS = word_set("a an the my our your this that")


def barred_objects(
    action: Action, slot: str, things: Things, words: Sequence[str], asked: range
) -> set[int]:
    """Name the words of the object, but for those of a value: `tag P-1 as review paper`."""
    named = _object_words(action, things)
    linked = next((place for place in asked if words[place] == "as"), None)
    if slot in FREE_NAMES or linked is None:
        return named
    first = linked + 1
    while first in asked and words[first] in _DETERMINERS:
        first += 1
    return named if first in named else {one for one in named if one < first}


def _object_words(action: Action, things: Things) -> set[int]:
    """Name the words that only say which kind of thing is meant."""
    named: set[int] = set()
    for thing in things.all:
        is_head = 0.7 <= thing.strength < KNOWN_THING  # a known tag is the tag that is meant
        is_object = thing.name == action.object and (
            thing.strength == 1.0
            or (is_head and (action.container is not None or thing.name in FREE_NAMES))
        )
        if is_object or (thing.name == action.container and thing.strength == 1.0):
            named.update(range(thing.first, thing.end))
    return named
