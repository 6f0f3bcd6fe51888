"""Is what a text may come to worth naming, as unlikely or incomplete as it is?"""

from state.action import PRIMITIVE_SLOT_TYPES, Action
from tools.routing.holding_back.restraint import Restraint
from tools.routing.holding_back.telling import only_tells
from tools.routing.ranking import THE_SAME, Ranked
from tools.routing.reading import Reading
from tools.routing.slots.filling import Filled

_ASKED_CHANGE, _BY_ANOTHER_VERB = 0.5, 0.9
"""Confidence from which a change is named that somebody asked for, by its own verb or by one that
its examples never ask with. Of orders from ten other domains (CLINC150) 45 in 100 reached .2 on the
vessel and 18 .5; of phrasings of its own one in 150 is between.
A change whose own verb and object were said is named however unlike the examples it is: a tool with
three of them has no text near."""
_TOLD = 0.7
"""As above, in a sentence that asks for nothing. Most of them want nothing: half of the chat in the
datasets `vessel_indirect` and `research_indirect` was answered with an offer; of what is wished
there, nine in ten stay above."""


def is_too_unsure(reading: Reading, best: Action, ranked: Ranked, restraint: Restraint) -> bool:
    """Tell whether the best action is not worth a word, as unlikely as it is."""
    if ranked.cosine >= THE_SAME:
        return False
    changes = best.effect != "read"
    if not only_tells(reading):
        if restraint.is_strange[ranked.order[0]]:
            return changes and ranked.confidence < _BY_ANOTHER_VERB
        return changes and not ranked.is_said and ranked.confidence < _ASKED_CHANGE
    return ranked.confidence < _TOLD


def lacks_thing(reading: Reading, action: Action, filled: Filled) -> bool:
    """Tell whether a change that nobody asked for names not even what it would change.

    Who asks is asked back; who chats is not.
    """
    named = {thing.name for thing in reading.things.all}
    if not only_tells(reading) or action.effect == "read" or action.object in named:
        return False
    return any(
        slot.required
        and slot.type not in PRIMITIVE_SLOT_TYPES
        and name not in {*filled.values, *filled.choices, *filled.not_found}
        for name, slot in action.slots.items()
    )
