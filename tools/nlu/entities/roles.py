"""Assign semantic roles to entity types: the object, its container and the target."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from state.action import Action
from tools.nlu.entities.names import PackEntityType
from tools.nlu.entities.recognition import Mention
from tools.nlu.lexicon.normalization import Normal, Phrases, with_plural, word_set, words_of

_INTO = word_set("to into in inside onto on under within against")
_ABOUT = word_set("for of from about with at by between per regarding")
KNOWN_ENTITY = 0.9
_SKIPPED = word_set("the a an this that my our your its new next current open existing")


@dataclass(frozen=True)
class RoleMention:
    """An object named at words `first` to `end`: by its own name, or by one of its kind."""

    name: str
    first: int
    end: int
    preposition: str
    strength: float
    """1: by its full name, .9: by a known thing of its kind, .7: by its last word, .6: vaguely."""


@dataclass(frozen=True)
class Roles:
    """The objects of a clause by role."""

    targets: tuple[RoleMention, ...] = ()
    containers: tuple[RoleMention, ...] = ()
    others: tuple[RoleMention, ...] = ()

    @property
    def all(self) -> tuple[RoleMention, ...]:
        """List them all."""
        return (*self.targets, *self.containers, *self.others)


class RoleFinder:
    """Knows the names of every object, container and entity type of a catalogue."""

    def __init__(
        self, actions: Iterable[Action], kinds: Iterable[tuple[PackEntityType, Sequence[str]]]
    ) -> None:
        self.names: Phrases[str] = Phrases()
        self._heads: Phrases[str] = Phrases()
        listed = list(actions)
        objects = {action.object for action in listed}
        objects |= {action.container for action in listed if action.container is not None}
        for name in sorted(objects):
            self._add(name, name)
        for kind, other_names in kinds:
            for name in (kind.type, *other_names):
                self._add(kind.type, name)
        self._add_heads(objects)

    def _add(self, thing: str, name: str) -> None:
        words = words_of(name)
        if words:
            for form in with_plural(words):
                self.names.add(form, thing)

    def _add_heads(self, objects: Iterable[str]) -> None:
        """Let the last word of a long name stand for it where no other name ends so."""
        heads: dict[str, list[str]] = {}
        for name in objects:
            *front, head = words_of(name) or ("",)
            if front:
                heads.setdefault(head, []).append(name)
        for head, names in heads.items():
            if len(names) == 1 and self.names.at((head,), 0) is None:
                for form in with_plural((head,)):
                    self._heads.add(form, names[0])

    def named(self, words: Sequence[str]) -> frozenset[int]:
        """Tell which words name an object in full with more than one word: they are no verbs."""
        return frozenset(
            place
            for match in self.names.find(words)
            if match.end - match.first > 1
            for place in range(match.first, match.end)
        )

    def kinds(self, words: Sequence[str]) -> dict[range, frozenset[str]]:
        """Find where kinds of things are named; `handover export` is one place of two."""
        found: dict[range, frozenset[str]] = {}
        last: range | None = None
        for match in self.names.find(words):
            names = frozenset(match.payloads)
            first = match.first
            if last is not None and last.stop == first:
                names, first = names | found.pop(last), last.start
            last = range(first, match.end)
            found[last] = names
        return found

    def heading(self, normal: Normal) -> frozenset[int]:
        """Tell which words name an object before a colon: `handover: delete line 2`."""
        before, colon, _rest = normal.text.partition(":")
        words = words_of(before) if colon else ()
        found = self.names.at(words, 0) if words else None
        if found is None or found.end < len(words):
            return frozenset()
        return frozenset(range(found.end))

    def find(
        self,
        words: Sequence[str],
        places: Sequence[int],
        mentions: Sequence[Mention],
        verb_first: int,
    ) -> Roles:
        """Sort what the words at `places` name into roles; a verb is no thing."""
        found = self._found(words, frozenset(places), mentions, verb_first)
        targets: list[RoleMention] = []
        containers: list[RoleMention] = []
        others: list[RoleMention] = []
        for place, thing in enumerate(found):
            previous = found[place - 1] if place else None
            if thing.preposition in _INTO:
                containers.append(thing)
            elif thing.preposition in _ABOUT:
                others.append(thing)
            elif previous is not None and previous.end == thing.first:
                self._beside(thing, previous, targets, containers, others)
            else:
                targets.append(thing)
        return Roles(tuple(targets), tuple(containers), tuple(others))

    def _beside(
        self,
        thing: RoleMention,
        previous: RoleMention,
        targets: list[RoleMention],
        containers: list[RoleMention],
        others: list[RoleMention],
    ) -> None:
        """Let a name right behind another share its role, as in `work order WO-1042`."""
        role = next(role for role in (containers, others, targets) if previous in role)
        role.append(thing)

    def _found(
        self,
        words: Sequence[str],
        places: frozenset[int],
        mentions: Sequence[Mention],
        verb_first: int,
    ) -> list[RoleMention]:
        def is_free(place: int) -> bool:
            return place in places and place != verb_first

        found: dict[tuple[int, int, str], RoleMention] = {}
        for mention in mentions:
            if mention.first in places:
                key = (mention.first, mention.end, mention.kind.type)
                found[key] = RoleMention(
                    mention.kind.type,
                    mention.first,
                    mention.end,
                    _preposition(words, mention.first),
                    KNOWN_ENTITY if mention.is_known else 0.6,
                )
        for names, strength in ((self.names, 1.0), (self._heads, 0.7)):
            for match in names.find(words, is_free):
                for name in match.payloads:
                    key = (match.first, match.end, name)
                    if strength == 1.0 or not any(
                        thing.first <= match.first < thing.end for thing in found.values()
                    ):
                        found[key] = RoleMention(
                            name,
                            match.first,
                            match.end,
                            _preposition(words, match.first),
                            max(strength, found[key].strength if key in found else 0.0),
                        )
        return sorted(found.values(), key=lambda thing: (thing.first, -thing.end))


def _preposition(words: Sequence[str], first: int) -> str:
    """Name the preposition before a thing, past articles and one describing word."""
    skipped = 0
    for place in range(first - 1, max(-1, first - 4), -1):
        word = words[place]
        if word in _INTO or word in _ABOUT:
            return word
        if word not in _SKIPPED:
            skipped += 1
            if skipped > 1:
                break
    return ""
