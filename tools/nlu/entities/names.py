"""Names of the entities of all packs at one moment: full names, aliases and near misspellings."""

import re
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import NamedTuple

from rapidfuzz import fuzz, process
from rapidfuzz.distance import OSA

from tools.nlu.lexicon.cue_phrases import FUNCTION_WORDS
from tools.nlu.lexicon.normalization import (
    Match,
    Phrases,
    singular,
    with_plural,
    word_set,
    words_of,
)
from tools.nlu.values.date_offsets import MONTHS

LONG_WORD = 5
"""Letters from which a word may be misspelt and still be told from others."""
_SHORT_NAME = 3
"""Names of more words are sentences, whose last word says little."""
_NUMBERED = re.compile(r"[A-Za-z]{1,6}[-_/ .]?(\d{1,9})")
"""An id that is letters and a number."""
_ACRONYM = re.compile(r"[A-Za-z]?[a-z]{0,3}[A-Z]{2,}[A-Za-z0-9]*")
_LEAST_BEGINNING = 0.4
"""Share of a name's words that its beginning has to hold to stand for it."""


class PackEntityType(NamedTuple):
    """An entity type of one pack."""

    pack: str
    type: str


Named = tuple[PackEntityType, str]
"""A kind and the canonical name of one of its things."""


@dataclass
class NamesOfEntityType:
    """The names of all things of one kind; built once, and again when one of them changes."""

    kind: PackEntityType
    phrases: Phrases[str] = field(default_factory=Phrases)
    canonical: Mapping[str, str] | None = None
    """Folded id → id, where every member is known."""
    by_length: dict[int, dict[str, str]] = field(default_factory=dict)
    """Number of words → name → what it names, for typing slips."""
    heads: dict[str, set[str]] = field(default_factory=dict)
    """Last word of short names → which they are: `filter` is some part."""
    by_word: dict[str, set[str]] = field(default_factory=dict)
    """Any word of a name → which things have it."""
    by_number: dict[int, set[str]] = field(default_factory=dict)
    """Number of an id → which things have it: 1042 is WO-1042."""
    acronyms: set[str] = field(default_factory=set)
    """Words of names that are written in capitals: `BERT` in a title."""
    _own: dict[str, list[frozenset[str]]] = field(default_factory=dict)
    _written: dict[str, list[tuple[str, ...]]] = field(default_factory=dict)

    def add(self, canonical: str, names: Iterable[str]) -> None:
        """Let a thing be called by its canonical name and by others."""
        own = set(words_of(self.kind.type))  # `certificate` says no more of a class certificate
        for name in (canonical, *names):
            words = tuple(word.removesuffix("'s") for word in words_of(name))  # as texts are read
            numbered = _NUMBERED.fullmatch(name)
            if numbered:
                self.by_number.setdefault(int(numbered[1]), set()).add(canonical)
            elif not name.isupper():
                for written in _ACRONYM.findall(name):
                    self.acronyms.update(words_of(written))
            if not words:
                continue
            is_short = 1 < len(words) <= _SHORT_NAME and not own & {words[-1], singular(words[-1])}
            for form in with_plural(words):
                self.phrases.add(form, canonical)
                if is_short and form[-1].isalpha():
                    self.heads.setdefault(form[-1], set()).add(canonical)
            self._own.setdefault(canonical, []).append(frozenset(words))
            self._written.setdefault(canonical, []).append(words)
            for word in words:
                self.by_word.setdefault(word, set()).add(canonical)
            if any(len(word) >= LONG_WORD for word in words):
                self.by_length.setdefault(len(words), {})[" ".join(words)] = canonical

    @property
    def in_order(self) -> tuple[str, ...]:
        """List the things as the pack and its store list them."""
        return tuple(self._written)

    def is_name(self, canonical: str, words: tuple[str, ...]) -> bool:
        """Tell whether a thing is called so, and not only so in the other number: `James`."""
        return words in self._written.get(canonical, ())

    def resolve_all(self, words: Sequence[str]) -> set[str]:
        """Find the things whose name holds all these words."""
        wanted = set(words)
        if not wanted:
            return set()
        candidates = set.intersection(*(self.by_word.get(word, set()) for word in wanted))
        if len(wanted) == 1:
            return candidates
        # All of them in one name, not one in each of several.
        return {one for one in candidates if any(wanted <= own for own in self._own[one])}

    def holding(self, part: Sequence[str]) -> set[str]:
        """Find the things in whose name these words stand together, in this order."""
        said = f" {' '.join(part)} "
        return {
            one
            for one in self.resolve_all(part)
            if any(said in f" {' '.join(name)} " for name in self._written[one])
        }

    def resolve_best(self, part: Sequence[str]) -> set[str]:
        """Find the things whose name holds all these words; if any begins so, only those."""
        found = self.resolve_all(part)
        if len(found) < 2:
            return found
        first = {one for one in found if self._begins(one, tuple(part))}
        return first or found

    def is_beginning(self, part: tuple[str, ...]) -> bool:
        """Tell whether a name begins with these words, and they are a good part of it."""
        return any(
            self._begins(one, part, least=_LEAST_BEGINNING) for one in self.resolve_all(part)
        )

    def _begins(self, canonical: str, part: tuple[str, ...], *, least: float = 0.0) -> bool:
        return any(
            name[: len(part)] == part and len(part) >= least * len(name)
            for name in self._written[canonical]
        )


class KindsByWord(dict[str, tuple[NamesOfEntityType, ...]]):
    """The kinds that know a word, looked up when it is first said; one that none knows is not kept.

    Names change with every action, and a text has few of their words.
    """

    def __init__(
        self,
        kinds: Collection[NamesOfEntityType],
        knows: Callable[[NamesOfEntityType, str], bool],
    ) -> None:
        super().__init__()
        self._kinds, self._knows = kinds, knows

    def __missing__(self, word: str) -> tuple[NamesOfEntityType, ...]:
        found = tuple(names for names in self._kinds if self._knows(names, word))
        if found:
            self[word] = found
        return found


@dataclass(frozen=True)
class Names:
    """All names at one moment, kind by kind: of the lists, and of the stores that were asked."""

    kinds: Mapping[PackEntityType, NamesOfEntityType] = field(default_factory=dict)
    failed: tuple[str, ...] = ()

    def of(self, kind: PackEntityType) -> NamesOfEntityType:
        """Give the names of one kind; none of a kind nobody knows."""
        return self.kinds.get(kind) or NamesOfEntityType(kind)

    @cached_property
    def with_word(self) -> KindsByWord:
        """Word → the kinds that have it in a name: most words of a text are in none."""
        return self._by(lambda names, word: word in names.by_word)

    @cached_property
    def with_head(self) -> KindsByWord:
        """Word → the kinds whose short names end with it."""
        return self._by(lambda names, word: word in names.heads)

    @cached_property
    def _opened_by(self) -> KindsByWord:
        """Word → the kinds that have a name which begins with it."""
        return self._by(lambda names, word: names.phrases.opens(word))

    def _by(self, knows: Callable[[NamesOfEntityType, str], bool]) -> KindsByWord:
        return KindsByWord(self.kinds.values(), knows)

    def find(self, words: Sequence[str]) -> list[Match[Named]]:
        """Find names from left to right, the longest first, none over another."""
        found: list[Match[Named]] = []
        place = 0
        while place < len(words):
            match = self.at(words, place)
            if match is not None:
                found.append(match)
            place = match.end if match is not None else place + 1
        return found

    def at(self, words: Sequence[str], place: int) -> Match[Named] | None:
        """Find the longest names that begin at one word, of whatever kind."""
        matches = [
            (names.kind, match)
            for names in self._opened_by[words[place]]
            if (match := names.phrases.at(words, place)) is not None
        ]
        if not matches:
            return None
        end = max(match.end for _kind, match in matches)
        longest = [(kind, match) for kind, match in matches if match.end == end]
        payloads = ((kind, one) for kind, match in longest for one in match.payloads)
        return Match(place, end, tuple(payloads))


_LEAST_DIGITS = 3
"""Fewer digits without the word for their kind are an amount."""
_YEARS = range(1900, 2100)
_BEFORE_YEARS = word_set("in since from before after until till by during year years and to of")
_MONTHS = frozenset(MONTHS)
_UNITS = word_set(
    "h hr hrs hours hour minutes min mins seconds days weeks months years times euro euros eur usd"
    " dollars pounds litres liters l kg t tons tonnes m mm cm metres meters miles nm bar psi rpm"
    " volts v amps a watts kw percent degrees papers results words pages citations"
)
_LONGEST_PART = 5
_SURE, _LIKELY = 0.95, 0.85


class Alias(NamedTuple):
    """Words `first` to `end` that can mean one thing only."""

    kind: PackEntityType
    value: str
    confidence: float
    first: int
    end: int


class Nouns(NamedTuple):
    """What a kind of thing is called: `work order`, `job`, `WO`; each in both numbers."""

    kind: PackEntityType
    phrases: frozenset[tuple[str, ...]]


def nouns_of(kind: PackEntityType, others: Sequence[str]) -> Nouns:
    """Collect what a kind is called."""
    called = [words_of(name) for name in (kind.type, *others)]
    return Nouns(kind, frozenset(form for words in called if words for form in with_plural(words)))


def by_number(
    words: Sequence[str], names: Names, nouns: Mapping[PackEntityType, Nouns]
) -> Iterator[Alias]:
    """Read `work order 1042`, `WO 1042`, `wo1042`, and `1042` where it is the number of one id."""
    for place, word in enumerate(words):
        if not word.isdigit():
            letters = word.rstrip("0123456789")
            if letters.isalpha() and letters != word:
                yield from _prefixed(letters, word[len(letters) :], place, place + 1, names)
            continue
        before = words[place - 1] if place else ""
        named = [
            Alias(of_kind.kind, value, _SURE, first, place + 1)
            for of_kind in names.kinds.values()
            if of_kind.kind in nouns
            for first in _noun_before(words, place, nouns[of_kind.kind])
            for value in _only(of_kind.by_number.get(int(word), ()))
        ]
        named += _prefixed(before, word, place - 1, place + 1, names) if before.isalpha() else []
        yield from named or _bare(words, place, names)


def by_part(
    words: Sequence[str],
    taken: Sequence[bool],
    names: Names,
    nouns: Mapping[PackEntityType, Nouns],
    verb_words: frozenset[str],
) -> Iterator[Alias]:
    """Read `the attention paper`, `Deep Residual Learning`, `BERT`: parts that one name has."""
    place = 0
    while place < len(words):
        found = None
        if not taken[place] and words[place] not in FUNCTION_WORDS:
            found = _part_at(words, taken, place, names, nouns, verb_words)
        if found is not None:
            yield found
        place = found.end if found is not None else place + 1


def _prefixed(letters: str, digits: str, first: int, end: int, names: Names) -> list[Alias]:
    return [
        Alias(of_kind.kind, value, _SURE, first, end)
        for of_kind in names.kinds.values()
        for value in _only(of_kind.by_number.get(int(digits), ()))
        if value.casefold().startswith(letters) and not value[len(letters)].isalpha()
    ]


def _noun_before(words: Sequence[str], place: int, nouns: Nouns) -> Iterator[int]:
    lengths = [
        len(phrase)
        for phrase in nouns.phrases
        if len(phrase) <= place and tuple(words[place - len(phrase) : place]) == phrase
    ]
    if lengths:
        yield place - max(lengths)


def _bare(words: Sequence[str], place: int, names: Names) -> list[Alias]:
    word = words[place]
    before = words[place - 1] if place else ""
    after = words[place + 1] if place + 1 < len(words) else ""
    if len(word) < _LEAST_DIGITS or after in _UNITS or {before, after} & _MONTHS:
        return []
    if int(word) in _YEARS and before in _BEFORE_YEARS - {"of", "to"}:
        return []
    fitting = [
        (of_kind.kind, value)
        for of_kind in names.kinds.values()
        for value in of_kind.by_number.get(int(word), ())
        if value.endswith(word)
    ]
    if len(fitting) != 1:
        return []
    ((kind, value),) = fitting
    return [Alias(kind, value, _LIKELY, place, place + 1)]


def _part_at(
    words: Sequence[str],
    taken: Sequence[bool],
    place: int,
    names: Names,
    nouns: Mapping[PackEntityType, Nouns],
    verb_words: frozenset[str],
) -> Alias | None:
    kinds = names.with_word[words[place]]
    if not kinds:
        return None
    stop = place
    while stop < min(len(words), place + _LONGEST_PART) and not taken[stop]:
        stop += 1
    for end in range(stop, place, -1):
        part = words[place:end]
        if part[-1] in FUNCTION_WORDS:
            continue
        fitting = [
            Alias(of_kind.kind, value, _LIKELY, place, last)
            for of_kind in kinds
            for last in _told_apart(words, place, end, of_kind, nouns, verb_words)
            for value in _only(of_kind.resolve_best(part))
        ]
        if len({(one.kind, one.value) for one in fitting}) == 1:
            return fitting[0]
    return None


def _told_apart(
    words: Sequence[str],
    first: int,
    end: int,
    of_kind: NamesOfEntityType,
    nouns: Mapping[PackEntityType, Nouns],
    verb_words: frozenset[str],
) -> Iterator[int]:
    """Give where the name ends when its part is enough to mean the thing, and nothing else."""
    part = tuple(words[first:end])
    own = nouns[of_kind.kind].phrases if of_kind.kind in nouns else frozenset()
    if not set(part) & verb_words:
        for length in (2, 1):
            noun = tuple(words[end : end + length])
            if noun in own:
                yield end + len(noun)
                return
        if words[end : end + 1] == ["one"]:
            yield end
            return
    is_acronym = len(part) == 1 and part[0] in of_kind.acronyms
    if is_acronym or (len(part) > 1 and of_kind.is_beginning(part)):
        yield end


def _only(found: Sequence[str] | frozenset[str] | set[str]) -> list[str]:
    return list(found) if len(found) == 1 else []


_TYPO_RATIO = 90.0
_NEAR = 80.0
"""Below this ratio not even one letter of a long word is wrong."""
_MOST_CHOICES = 5_000
"""Among more names every word is near to some name, and the search takes milliseconds."""


class NearName(NamedTuple):
    """A name that was nearly written; `ratio` is 0 to 100, `first` the word it begins at."""

    kind: PackEntityType
    canonical: str
    ratio: float
    first: int


def near_name(
    words: list[str], taken: list[bool], place: int, length: int, names: Names
) -> NearName | None:
    """Find the name of `length` words nearest to the words around one that means nothing."""
    for first in range(max(0, place - length + 1), min(place, len(words) - length) + 1):
        if any(taken[first : first + length]):
            continue
        text = " ".join(words[first : first + length])
        slips = [_slip_of(text, first, length, kind) for kind in names.kinds.values()]
        near = [slip for slip in slips if slip is not None]
        if near:
            return max(near, key=lambda slip: slip.ratio)
    return None


def _slip_of(text: str, first: int, length: int, names: NamesOfEntityType) -> NearName | None:
    choices = names.by_length.get(length)
    if not choices or len(choices) > _MOST_CHOICES:
        return None
    best = process.extractOne(text, choices.keys(), scorer=fuzz.ratio, score_cutoff=_NEAR)
    if best is None or not _is_slip(text, best[0], best[1]):
        return None
    return NearName(names.kind, choices[best[0]], best[1], first)


def _is_slip(text: str, name: str, ratio: float) -> bool:
    """Numbers are never slips of each other; below the ratio only one letter may be wrong."""
    if re.findall(r"\d+", text) != re.findall(r"\d+", name) or text[0] != name[0]:
        return False
    return ratio >= _TYPO_RATIO or (len(text) > LONG_WORD and OSA.distance(text, name) == 1)
