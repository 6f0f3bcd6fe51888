"""Words and verbs of a text that speak against the action it seems to ask for."""

from collections.abc import Sequence
from itertools import pairwise
from typing import NamedTuple

import numpy as np

from state.action import Action
from tools.nlu.intents.utterance import ParsedUtterance
from tools.nlu.lexicon.action_index import Effects, Marks
from tools.nlu.lexicon.cue_phrases import COURTESY, DETERMINERS, FUNCTION_WORDS, LEAD
from tools.nlu.lexicon.normalization import Token, plural, singular
from tools.nlu.lexicon.politeness import REQUEST
from tools.nlu.lexicon.spelling import guessed
from tools.nlu.lexicon.verbs import READ_FAMILIES, Nature, Verb, bases, groups_of

_FREE = ("text", "list")
_LEAST_EXAMPLES = 50
_ASKS_WHICH = frozenset({"what", "which", "how"})
_ASKS_WHETHER = frozenset({"is", "are", "was", "were", "do", "does", "did"})
_OF_DEGREE = frozenset({"much", "often", "long", "far"})
"""Behind `how` these ask about what is done: weighing in `how much does it weigh`."""
_ASKS_OTHERWISE = frozenset({"you", "there", "i", "we", "any"})
"""Behind `do` and `is` these ask for something by other words than the last one."""


class KeyWords(NamedTuple):
    """What a text turns on; None where grammar or a thing stands."""

    first: str | None
    last: str | None
    asked: str | None = None
    """What a question is about: a colour in `what colour is it`, old in `is the pump old`."""


def turns_on_stranger(reading: ParsedUtterance, action: Action, effects: Effects) -> bool:
    """Tell `bless the alarms` and `sing about my notes` by the first word.

    What comes later may be anything: judged by the last word too, of 150 intents with ten examples
    each .39 of what is asked would run, and not .6. An action that takes free words is never judged
    so, and one with too few examples to have shown its words by those of the whole catalogue. But
    what a question turns on, the action itself must have: `how heavy is my bank balance?`.
    """
    takes_words = any(slot.type in _FREE and not slot.choices for slot in action.slots.values())
    if takes_words:
        return False
    first, _last, asked = _key_words(reading)
    if asked is not None and not said_with(asked, effects)[effects.places[action.name]]:
        return True
    if first is None:
        return False
    if first in guessed(reading.slips):
        return True
    said = said_with(first, effects)
    has_shown = len(action.examples) >= _LEAST_EXAMPLES or _names_new(reading)
    return not (said[effects.places[action.name]] if has_shown else said.any())


def turns_strangely(reading: ParsedUtterance, effects: Effects) -> Marks:
    """Mark the changes that no text asks for by the first word of this order, a verb of nobody's.

    Not by the last one too: what is to be changed is said in more words than anyone can list. A
    change that takes no slot leaves nothing to say: `flush my collection down the toilet`.
    """
    marks = effects.nothing()
    if reading.act.mood not in ("command", "request") or reading.verb is not None:
        return marks
    first, last, _asked = _key_words(reading)
    for word, among in ((first, effects.is_write), (last, effects.is_write & effects.is_bare)):
        if word is not None:
            marks |= among & ~said_with(word, effects)
    return marks


def _names_new(reading: ParsedUtterance) -> bool:
    """Tell `name a star after the list`: who names what is none of ours lists nothing."""
    verb = reading.verb
    if verb is None or verb.base != "name":
        return False
    behind = reading.normal.tokens[verb.end : verb.end + 1]
    return any(token.text in ("a", "an") for token in behind)


def _key_words(reading: ParsedUtterance) -> KeyWords:
    """Find the first and the last word of what is asked that name no thing and no grammar."""
    tokens = reading.normal.tokens
    named = {place for one in reading.mentions for place in range(one.first, one.end)}
    named |= {place for one in reading.things.all for place in range(one.first, one.end)}
    if reading.verb is not None and READ_FAMILIES.intersection(reading.verb.families):
        named |= set(range(reading.verb.first, reading.verb.end))
    first = reading.asked.start + led_by(tokens[reading.asked.start : reading.asked.stop])
    places = [
        place
        for place in range(first, min(reading.asked.stop, len(tokens)))
        if (place not in named or tokens[place].text in _ASKS_WHICH)
        and tokens[place].text.isalpha()
    ]
    own = [tokens[place].text for place in places]
    content = [word for word in own if word not in FUNCTION_WORDS]
    if not content:
        return KeyWords(None, None)
    asked = _asked_of(own, content) if reading.act.mood == "question" else None
    # `name a star after it`, `tell me a joke`: what is to be given is asked for, as a verb is.
    is_given = reading.verb is not None and (reading.verb.is_light or reading.verb.nature == "read")
    skipped = 1 if is_given and own[0] in ("a", "an") else 0
    is_first = own[skipped : skipped + 1] == content[:1]
    opening = _whole(reading, places[skipped]) if is_first else None
    return KeyWords(opening, content[-1], asked)


def _whole(reading: ParsedUtterance, place: int) -> str:
    """Give a word with what a hyphen joins to it: `x-ray`."""
    first, *following = reading.normal.tokens[place : place + 2]
    joined = [one for one in following if reading.normal.text[first.end : one.start] == "-"]
    return "-".join(token.text for token in (first, *joined))


def _asked_of(own: Sequence[str], content: Sequence[str]) -> str | None:
    """Find the word that a question turns on, where its form tells which one that is."""
    for first, second in pairwise(own[:3]):
        if first in _ASKS_WHICH and second == content[0]:
            return second
    if own[0] == "how" and own[1] in _OF_DEGREE and _ASKS_OTHERWISE.isdisjoint(own):
        return content[-1]
    is_whether = own[0] in _ASKS_WHETHER and _ASKS_OTHERWISE.isdisjoint(own[1:2])
    return content[-1] if is_whether else None


def led_by(tokens: tuple[Token, ...]) -> int:
    """Count the words of greeting, politeness and request in front."""
    words = [token.text for token in tokens]
    lead = LEAD.match(" ".join(words))
    led = len(lead[0].split()) if lead else 0
    request = REQUEST.match(" ".join(words[led:]))
    return led + (len(request[0].split()) if request else 0)


def said_with(word: str, effects: Effects) -> Marks:
    """Mark the actions whose entry or examples hold a word in some form, and all its parts."""
    if "-" in word:
        parts = [said_with(part, effects) for part in word.split("-") if part]
        return np.all(parts, axis=0) if parts else effects.nothing()
    return effects.marked(effects.said_with, {word, singular(word), plural(word), *bases(word)})


_LOOKS = READ_FAMILIES | groups_of(("download",))
"""Families, and the group of downloading, of what brings something to whoever asks."""
_MAKES = ("create", "add")
"""Families of what makes something, which one gets: `get me oil filters` orders some."""
_AROUND = COURTESY | DETERMINERS | {"of", "on", "for"}


def clashes(reading: ParsedUtterance, effects: Effects) -> Marks:
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


def named_by_another_verb(reading: ParsedUtterance, effects: Effects) -> Marks:
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


def _names_all(reading: ParsedUtterance, verb: Verb) -> bool:
    """Tell `get TSK-104` from `get TSK-104 closed` and `get the report out`."""
    named = {at for one in reading.mentions for at in range(one.first, one.end)}
    named |= {at for one in reading.things.all for at in range(one.first, one.end)}
    behind = range(verb.end, reading.asked.stop)
    words = reading.normal.words
    is_named = not named.isdisjoint(behind)
    return is_named and all(place in named or words[place] in _AROUND for place in behind)


def opened_strangely(reading: ParsedUtterance, effects: Effects) -> Marks:
    """Mark actions that no example asks for by the verb of an order that no family has.

    `weigh the list` and `frame my reservation` are said with words that other actions are asked by.
    """
    nothing = effects.nothing()
    opening = reading.act.ask.opening if reading.act.ask is not None else ""
    if not opening or reading.verb is not None:
        return nothing
    return ~effects.opened_with.get(opening, nothing)


def is_asked_by_change(reading: ParsedUtterance, best: Action, effects: Effects) -> bool:
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
