"""What the reader finds in a request that no word list does: its limits, and that none is meant."""

from collections.abc import Iterator, Sequence, Set

from state.action import Action
from state.policy import Uncovered
from tools.nlu.intents.utterance import ParsedUtterance
from tools.nlu.lexicon.closed_classes import ORDINAL_WORDS
from tools.nlu.lexicon.cue_phrases import FUNCTION_WORDS
from tools.nlu.lexicon.normalization import word_set, words_of
from tools.nlu.reader.reading import LIMITS, MOST, UNMEANT, Reading
from tools.nlu.slots.filling import FilledSlots
from tools.nlu.values.units import UNITS

_SURE = 0.8
"""Chance of an act, and of wanting nothing, from which a change is only offered."""
_UNLIKELY, _CLEAR = 0.03, 0.9
"""Chance of a wish for a change below which none is offered, and of the act from which."""
_LINKS = word_set(
    "until till through via per by from into onto up down at before after since between over under "
    "within during in on to for"
)
"""Words that join a limit to the order, and are none by themselves."""

_POINTS = frozenset(ORDINAL_WORDS) | word_set("last next both other others same one ones all")
"""Words that point at what was shown: `the first one` is a thing, and no limit."""


_FEWEST = 4
"""Words of a message that is judged: fewer answer something."""


def is_unmeant(read: Reading) -> bool:
    """Tell whether the reader is sure that a message denies, quotes, tells or supposes an order."""
    is_sure = read.act_chance >= _SURE and read.wants["none"] >= _SURE
    return read.act in UNMEANT and is_sure and is_judged(read)


def wants_no_change(read: Reading) -> bool:
    """Tell whether the reader is sure that no change is wanted: of none is one offered.

    What asks may set a value that sounds like a question: `our question is why they migrate`.
    """
    tells = read.act in UNMEANT or read.act == "statement"
    is_sure = read.wants["change"] <= _UNLIKELY and read.act_chance >= _CLEAR
    return tells and is_sure and is_judged(read)


def asks_for_answer(read: Reading) -> bool:
    """Tell whether the reader is sure that an answer is wanted."""
    asks = read.act in ("question", "request", "command") and read.act_chance >= _SURE
    is_of_us = read.control != "-"  # such as why something was done
    return asks and not is_of_us and read.wants["info"] >= _CLEAR and is_judged(read)


def is_judged(read: Reading) -> bool:
    """Tell whether a message has a length that the reader has learned to judge."""
    return _FEWEST <= len(read.tags) <= MOST


def limits_in(
    reading: ParsedUtterance,
    read: Reading,
    action: Action,
    filled: FilledSlots,
    found: Sequence[Uncovered],
) -> tuple[Uncovered, ...]:
    """Give the limits that the reader tags, no slot took and `found` does not name, in order.

    A time, a condition, an exception, an amount or a manner narrows what is asked for.
    """
    words, known = reading.normal.words, _words_of(action, filled)
    named = {word for one in found for word in words_of(one.text)}
    limits = []
    for first, end in _phrases(read):
        rest = [
            at for at in range(first, end) if at not in filled.places and not _is_little(words[at])
        ]
        said = {words[at] for at in rest}
        is_taken = not filled.places.isdisjoint(range(first, end))
        if not rest or is_taken or said <= known or said & named or said <= _POINTS:
            continue
        begins = first
        while begins and words[begins - 1] in _LINKS and read.tags[begins - 1] == "-":
            begins -= 1
        tokens = reading.normal.tokens
        text = reading.normal.written(tokens[begins].start, tokens[end - 1].end)
        limits.append(Uncovered(text=text, narrows=True, attaches=True))
    return tuple(limits)


def _phrases(read: Reading) -> Iterator[tuple[int, int]]:
    """Give the runs of words with tags of limits."""
    first: int | None = None
    for place, tag in enumerate((*read.tags, "-")):
        if tag in LIMITS and first is None:
            first = place
        if tag not in LIMITS and first is not None:
            yield first, place
            first = None


def _words_of(action: Action, filled: FilledSlots) -> Set[str]:
    spoken = {word for value in filled.values.values() for word in words_of(str(value))}
    return spoken | {*words_of(action.name), *words_of(action.summary)}


def _is_little(word: str) -> bool:
    return word in FUNCTION_WORDS or word in _LINKS or word in UNITS
