"""Find phrases of several words in a text, the longest first."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Generic, NamedTuple, TypeVar

Payload = TypeVar("Payload")

_REMEMBERED = 16_384
"""Words whose other number is kept: as many as people use."""


class Match(NamedTuple, Generic[Payload]):
    """A phrase found at words `first` to `end`, end exclusive, with all that it stands for."""

    first: int
    end: int
    payloads: tuple[Payload, ...]


@dataclass
class Phrases(Generic[Payload]):
    """A set of phrases, each standing for one thing or more."""

    _by_first: dict[str, dict[tuple[str, ...], tuple[Payload, ...]]] = field(default_factory=dict)
    _lengths: dict[str, tuple[int, ...]] = field(default_factory=dict)
    """Of the phrases that begin with a word, the longest first."""

    def add(self, words: Sequence[str], payload: Payload) -> None:
        """Let a phrase stand for `payload`, beside what it stood for already."""
        if not words:
            return
        own = self._by_first.setdefault(words[0], {})
        payloads = own.get(tuple(words), ())
        if payload not in payloads:
            own[tuple(words)] = (*payloads, payload)
        lengths = self._lengths.get(words[0], ())
        if len(words) not in lengths:
            self._lengths[words[0]] = tuple(sorted((*lengths, len(words)), reverse=True))

    def at(self, words: Sequence[str], first: int) -> Match[Payload] | None:
        """Find the longest phrase that begins at one word; there is none beyond the last."""
        phrases = self._by_first.get(words[first]) if first < len(words) else None
        if phrases is None:
            return None
        for length in self._lengths[words[first]]:
            end = first + length
            payloads = phrases.get(tuple(words[first:end])) if end <= len(words) else None
            if payloads is not None:
                return Match(first, end, payloads)
        return None

    def __contains__(self, word: str) -> bool:
        """Tell whether a phrase begins with a word."""
        return word in self._by_first

    def find(
        self, words: Sequence[str], is_free: Callable[[int], bool] = lambda place: True
    ) -> list[Match[Payload]]:
        """Find phrases from left to right, none over another, none over a word that is not free."""
        found = []
        place = 0
        while place < len(words):
            is_opening = words[place] in self._by_first and is_free(place)
            match = self.at(words, place) if is_opening else None
            if match is not None and all(is_free(word) for word in range(match.first, match.end)):
                found.append(match)
                place = match.end
            else:
                place += 1
        return found

    def words(self) -> set[str]:
        """List every word of every phrase."""
        return {
            word for phrases in self._by_first.values() for phrase in phrases for word in phrase
        }

    def openings(self) -> set[str]:
        """List the first word of every phrase."""
        return set(self._by_first)

    def single(self) -> dict[str, tuple[Payload, ...]]:
        """List the phrases of one word."""
        return {
            phrase[0]: payloads
            for phrases in self._by_first.values()
            for phrase, payloads in phrases.items()
            if len(phrase) == 1
        }


def with_plural(words: Sequence[str]) -> list[tuple[str, ...]]:
    """Give a phrase with its last word in one number and in the other."""
    *front, last = words
    forms = {last, plural(last), singular(last)}
    return [(*front, form) for form in sorted(forms)]


def plural(word: str) -> str:
    """Guess the plural of a noun; a number or a short mark stays as it is."""
    if not word.isalpha() or len(word) < 3 or word.endswith("s"):
        return word
    if word.endswith("y") and word[-2] not in "aeiou":
        return f"{word[:-1]}ies"
    return f"{word}es" if word.endswith(("x", "ch", "sh", "z")) else f"{word}s"


@lru_cache(_REMEMBERED)
def singular(word: str) -> str:
    """Guess the singular of a noun."""
    if not word.isalpha() or len(word) < 4 or not word.endswith("s") or word.endswith("ss"):
        return word
    if word.endswith("ies") and len(word) > 4:
        return f"{word[:-3]}y"
    if word.endswith(("xes", "ches", "shes", "zes")):
        return word[:-2]
    return word if word.endswith(("us", "is")) else word[:-1]


def word_set(words: str) -> frozenset[str]:
    """Make a set of the words of a string."""
    return frozenset(words.split())


def phrases_of(phrases: str) -> Phrases[None]:
    """Make phrases to be found of a string, parted by semicolons."""
    made = Phrases[None]()
    for phrase in phrases.split(";"):
        made.add(phrase.split(), None)
    return made
