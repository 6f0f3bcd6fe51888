"""Which changes does a text ask to undo, and so not to do: `uncancel`, `the cancellation of`?"""

from collections.abc import Iterator

import numpy as np

from tools.routing.reading import Reading
from tools.routing.words.effects import Effects, Marks, any_of
from tools.routing.words.nouns import undone_noun, verbs_of_noun

_UN = "un"


def undone_in(reading: Reading, effects: Effects) -> Marks:
    """Mark the changes that are not asked for where a doing is to be undone: none where none is.

    That is the doing itself, and all that the verb which was said does not mean: what undoes it is
    in no other word. An `un-` is judged only where the catalogue does not know the word: `unread`.
    """
    verbs = set(_undone_verbs(reading, effects))
    undone = effects.marked(effects.asked_with, verbs)
    if not verbs or not any_of(undone & effects.is_write):
        return effects.nothing()
    if reading.verb is None or reading.verb.base in verbs:
        often = effects.marked(effects.often_asked_with, verbs)
        meant = _taking_back(often, effects)
        undone = often | (undone & ~meant)
    else:
        meant = effects.asked_by(reading.verb)
        for action in reading.verb.actions:  # an example of reopening may cancel a closing
            undone[effects.places[action]] = False
    meant &= _may_be_of(reading, undone, effects)
    marks: Marks = effects.is_write & (undone | ~meant)
    return marks


def _taking_back(done: Marks, effects: Effects) -> Marks:
    """Mark what the entries say undoes some doings."""
    marks = effects.nothing()
    for place in _places(done):
        if place in effects.takes_back:
            marks[effects.takes_back[place]] = True
    return marks


def _undone_verbs(reading: Reading, effects: Effects) -> Iterator[str]:
    words = reading.normal.words
    verb = reading.verb
    for place in reading.asked:
        if words[place] == _UN and _is_hyphened(reading, place):
            yield words[place + 1]
        yield from _without_un(words[place], effects)
    if verb is None:
        return
    yield from _without_un(verb.base, effects)
    noun = undone_noun(words, verb.base, verb.end, reading.asked.stop)
    if noun is not None and not _is_named(reading, noun):
        yield from (one for one in verbs_of_noun(words[noun]) if not _looks(one, effects))


def _is_hyphened(reading: Reading, place: int) -> bool:
    """Tell `un-cancel it` from `cancel the UN visit`."""
    pair = reading.normal.tokens[place : place + 2]
    return len(pair) > 1 and reading.normal.text[pair[0].end : pair[1].start] == "-"


def _may_be_of(reading: Reading, undone: Marks, effects: Effects) -> Marks:
    """Mark the actions that take what is named: no work order is reopened for an invoice.

    That is told by the things of the undone doings: a job may be named by its pump.
    """
    kinds = frozenset().union(*(effects.kinds[place] for place in _places(undone)))
    named = kinds & {one.kind.type for one in reading.mentions if one.is_known}
    return np.array([not named or not named.isdisjoint(own) for own in effects.kinds], bool)


def _places(marks: Marks) -> list[int]:
    return np.flatnonzero(marks).tolist()


def _without_un(word: str, effects: Effects) -> Iterator[str]:
    if word.startswith(_UN) and word not in effects.said_with:
        yield word.removeprefix(_UN)


def _looks(verb: str, effects: Effects) -> bool:
    """Tell a verb of looking, which undoes nothing: `undo the reading of the meter`."""
    often = effects.often_asked_with.get(verb)
    return often is not None and any_of(often & ~effects.is_write)


def _is_named(reading: Reading, place: int) -> bool:
    """Tell the booking that is a thing from a booking of something."""
    named = {at for one in reading.mentions for at in range(one.first, one.end)}
    return place in named or any(one.first <= place < one.end for one in reading.things.all)
