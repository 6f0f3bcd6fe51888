"""Verbs and their families: what kind of doing does a word ask for?"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property, lru_cache
from itertools import groupby
from typing import Literal, NamedTuple

from state.action import Action
from tools.routing.words.families import (
    FAMILIES,
    GROUPS_OF_PHRASE,
    LIGHT_VERBS,
    MERE_WAITING,
    READ_FAMILIES,
    WRITE_FAMILIES,
    family_of_group,
    grouped_phrases,
)
from tools.routing.words.normalise import words_of
from tools.routing.words.phrases import Match, Phrases
from tools.routing.words.verb_forms import Form, inflected

Nature = Literal["read", "write", "either"]

_REMEMBERED = 4_096


@dataclass(frozen=True)
class Sense:
    """What a verb phrase stands for: a family, and the action that names the phrase itself."""

    family: str
    action: str | None = None
    group: str | None = None


class Verb(NamedTuple):
    """A verb phrase found at words `first` to `end`."""

    first: int
    end: int
    phrase: str
    families: tuple[str, ...]
    actions: frozenset[str]
    """Actions whose pack entry names this phrase."""
    groups: frozenset[str]
    """Groups of synonyms that it belongs to."""
    nature: Nature
    form: Form
    base: str
    """The phrase with its verb in the base form: `pull up` of `pulling up`."""

    @property
    def is_light(self) -> bool:
        """Tell `get` and `getting`, which say little by themselves, from `got`."""
        return _is_light(self.base, self.form)


_Meaning = tuple[
    str, tuple[str, ...], frozenset[str], frozenset[str], Nature, Form, str
]  # of a `Verb`, all but its place


@dataclass
class VerbLexicon:
    """All verb phrases: the common ones, and those of the catalogue."""

    natures: Mapping[str, Nature]
    """Action → read or write, from its effect."""
    objects: frozenset[str] = frozenset()
    """What the actions are done to."""
    phrases: Phrases[Sense] = field(default_factory=Phrases)
    forms: dict[str, tuple[str, Form]] = field(default_factory=dict)
    _meant: dict[tuple[tuple[str, ...], str, Form], _Meaning] = field(
        default_factory=dict, repr=False, compare=False
    )
    """What has been said, and means: never more than all phrases in all their forms."""

    @classmethod
    def of(cls, actions: Iterable[Action]) -> "VerbLexicon":
        """Compile the lexicon of a catalogue."""
        listed = list(actions)
        natures: dict[str, Nature] = {
            action.name: "read" if action.effect == "read" else "write" for action in listed
        }
        lexicon = cls(natures, frozenset(action.object for action in listed))
        for phrase, group in grouped_phrases():
            lexicon.phrases.add(words_of(phrase), Sense(family_of_group(group), group=group))
        for action in listed:
            family = family_of(action.verb)
            for phrase in (*action.words, action.verb):
                sense = Sense(family, action.name if phrase in action.words else None)
                lexicon.phrases.add(words_of(phrase), sense)
        opposites = [one for one in _undoing(listed) if lexicon.phrases.at([one[0]], 0) is None]
        for word, taker in opposites:
            lexicon.phrases.add([word], Sense(family_of(taker.verb), taker.name))
        for word in lexicon.phrases.openings():
            lexicon.forms.update(inflected(word))
        return lexicon

    def at(self, words: Sequence[str], first: int) -> Verb | None:
        """Find a verb phrase that begins at one word, in any form."""
        if first >= len(words) or words[first] not in self.openings:
            return None
        if tuple(words[first : first + 2]) in MERE_WAITING:
            return None
        match = self.phrases.at(words, first)
        if match is not None:
            return self._verb(words, match, words[first], "base")
        if words[first] not in self.forms:
            return None
        base, form = self.forms[words[first]]
        match = self.phrases.at([*words[:first], base, *words[first + 1 : first + 5]], first)
        return self._verb(words, match, base, form) if match is not None else None

    @cached_property
    def openings(self) -> frozenset[str]:
        """Collect the words one of which begins a verb phrase, in any form."""
        return frozenset(self.phrases.openings() | self.forms.keys())

    @cached_property
    def by_letter(self) -> Mapping[str, Sequence[str]]:
        """Sort the verbs of one word by their first letter."""
        words = sorted(self.phrases.single())
        return {letter: tuple(own) for letter, own in groupby(words, lambda word: word[0])}

    def stands_for(self, verb: Verb, phrase: Sequence[str]) -> Verb | None:
        """Read a verb as the phrase it makes with words further on; None: nobody has that one."""
        match = self.phrases.at(phrase, 0)
        if match is None or match.end < len(phrase):
            return None
        found = self._verb(phrase, match, phrase[0], verb.form)
        return found._replace(first=verb.first, end=verb.end)

    def find(self, words: Sequence[str], is_free: Callable[[int], bool]) -> list[Verb]:
        """Find all verb phrases, from left to right."""
        found = []
        openings, place = self.openings, 0
        while place < len(words):
            may_begin = words[place] in openings and is_free(place)
            verb = self.at(words, place) if may_begin else None
            if verb is not None:
                found.append(verb)
            place = verb.end if verb is not None else place + 1
        return found

    def _verb(self, words: Sequence[str], match: Match[Sense], base: str, form: Form) -> Verb:
        said = tuple(words[match.first : match.end])
        meant = self._meant.get((said, base, form))
        if meant is None:
            meant = self._meant[said, base, form] = self._meaning(said, match.payloads, base, form)
        return Verb(match.first, match.end, *meant)

    def _meaning(
        self, said: Sequence[str], senses: Sequence[Sense], base: str, form: Form
    ) -> _Meaning:
        actions = frozenset(sense.action for sense in senses if sense.action is not None)
        families = tuple(dict.fromkeys(sense.family for sense in senses))
        natures = {self.natures[action] for action in actions}
        natures |= {_nature_of(family) for family in families}
        natures -= {"either"} if actions else set()
        whole = " ".join((base, *said[1:]))
        is_clear = len(natures) == 1 and not _is_light(whole, form)
        nature = natures.pop() if is_clear else "either"
        groups = frozenset(sense.group for sense in senses if sense.group is not None)
        return " ".join(said), families, actions, groups, nature, form, whole


def _undoing(actions: Sequence[Action]) -> list[tuple[str, Action]]:
    """Give `uncancel` for what undoes a cancelling, and for all that is asked for by its words."""
    named = {action.name: action for action in actions}
    return [
        (f"un{word}", taker)
        for action in actions
        if action.undo in named and action.undo != action.name
        for taker in actions
        if not set(named[action.undo].words).isdisjoint(taker.words) and taker != action
        for word in action.words
        if word.isalpha()
    ]


@lru_cache(_REMEMBERED)
def family_of(verb: str) -> str:
    """Name the family of a pack's verb; an unknown verb is a family of its own."""
    words = " ".join(words_of(verb))
    groups = GROUPS_OF_PHRASE.get(words)
    return words if words in FAMILIES or groups is None else family_of_group(groups[0])


def groups_of(phrases: Iterable[str]) -> frozenset[str]:
    """Name the groups of synonyms that some phrases belong to."""
    return frozenset(
        group
        for phrase in phrases
        for group in GROUPS_OF_PHRASE.get(" ".join(words_of(phrase)), ())
    )


def _is_light(base: str, form: Form) -> bool:
    return form != "past" and base in LIGHT_VERBS


def _nature_of(family: str) -> Nature:
    if family in READ_FAMILIES:
        return "read"
    return "write" if family in WRITE_FAMILIES else "either"
