"""Correct typing errors: replace an unknown word by the known word one edit away."""

import json
from collections import defaultdict
from collections.abc import Collection, Iterable
from dataclasses import dataclass, replace
from functools import cache, lru_cache

from rapidfuzz import process
from rapidfuzz.distance import OSA

from state.errors import EncoderUnavailable
from tools.adapters.embedding.minilm_weights import find_folder, read_tokenizer
from tools.nlu.lexicon.normalization import Normal, Token

_SHORTEST_SWAPPED, _SHORTEST, _LONG = 3, 4, 8
"""Letters from which two may be swapped, from which one may be wrong, and from which two may."""
_MOST_SLIPS = 8


@dataclass(frozen=True)
class Spelt:
    """A text with its slips put right; each stands where it stood."""

    normal: Normal
    slips: tuple[tuple[str, str], ...] = ()
    """What was written, and what was read."""


class Spelling:
    """Knows the words of one catalogue; a word of English that it does not have is no slip."""

    def __init__(
        self, words: Iterable[str], rare: Iterable[str] = (), *, forms: Iterable[str] = ()
    ) -> None:
        """Learn the words.

        Args:
            rare: those that a single example has: when no dictionary has one and it is near to
                another word, the example itself was mistyped.
            forms: inflected verbs, which are no slips: `forwarded` is done, `forward` is asked.
        """
        self._forms = frozenset(forms)
        self._known = frozenset(words)
        english = english_words()
        odd = {word for word in rare if _may_be_slip(word) and word not in english}
        if english and odd:
            self._known -= odd
            self._near = _Near(self._known)
            self._known |= {word for word in odd if self._nearest(word) is None}
        self._near = _Near(self._known)

    def mended(self, normal: Normal, is_thing: frozenset[int]) -> Spelt:
        """Put right the words that are neither things nor known."""
        english = english_words()
        if not english:
            return Spelt(normal)
        tokens = list(normal.tokens)
        slips: list[tuple[str, str]] = []
        for place, token in enumerate(tokens):
            word = token.text
            if (
                not _may_be_slip(word)
                or place in is_thing
                or word in self._known
                or word in self._forms
                or word in english
            ):
                continue
            meant = self._nearest(word)
            if meant is not None:
                tokens[place] = Token(meant, token.start, token.end)
                slips.append((word, meant))
            if len(slips) == _MOST_SLIPS:
                break
        return (
            Spelt(replace(normal, tokens=tuple(tokens)), tuple(slips)) if slips else Spelt(normal)
        )

    def _nearest(self, word: str) -> str | None:
        """Find the one known word that is near; of two as near, the one whose letters it has."""
        near = self._near
        if len(word) < _SHORTEST:
            return near.swapped(word, near.by_first.get(word[0], ()))
        most = 2 if len(word) >= _LONG else 1
        choices = near.by_first.get(word[0], ())
        found = process.extract(word, choices, scorer=OSA.distance, score_cutoff=most, limit=4)
        if not found:
            return near.swapped(word, near.by_first.get(word[1], ()))
        nearest = [one for one, distance, _place in found if distance == found[0][1]]
        return nearest[0] if len(nearest) == 1 else near.swapped(word, nearest)


@lru_cache(maxsize=2)
def spelling_of(words: frozenset[str], rare: frozenset[str], forms: frozenset[str]) -> Spelling:
    """Make it once for all who read with the same words."""
    return Spelling(words, rare, forms=forms)


class _Near:
    """Words by their first letter, and by the letters they are made of."""

    def __init__(self, words: Iterable[str]) -> None:
        self.by_first: dict[str, list[str]] = defaultdict(list)
        self._by_letters: dict[str, list[str]] = defaultdict(list)
        for word in sorted(filter(_may_be_slip, words)):
            self.by_first[word[0]].append(word)
            self._by_letters["".join(sorted(word))].append(word)

    def swapped(self, word: str, choices: Collection[str]) -> str | None:
        """Find the one choice that two neighbouring letters in the wrong order part from this."""
        found = [
            one
            for one in self._by_letters.get("".join(sorted(word)), ())
            if one in choices and OSA.distance(word, one) == 1
        ]
        return found[0] if len(found) == 1 else None


def guessed(slips: Iterable[tuple[str, str]]) -> frozenset[str]:
    """Name what was read where another letter was written: `vegan` may be no slip for `vegas`.

    A letter too many, missing or swapped is a slip of the finger and nothing else.
    """
    return frozenset(
        meant
        for written, meant in slips
        if len(written) == len(meant) and sorted(written) != sorted(meant)
    )


def _may_be_slip(word: str) -> bool:
    return word.isalpha() and len(word) >= _SHORTEST_SWAPPED


@cache
def english_words() -> frozenset[str]:
    """List the words that the encoder's tokenizer knows whole; without it, none."""
    try:
        described = json.loads(read_tokenizer(find_folder()))
    except EncoderUnavailable:
        return frozenset()
    return frozenset(described["model"]["vocab"])
