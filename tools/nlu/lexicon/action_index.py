"""Index the actions of a catalogue by verb, word and effect.

`Wording` is read from entries and examples and cached in a file by content key.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence, Set
from dataclasses import dataclass
from functools import lru_cache
from itertools import chain, pairwise
from pathlib import Path

import numpy as np
import numpy.typing as npt
from pydantic import TypeAdapter, ValidationError

from state.action import Action
from tools.nlu.lexicon.cue_phrases import DETERMINERS, FUNCTION_WORDS, NO_VERBS, PREPOSITIONS
from tools.nlu.lexicon.normalization import words_of
from tools.nlu.lexicon.verbs import (
    FAMILIES,
    READ_FAMILIES,
    Form,
    Verb,
    VerbLexicon,
    family_of,
    family_of_group,
    groups_of,
    inflected,
    join_particles,
)
from tools.platform.process_resources import cached_reader, write_atomically

_ARTICLES = frozenset({"a", "an", "the"})
_ASKS = frozenset({"please", "to", "and", "you", "just", "then", "now", "also", "kindly"})
"""Words behind which a verb is asked, as the first word of a text is."""
_REMEMBERED = 4_096
_OFTEN = 0.01
"""Share of an action's examples: `tag graphs, status read` is one of the library's 265."""


def asked_with(action: Action, lexicon: VerbLexicon) -> frozenset[str]:
    """Name the groups of synonyms, and the phrases, that ask for an action.

    A phrase of the entry also counts by the verb it begins with: `delete export` is a deleting.
    """
    found = set(groups_of((*action.words, action.verb)))
    reads = action.effect == "read"  # `get WO-1 closed` lets no other word for looking up close it
    for phrase in action.words:
        words = words_of(phrase)
        for end in range(len(words), 0, -1):
            found |= groups_of((" ".join(words[:end]),))
            found |= {" ".join(words[:end]), _without_articles(" ".join(words[:end]))}
    for verb in _verbs_of_examples(action, lexicon):
        found |= {key for key in keys_of(verb) if reads or not looks_up(key)}
    return frozenset(found)


def often_asked_with(action: Action, lexicon: VerbLexicon) -> frozenset[str]:
    """Name the phrases by which a share of its examples ask, and not a single odd one of many."""
    said = Counter(verb.base for verb in _verbs_of_examples(action, lexicon))
    least = _OFTEN * len(action.examples)
    return frozenset(phrase for phrase, count in said.items() if count >= least)


def _verbs_of_examples(action: Action, lexicon: VerbLexicon) -> Iterator[Verb]:
    for text in action.examples:
        words = words_of(text)
        for said in asking_verbs(words, lexicon):
            yield join_particles(words, said, len(words), lexicon)


def asking_verbs(words: Sequence[str], lexicon: VerbLexicon) -> Iterator[Verb]:
    """Find the verbs that ask: at the front, behind `please`, and before `it` at the end."""
    for place in range(len(words)):
        ends_so = words[place + 1 : place + 2] in (("it",), ("them",), ("that",))
        if place == 0 or words[place - 1] in _ASKS or ends_so:
            verb = lexicon.at(words, place)
            # `any chance of closing it` asks with `any` for nothing, though some entry lists it.
            if verb is not None and verb.form == "base" and verb.phrase not in FUNCTION_WORDS:
                yield verb


def looks_up(group: str) -> bool:
    """Tell whether a group of synonyms, not a verb itself, is one of looking something up."""
    return "/" in group and family_of_group(group) in READ_FAMILIES


def keys_of(verb: Verb) -> tuple[str, ...]:
    """Name what a verb that was said can be found by; a light one has no synonyms."""
    return (verb.base,) if verb.is_light else _keys(verb.base, verb.groups)


@lru_cache(_REMEMBERED)
def _keys(base: str, groups: frozenset[str]) -> tuple[str, ...]:
    return (*dict.fromkeys((base, _without_articles(base))), *sorted(groups))


def _without_articles(phrase: str) -> str:
    """Make one of `add a note` and `add note`, whichever of them a pack has for its own."""
    return " ".join(word for word in phrase.split() if word not in _ARTICLES) or phrase


_LEAST_SHARE = 0.1
_EXAMPLES_READ = 150
_WORDS_READ = 6
_LEAST_BEFORE = 0.1
"""Share of the texts beginning with a word in which `the`, `me` or the like stand behind it, from
which it is a verb: of our packs' verbs it is more, of people's names .07 and less."""
_OBJECT = 6
"""Words behind a verb in which its object is named."""
_SHORT = 4
"""Letters up to which `-ed` and `-ing` are no ending: `feed the list`."""


@dataclass(frozen=True)
class Wording:
    """The words of a catalogue; an action is its place among the actions."""

    words: frozenset[str]
    rare: frozenset[str]
    """Those of a single text."""
    openings: Mapping[str, Form]
    """Verbs that only examples show."""
    uses: Mapping[str, tuple[int, ...]]
    """Verb family → the actions whose examples ask with it."""
    asked_with: Mapping[str, tuple[int, ...]]
    """Verb phrase, or group of synonyms → the actions whose entry or examples ask with it."""
    often_asked_with: Mapping[str, tuple[int, ...]]
    """Verb phrase → the actions of whose examples a share asks with it."""
    opened_with: Mapping[str, tuple[int, ...]]
    """Word → the actions with an example that holds it among its first words."""
    said_with: Mapping[str, tuple[int, ...]]
    """Word → the actions whose entry or examples hold it anywhere."""
    related: Mapping[str, tuple[int, ...]]
    """A word and the preposition behind it, one behind a possessive or `in` → those of whose
    examples."""


_WORDING = TypeAdapter(Wording)


def wording_of(
    actions: Sequence[Action], lexicon: VerbLexicon, kept: Path | None = None
) -> Wording:
    """Read the entries and examples, or take what was read of the same before.

    Ten thousand examples take a second, which every start and every command would pay again.

    Args:
        kept: the file of what was read, named after all that it follows from.
    """
    found = _load(kept) if kept is not None else None
    if found is None:
        found = _read(actions, lexicon)
        if kept is not None:
            write_atomically(kept, _WORDING.dump_json(found))
    return found


@cached_reader
def _load(file: Path) -> Wording | None:
    try:
        return _WORDING.validate_json(file.read_bytes())
    except (OSError, ValidationError):
        return None  # absent or damaged: it is only a cache


def _read(actions: Sequence[Action], lexicon: VerbLexicon) -> Wording:
    examples = [[words_of(text) for text in action.examples] for action in actions]
    counts = _counts(actions, examples)
    first = [{word for words in own for word in words[:_WORDS_READ]} for own in examples]
    return Wording(
        words=frozenset(counts),
        rare=frozenset(word for word, count in counts.items() if count == 1),
        openings=_openings([words for own in examples for words in own], lexicon),
        uses=_inverted(_families(own, lexicon) for own in examples),
        asked_with=_inverted(asked_with(action, lexicon) for action in actions),
        often_asked_with=_inverted(often_asked_with(action, lexicon) for action in actions),
        opened_with=_inverted(first),
        said_with=_inverted(
            {word for words in (*own, *map(words_of, _entry(action))) for word in words}
            for action, own in zip(actions, examples, strict=True)
        ),
        related=_inverted(
            _related(own, asked_with(action, lexicon), lexicon)
            for action, own in zip(actions, examples, strict=True)
        ),
    )


def _related(examples: Sequence[Sequence[str]], asked: Set[str], lexicon: VerbLexicon) -> set[str]:
    """Find how examples name one thing by another: `the job for the pump`, `Ben's job`.

    And where something is: `in the galley`. What is only told beside the order names nothing of it:
    `the relief valve on the calorifier lifted, so finish the paperwork`.

    Args:
        asked: the verbs that ask for the action.
    """
    pairs = {pair for words in examples for pair in pairwise(words)}
    own = {pair for words in examples for pair in _behind_verb(words, asked, lexicon)}
    found = {f"{word} {behind}" for word, behind in own if behind in PREPOSITIONS}
    found |= {f"in {place}" for words in examples for place in _places(words)}
    return found | {f"'s {behind}" for word, behind in pairs if word.endswith("'s")}


def _behind_verb(
    words: Sequence[str], asked: Set[str], lexicon: VerbLexicon
) -> Iterator[tuple[str, str]]:
    """Give the pairs of the words from each verb that asks on: `give to`, `the job for`."""
    for verb in lexicon.find(words, lambda _place: True):
        if verb.form == "base" and not asked.isdisjoint(keys_of(verb)):
            yield from pairwise(words[verb.first : verb.end + _OBJECT])


def _places(words: Sequence[str]) -> Iterator[str]:
    for place, word in enumerate(words):
        if word == "in":
            behind = (one for one in words[place + 1 : place + 4] if one not in DETERMINERS)
            yield next(behind, "")


def _entry(action: Action) -> tuple[str, ...]:
    """Give what an entry says: its summary, name, object, and the words for its verb."""
    return (action.summary, action.name, action.object, *action.words)


def _counts(actions: Sequence[Action], examples: Sequence[Sequence[Sequence[str]]]) -> Counter[str]:
    """Count in how many texts each word stands; what an entry says counts twice."""
    counts: Counter[str] = Counter()
    for action, own in zip(actions, examples, strict=True):
        for words in own:
            counts.update(set(words))
        for text in _entry(action)[:3]:
            counts.update(dict.fromkeys(words_of(text), 2))
    return counts


def _openings(texts: Sequence[Sequence[str]], lexicon: VerbLexicon) -> Mapping[str, Form]:
    """Collect the verbs that only examples show: what stands first and before `me` or `the`.

    A name or a noun does so now and then (`Ana the fire plan`), a verb in most of its texts.
    """
    first = Counter(words[0] for words in texts if len(words) > 1)
    before = Counter(words[0] for words in texts if len(words) > 1 and words[1] in DETERMINERS)
    found: dict[str, Form] = {}
    for word, count in before.items():
        is_often = count >= _LEAST_BEFORE * first[word]
        if is_often and _may_order(word) and word not in found and lexicon.at([word], 0) is None:
            found[word] = "base"
            for other, (_base, form) in inflected(word).items():
                found.setdefault(other, form)
    return found


def _may_order(word: str) -> bool:
    if not word.isalpha() or word in FUNCTION_WORDS | NO_VERBS or word.endswith("ly"):
        return False
    return len(word) <= _SHORT or not word.endswith(("ed", "ing"))


def _families(examples: Sequence[Sequence[str]], lexicon: VerbLexicon) -> Iterator[str]:
    """Name the verb families that a share of an action's examples ask with."""
    read = examples[:_EXAMPLES_READ]
    counts: Counter[str] = Counter()
    for words in read:
        verbs = asking_verbs(words[:_WORDS_READ], lexicon)
        counts.update({family for verb in verbs for family in verb.families})
    least = max(1.0, _LEAST_SHARE * len(read))
    return (family for family, count in counts.items() if count >= least)


def _inverted(members: Iterable[Iterable[str]]) -> Mapping[str, tuple[int, ...]]:
    places: dict[str, list[int]] = {}
    for place, own in enumerate(members):
        for member in own:
            places.setdefault(member, []).append(place)
    return {member: tuple(found) for member, found in sorted(places.items())}


Marks = npt.NDArray[np.bool_]


def any_of(marks: Marks) -> bool:
    """Tell whether anything is marked: a fifth of the time that `marks.any()` takes on so few."""
    return bool(np.count_nonzero(marks))


@dataclass(frozen=True)
class Effects:
    """What the actions of a catalogue do: (actions,) each."""

    is_write: Marks
    places: Mapping[str, int]
    uses: Mapping[str, Marks]
    """Verb family → the actions whose examples ask with it."""
    asked_with: Mapping[str, Marks]
    """Verb phrase, or group of synonyms → the actions whose entry or examples ask with it."""
    often_asked_with: Mapping[str, Marks]
    """Verb phrase → the actions of whose examples a share asks with it."""
    opened_with: Mapping[str, Marks]
    """Word → the actions with an example that holds it among its first words."""
    said_with: Mapping[str, Marks]
    """Word → the actions whose entry or examples hold it anywhere."""
    is_bare: Marks
    """It takes no slot."""
    takes_text: Marks
    """One of its slots takes free words."""
    wordless: Mapping[str, Marks]
    """Family → the actions of it whose entry names no words of its own: any verb of it will do."""
    related: Mapping[str, Sequence[int]]
    """`job for`, `'s job`: what an example says of something → the actions of those examples."""
    choices: frozenset[str]
    """Words of one that a slot of some action chooses by: `unread`, `urgent`."""
    takes_back: Mapping[int, int]
    """Action → the one that its `undo` names, by their places."""
    kinds: Sequence[frozenset[str]]
    """Of each action the kinds of what its slots hold."""

    def nothing(self) -> Marks:
        """Mark no action."""
        return np.zeros(len(self.is_write), bool)

    def marked(self, by: Mapping[str, Marks], keys: Iterable[str]) -> Marks:
        """Mark what any of some keys marks."""
        marks = self.nothing()
        for key in keys:
            own = by.get(key)
            if own is not None:  # to join with False takes numpy twice as long as with an array
                marks |= own
        return marks

    def asked_by(self, verb: Verb) -> Marks:
        """Mark the actions that a verb, or a synonym of it, asks for."""
        marks = self.marked(self.asked_with, keys_of(verb))
        for action in verb.actions:
            marks[self.places[action]] = True
        return marks


def effects_of(actions: Sequence[Action], wording: Wording) -> Effects:
    """Mark what each action does and with which verbs its examples ask for it."""

    def marked(places: Mapping[str, Sequence[int]]) -> Mapping[str, Marks]:
        marks = np.zeros((len(places), len(actions)), bool)
        rows = np.repeat(np.arange(len(places)), [len(own) for own in places.values()])
        marks[rows, np.fromiter(chain.from_iterable(places.values()), int)] = True
        return dict(zip(places, marks, strict=True))

    places = {action.name: place for place, action in enumerate(actions)}
    return Effects(
        is_write=np.array([action.effect != "read" for action in actions], bool),
        places=places,
        uses=marked(wording.uses),
        asked_with=marked(wording.asked_with),
        often_asked_with=marked(wording.often_asked_with),
        opened_with=marked(wording.opened_with),
        said_with=marked(wording.said_with),
        related=wording.related,
        choices=frozenset(
            choice.lower()
            for action in actions
            for slot in action.slots.values()
            for choice in slot.choices
        ),
        takes_text=np.array(
            [any(slot.type == "text" for slot in action.slots.values()) for action in actions], bool
        ),
        is_bare=np.array([not action.slots for action in actions], bool),
        wordless=marked(_wordless(actions)),
        takes_back={
            places[action.name]: places[action.undo] for action in actions if action.undo in places
        },
        kinds=[frozenset(slot.type for slot in one.slots.values()) for one in actions],
    )


def _wordless(actions: Sequence[Action]) -> Mapping[str, Sequence[int]]:
    """Sort the actions without words by family; the verb of a pack's own making fits any."""
    found: dict[str, list[int]] = {}
    for place, action in enumerate(actions):
        if action.words:
            continue
        own = family_of(action.verb)
        for family in (own,) if own in FAMILIES else (own, *FAMILIES):
            found.setdefault(family, []).append(place)
    return found
