"""Tell whether what happened is the event that a reminder waits for, in whatever words.

Two texts mean the same where their vectors are close and nothing speaks against it: another state
of the thing, a denial, something to come, a name that is missing, another thing.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cache, lru_cache
from importlib.resources import files

import yaml

from state.errors import EncoderUnavailable
from tools.adapters import Embedder, Vectors
from tools.nlu import matches_topic
from tools.nlu.lexicon.antonyms import has_antonyms
from tools.nlu.lexicon.normalization import word_set
from tools.platform.process_resources import LRUCache

# Measured on 234 pairs of a condition and an event, 131 of them near misses, in
# tests/tools/memory/event_pairs.tsv: 79 of 103 matches are found, with two near misses. Of the
# last 31, which nobody saw before, 12 of 15, with one of 16.
_ALIKE = 0.72
"""Cosine of an event that tells no state which we know."""
_SAME_STATE = 0.45
"""Cosine of an event that tells the state which is waited for."""
_SAME_THING = 0.66
"""The same, where each text names a thing of its own which the other lacks."""
_LEFT_ALIKE = 0.45
"""Cosine of what is left of two texts without the words they share: `laundry`, `washing`."""
_MOST_KNOWN = 1_000
"""Vectors that are kept of conditions, and of events: of a kilobyte and a half each."""
_LONGEST = 400
"""Characters of an event that are compared."""
_NEGATIONS = word_set("no not never none nobody nothing without cannot")
_TO_COME = re.compile(
    r"\b(?:on (?:her|his|their|its|the|my) way|soon|will|expected|remaining|minutes? (?:left|to go)"
    r"|in (?:\w+ )?(?:seconds?|minutes?|hours?)|yet|still|almost|nearly|scheduled|queued|delayed"
    r"|late|forecast|going to|about to|if|might|may|should|postponed|cancell?ed|tomorrow|need"
    r"|needs|overdue)\b"
)
"""In an event it says that the thing is not so now."""
_FUNCTION = word_set(
    "the a an is are was were has have had it its my your our his her their of in at on to and be"
    " been just got gets get some someone somebody we you i he she they"
)
_WORD = re.compile(r"[^\W_]+")
_ENDINGS = ("ing", "ed", "es", "s")


@cache
def _states() -> Sequence[Sequence[frozenset[str]]]:
    read = yaml.safe_load(files(__package__).joinpath("event_states.yaml").read_text("utf-8"))
    return [[frozenset(line.split()) for line in map(str, kind)] for kind in read.values()]


@cache
def _state_words() -> frozenset[str]:
    return frozenset().union(*(state for kind in _states() for state in kind))


def _vectors() -> LRUCache[Vectors]:
    return LRUCache(_MOST_KNOWN)


@dataclass(frozen=True)
class EventMatcher:
    """Compares conditions with events; without an encoder by words alone."""

    embedder: Embedder | None
    _conditions: LRUCache[Vectors] = field(default_factory=_vectors, init=False, compare=False)
    _events: LRUCache[Vectors] = field(default_factory=_vectors, init=False, compare=False)
    """Apart: a stream of events displaces no condition."""

    def matches(self, condition: str, event: str) -> bool:
        """Tell whether an event is what a condition names. It blocks while texts are embedded."""
        event = _plain(event)[:_LONGEST]
        condition = _plain(condition)
        if _is_contradicted(condition, event):
            return False
        is_same = _compared_states(condition, event)[0]
        if not is_same and _must_be_told(condition):
            return False
        try:
            whole = self._cosine(self._conditions, condition, event)
            if whole is None:
                return matches_topic(condition, event)
            if not is_same:
                return whole >= _ALIKE
            if not _SAME_STATE <= whole < _SAME_THING:
                return whole >= _SAME_THING
            left = _left(condition, event), _left(event, condition)
            alike = self._cosine(self._events, *left) if all(left) else None
            return alike is None or alike >= _LEFT_ALIKE
        except EncoderUnavailable:
            return matches_topic(condition, event)

    def _cosine(self, kept: LRUCache[Vectors], one: str, other: str) -> float | None:
        if (encoder := self.embedder) is None:
            return None
        first = kept.get(one, lambda: encoder.embed([one])[0])
        second = self._events.get(other, lambda: encoder.embed([other])[0])
        return float(first @ second)


def excludes(wanted: str, event: str) -> bool:
    """Tell whether an event tells a state that excludes the one that some words ask for."""
    return _compared_states(_plain(wanted), _plain(event))[1]


def _is_contradicted(condition: str, event: str) -> bool:
    """Tell whether an event says that it is not so, not yet, or of somebody else."""
    wanted, said = _words(condition), _words(event)
    if bool(wanted & _NEGATIONS) != bool(said & _NEGATIONS):
        return True
    if _TO_COME.search(event.lower()) and not _TO_COME.search(condition.lower()):
        return True
    if not _names(condition) <= said or _compared_states(condition, event)[1]:
        return True
    return has_antonyms(condition, event) and not _compared_states(condition, event)[0]


@lru_cache(maxsize=1024)
def _compared_states(condition: str, event: str) -> tuple[bool, bool]:
    """Tell whether two texts share a state, and whether the event tells one that excludes it."""
    wanted, said = _words(condition), _words(event)
    is_same = is_other = False
    for kind in _states():
        needed = {place for place, state in enumerate(kind) if state & wanted}
        told = {place for place, state in enumerate(kind) if state & said}
        new = {place for place, state in enumerate(kind) if state & (said - wanted)}
        is_same = is_same or bool(needed & told)
        is_other = is_other or bool(needed and new - needed and not new & needed)
    return is_same, is_other


def _must_be_told(condition: str) -> bool:
    """Tell whether a condition is an end of something: what only names the thing is not that."""
    wanted = _words(condition)
    told = [[bool(state & wanted) for state in kind] for kind in _states()]
    return any(any(kind[1:]) for kind in told) and not any(kind[0] for kind in told)


def _left(text: str, other: str) -> str:
    """Give the words for things that the other text lacks."""
    shared = {_stem(word) for word in _words(other)}
    own = (word for word in _WORD.findall(text.lower()) if _is_thing(word))
    return " ".join(word for word in own if _stem(word) not in shared)


def _is_thing(word: str) -> bool:
    return word not in _FUNCTION and word not in _NEGATIONS and word not in _state_words()


def _names(text: str) -> frozenset[str]:
    """List the words that are written with a capital; behind the first word that is a name."""
    found = _WORD.findall(text)
    return frozenset(word.lower() for word in found if word[0].isupper() and not word.isupper())


def _stem(word: str) -> str:
    for ending in _ENDINGS:
        if word.endswith(ending) and len(word) > len(ending) + 2:
            return word.removesuffix(ending)
    return word


def _words(text: str) -> frozenset[str]:
    return frozenset(_WORD.findall(text.lower()))


def _plain(text: str) -> str:
    text = re.sub(r"n['’]t\b", " not", text)
    return " ".join(text.split())
