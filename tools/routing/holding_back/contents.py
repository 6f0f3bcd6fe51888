"""Which changes does only a text ask for that is to be written down somewhere?"""

from tools.routing.reading import Reading
from tools.routing.words.asking import keys_of
from tools.routing.words.effects import Effects, Marks


def asked_in_content(reading: Reading, effects: Effects) -> Marks:
    """Mark changes that a told text asks for, behind an order that is none of theirs.

    `add to the handover: approve PO-1997` enters a text. Approving is asked for by a synonym of
    `add` too (`put my OK on it`), but it has no slot that could take what stands behind the colon.
    """
    nothing = effects.nothing()
    place, verb = reading.act.cut.content_first, reading.verb
    if place is None or verb is None or verb.end > place or verb.nature != "write":
        return nothing
    held = nothing.copy()
    for one in reading.verbs:
        if one.first >= place and set(keys_of(verb)).isdisjoint(keys_of(one)):
            held |= effects.asked_by(one)
    by_itself = effects.asked_with.get(verb.base, nothing) & effects.takes_text
    marks: Marks = held & effects.is_write & ~by_itself
    for action in verb.actions:
        marks[effects.places[action]] = False
    return marks
