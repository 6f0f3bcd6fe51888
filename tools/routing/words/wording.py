"""What a catalogue's entries and examples show of words and verbs; read once, kept by content."""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence, Set
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path

from pydantic import TypeAdapter, ValidationError

from state.action import Action
from tools.keeping import keep, read_once
from tools.routing.words.asking import asked_with, asking_verbs, keys_of, often_asked_with
from tools.routing.words.normalise import words_of
from tools.routing.words.of_orders import PREPOSITIONS
from tools.routing.words.signs import DETERMINERS, FUNCTION_WORDS, NO_VERBS
from tools.routing.words.verb_forms import Form, inflected
from tools.routing.words.verbs import VerbLexicon

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
            keep(kept, _WORDING.dump_json(found))
    return found


@read_once
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
