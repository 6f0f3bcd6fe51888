"""What the things of the packs' worlds are called, at one moment."""

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import NamedTuple

from tools.routing.words.normalise import words_of
from tools.routing.words.phrases import Match, Phrases, singular, with_plural

LONG_WORD = 5
"""Letters from which a word may be misspelt and still be told from others."""
_SHORT_NAME = 3
"""Names of more words are sentences, whose last word says little."""
_NUMBERED = re.compile(r"[A-Za-z]{1,6}[-_/ .]?(\d{1,9})")
"""An id that is letters and a number."""
_ACRONYM = re.compile(r"[A-Za-z]?[a-z]{0,3}[A-Z]{2,}[A-Za-z0-9]*")
_LEAST_BEGINNING = 0.4
"""Share of a name's words that its beginning has to hold to stand for it."""


class Kind(NamedTuple):
    """An entity type of one pack."""

    pack: str
    type: str


Named = tuple[Kind, str]
"""A kind and the canonical name of one of its things."""


@dataclass
class NamesOfKind:
    """The names of all things of one kind; built once, and again when one of them changes."""

    kind: Kind
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


@dataclass(frozen=True)
class Names:
    """All names at one moment, kind by kind: of the lists, and of the stores that were asked."""

    kinds: Mapping[Kind, NamesOfKind] = field(default_factory=dict)
    failed: tuple[str, ...] = ()

    def of(self, kind: Kind) -> NamesOfKind:
        """Give the names of one kind; none of a kind nobody knows."""
        return self.kinds.get(kind) or NamesOfKind(kind)

    @cached_property
    def with_word(self) -> Mapping[str, tuple[NamesOfKind, ...]]:
        """Word → the kinds that have it in a name: most words of a text are in none."""
        return self._by(lambda names: names.by_word)

    @cached_property
    def with_head(self) -> Mapping[str, tuple[NamesOfKind, ...]]:
        """Word → the kinds whose short names end with it."""
        return self._by(lambda names: names.heads)

    @cached_property
    def _opened_by(self) -> Mapping[str, tuple[NamesOfKind, ...]]:
        """Word → the kinds that have a name which begins with it."""
        return self._by(lambda names: names.phrases.openings())

    def _by(
        self, words: Callable[[NamesOfKind], Iterable[str]]
    ) -> dict[str, tuple[NamesOfKind, ...]]:
        found: dict[str, list[NamesOfKind]] = {}
        for names in self.kinds.values():
            for word in words(names):
                found.setdefault(word, []).append(names)
        return {word: tuple(kinds) for word, kinds in found.items()}

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
            for names in self._opened_by.get(words[place], ())
            if (match := names.phrases.at(words, place)) is not None
        ]
        if not matches:
            return None
        end = max(match.end for _kind, match in matches)
        longest = [(kind, match) for kind, match in matches if match.end == end]
        payloads = ((kind, one) for kind, match in longest for one in match.payloads)
        return Match(place, end, tuple(payloads))
