"""What does the verb that was said speak against?"""

from state.action import Action
from tools.routing.reading import Reading
from tools.routing.words.effects import Effects, Marks
from tools.routing.words.families import READ_FAMILIES
from tools.routing.words.signs import COURTESY, DETERMINERS
from tools.routing.words.verbs import Nature, Verb, groups_of

_LOOKS = READ_FAMILIES | groups_of(("download",))
"""Families, and the group of downloading, of what brings something to whoever asks."""
_MAKES = ("create", "add")
"""Families of what makes something, which one gets: `get me oil filters` orders some."""
_AROUND = COURTESY | DETERMINERS | {"of", "on", "for"}


def clashes(reading: Reading, effects: Effects) -> Marks:
    """Mark actions whose effect is not of the nature of the verb that was said.

    A phrase that the pack gives to an action never clashes with it; nor does a read with a verb
    that its own examples use.
    """
    verb = reading.verb
    nature: Nature = verb.nature if verb is not None else "either"
    if verb is None and reading.act.mood == "question":
        nature = "read"
    nothing = effects.nothing()
    if nature == "either":
        return nothing
    clash = effects.is_write.copy() if nature == "read" else ~effects.is_write
    if verb is None:
        return clash
    if nature == "write":
        clash &= ~effects.asked_with.get(verb.base, nothing)  # `put P-1 and P-2 side by side`
        for family in verb.families:
            clash &= ~effects.uses.get(family, nothing)
    for action in verb.actions:
        clash[effects.places[action]] = False
    return clash


def named_by_another_verb(reading: Reading, effects: Effects) -> Marks:
    """Mark state-changing actions that have neither the verb that was said nor a synonym.

    `cancel PO-2201` shares everything with approving it but the verb. Of a verb that brings
    something to the person the synonyms say nothing: `open the report` does not create one, nor
    does `print the report` send it in.
    """
    verb = reading.verb
    if verb is None:
        return effects.nothing()
    looks = not _LOOKS.isdisjoint((*verb.families, *verb.groups))
    asked = effects.asked_by(verb._replace(groups=frozenset()) if looks else verb)
    if looks and verb.base.split()[0] == "get" and _names_all(reading, verb):
        asked &= effects.marked(effects.uses, _MAKES)  # `get TSK-104` does nothing to it
    meant = effects.marked(effects.wordless, verb.families) | asked
    marks: Marks = effects.is_write & ~meant
    return marks


def _names_all(reading: Reading, verb: Verb) -> bool:
    """Tell `get TSK-104` from `get TSK-104 closed` and `get the report out`."""
    named = {at for one in reading.mentions for at in range(one.first, one.end)}
    named |= {at for one in reading.things.all for at in range(one.first, one.end)}
    behind = range(verb.end, reading.asked.stop)
    words = reading.normal.words
    is_named = not named.isdisjoint(behind)
    return is_named and all(place in named or words[place] in _AROUND for place in behind)


def opened_strangely(reading: Reading, effects: Effects) -> Marks:
    """Mark actions that no example asks for by the verb of an order that no family has.

    `weigh the list` and `frame my reservation` are said with words that other actions are asked by.
    """
    nothing = effects.nothing()
    opening = reading.act.ask.opening if reading.act.ask is not None else ""
    if not opening or reading.verb is not None:
        return nothing
    return ~effects.opened_with.get(opening, nothing)


def is_asked_by_change(reading: Reading, best: Action, effects: Effects) -> bool:
    """Tell `tag all unread papers`, of which a read knows the verb from a single odd example.

    The verb stands in the entry of a change, and next to no example asks for the read by it.
    """
    verb = reading.verb
    if verb is None or reading.act.mood not in ("command", "request") or verb.nature != "write":
        return False
    if not verb.actions or best.name in verb.actions:
        return False
    often = effects.often_asked_with.get(verb.base)
    return often is None or not often[effects.places[best.name]]
