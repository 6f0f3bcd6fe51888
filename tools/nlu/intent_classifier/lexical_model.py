"""Score each action by the verb, objects and entities that a text names; nothing is learnt."""

from collections.abc import Iterable, Mapping, Sequence, Set
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from state.action import PRIMITIVE_SLOT_TYPES, Action
from tools.nlu.entities.roles import Roles
from tools.nlu.intent_classifier.features import Floats, Places
from tools.nlu.lexicon.normalization import plural, singular, word_set, words_of
from tools.nlu.lexicon.verbs import READ_FAMILIES, Verb, family_of, groups_of

_POWERS = np.array([[0.35], [0.3], [0.15], [0.12], [0.08]], np.float32)
"""Weight of verb, object, container, telling words and slots in the geometric mean."""
_STOP = word_set("to in on of for the a an and or with by from")


class Evidence(NamedTuple):
    """What a text shows, for the lexical pass."""

    words: Sequence[str]
    verb: Verb | None
    other_verbs: Sequence[Verb]
    implied_family: str | None
    """What a question, or words told behind a colon, ask for without a verb."""
    things: Roles
    kinds: frozenset[str]
    """Entity types named in the text."""


class LexicalPass:
    """Scores every action, 0 to 1, from the catalogue's words alone; no example is needed."""

    def __init__(self, actions: Sequence[Action]) -> None:
        self.actions = actions
        self.places = {action.name: place for place, action in enumerate(actions)}
        self._families = [family_of(action.verb) for action in actions]
        self._objects = _places(action.object for action in actions)
        self._containers = _places(action.container for action in actions)
        self._has_container = np.array([action.container is not None for action in actions], bool)
        self._of_none = np.where(self._has_container, 0.35, 0.95).astype(np.float32)
        self._of_some = np.where(self._has_container, 0.1, 0.4).astype(np.float32)
        self._type_places = _inverted([{s.type for s in a.slots.values()} for a in actions])
        needed = [
            {
                slot.type
                for slot in action.slots.values()
                if slot.required and slot.type not in PRIMITIVE_SLOT_TYPES
            }
            for action in actions
        ]
        self._needed = _Said.of(needed, nothing=0.8, unsaid=0.4)
        self._cues = _Said.of([_cues(each) for each in actions], nothing=0.6, unsaid=0.3)
        self._is_reading = np.array([family in READ_FAMILIES for family in self._families])
        self._of_family = _indexed(_places(self._families))
        self._of_group = _indexed(_inverted([groups_of((*a.words, a.verb)) for a in actions]))
        is_worded = np.array([bool(action.words) for action in actions], bool)
        self._of_change = np.where(is_worded, 0.3, 0.6).astype(np.float32)

    def scores(self, evidence: Evidence) -> Floats:
        """Score the actions: (actions,)."""
        parts = np.empty((len(_POWERS), len(self.actions)), np.float32)
        parts[0] = self._verb(evidence)
        parts[1] = self._object(evidence.things)
        parts[2] = self._container(evidence.things)
        parts[3] = self._cue(evidence)
        parts[4] = self._slots(evidence.kinds)
        scores: Floats = np.exp((np.log(parts) * _POWERS).sum(axis=0))
        return scores

    def _verb(self, evidence: Evidence) -> Floats:
        verb = evidence.verb
        scores = self._family(evidence)
        for other in evidence.other_verbs:
            for action in other.actions:
                scores[self.places[action]] = max(scores[self.places[action]], 0.6)
        if verb is not None:
            for group in verb.groups & self._of_group.keys():
                places = self._of_group[group]
                scores[places] = np.maximum(scores[places], 0.8)
            for action in verb.actions:
                scores[self.places[action]] = 1.0
        return scores

    def _family(self, evidence: Evidence) -> Floats:
        """Score by family alone; one that an entry's own words do not have says little."""
        verb = evidence.verb
        implied = {evidence.implied_family} if evidence.implied_family is not None else set()
        families = set(verb.families) if verb is not None else implied
        if not families:
            return np.full(len(self.actions), 0.35, np.float32)
        scores = np.full(len(self.actions), 0.05, np.float32)
        if families & READ_FAMILIES:
            scores[self._is_reading] = 0.4
        for family in families & self._of_family.keys():
            places = self._of_family[family]
            is_plain = family in READ_FAMILIES or verb is None
            scores[places] = 0.75 if is_plain else self._of_change[places]
        return scores

    def _object(self, things: Roles) -> Floats:
        count = len(self.actions)
        if not things.all:
            return np.full(count, 0.3, np.float32)
        scores = np.full(count, 0.08, np.float32)
        for role, worth in ((things.others, 0.45), (things.containers, 0.35), (things.targets, 1)):
            for thing in role:
                for place in self._objects.get(thing.name, ()):
                    scores[place] = max(scores[place], worth * thing.strength)
        for thing in things.containers:  # `add it to the handover`: whatever goes there may go
            places = list(self._containers.get(thing.name, ()))
            scores[places] = np.maximum(scores[places], 0.55)
        named = {thing.name for thing in things.all}
        for kind in named & self._type_places.keys():
            places = list(self._type_places[kind])
            scores[places] = np.maximum(scores[places], 0.4)
        return scores

    def _container(self, things: Roles) -> Floats:
        containers = [thing for thing in things.containers if thing.name in self._containers]
        if not containers:
            scores = self._of_none.copy()
            for thing in things.targets:
                for place in self._containers.get(thing.name, ()):
                    scores[place] = max(scores[place], 0.5)
            return scores
        scores = self._of_some.copy()
        for thing in containers:
            for place in self._containers.get(thing.name, ()):
                scores[place] = 1.0
            fitting = {*self._type_places.get(thing.name, ()), *self._objects.get(thing.name, ())}
            for place in fitting:
                if not self._has_container[place]:
                    scores[place] = max(scores[place], 0.9)
        return scores

    def _cue(self, evidence: Evidence) -> Floats:
        return self._cues.scores({*evidence.words, *map(singular, evidence.words)})

    def _slots(self, kinds: frozenset[str]) -> Floats:
        return self._needed.scores(kinds)


def _places(names: Iterable[str | None]) -> Mapping[str, tuple[int, ...]]:
    places: dict[str, list[int]] = {}
    for place, name in enumerate(names):
        if name is not None:
            places.setdefault(name, []).append(place)
    return {name: tuple(found) for name, found in places.items()}


def _indexed(places: Mapping[str, Sequence[int]]) -> Mapping[str, Places]:
    return {name: np.array(found, np.int64) for name, found in places.items()}


def _inverted(sets: Sequence[Set[str]]) -> Mapping[str, tuple[int, ...]]:
    places: dict[str, list[int]] = {}
    for place, members in enumerate(sets):
        for member in members:
            places.setdefault(member, []).append(place)
    return {member: tuple(found) for member, found in places.items()}


@dataclass(frozen=True)
class _Said:
    """Scores each action by how much of what it has was said."""

    places: Mapping[str, Places]
    counts: Floats
    """(actions,) how many words, or kinds of things, each one has; 1 where it has none."""
    has_none: npt.NDArray[np.bool_]
    nothing: float
    """What one is worth that has nothing to be said."""
    unsaid: float
    """What one is worth of which nothing is said; all of it is worth 1."""

    @classmethod
    def of(cls, members: Sequence[Set[str]], *, nothing: float, unsaid: float) -> "_Said":
        counts = np.array([len(own) for own in members], np.float32)
        return cls(
            _indexed(_inverted(members)), np.maximum(counts, 1), counts == 0, nothing, unsaid
        )

    def scores(self, said: Set[str]) -> Floats:
        """Score the actions: (actions,)."""
        found = np.zeros(len(self.counts), np.float32)
        for word in said & self.places.keys():
            found[self.places[word]] += 1
        scores: Floats = self.unsaid + (1 - self.unsaid) * found / self.counts
        np.copyto(scores, self.nothing, where=self.has_none)
        return scores


def _cues(action: Action) -> frozenset[str]:
    """Find the words of an action's name and object that set it apart."""
    known = set(words_of(action.verb)) | _STOP
    for phrase in action.words:
        known |= set(words_of(phrase))
    words = {*words_of(action.name), *words_of(action.object)} - known
    return frozenset(singular(word) for word in words if plural(word))
