"""Put right the slips of the keyboard: a word that is none, and one letter from one that is."""

import json
from collections.abc import Iterable
from dataclasses import dataclass, replace
from functools import cache

from rapidfuzz import process
from rapidfuzz.distance import OSA

from state.errors import EncoderUnavailable
from tools.embedding.weights import find_folder, read_tokenizer
from tools.routing.normalise import Normal, Token

_SHORTEST, _LONG = 4, 8
"""Letters from which one may be wrong, and from which two may."""
_MOST_SLIPS = 8


@dataclass(frozen=True)
class Spelt:
    """A text with its slips put right; each stands where it stood."""

    normal: Normal
    slips: tuple[tuple[str, str], ...] = ()
    """What was written, and what was read."""


class Spelling:
    """Knows the words of one catalogue; a word of English that it does not have is no slip."""

    def __init__(self, words: Iterable[str]) -> None:
        self._known = frozenset(words)
        by_letter: dict[str, list[str]] = {}
        for word in sorted(self._known):
            if word.isalpha() and len(word) >= _SHORTEST:
                by_letter.setdefault(word[0], []).append(word)
        self._by_letter = by_letter

    def mended(self, normal: Normal, is_thing: frozenset[int]) -> Spelt:
        """Put right the words that are neither things nor known."""
        english = english_words()
        if not english:
            return Spelt(normal)
        tokens = list(normal.tokens)
        slips: list[tuple[str, str]] = []
        for place, token in enumerate(tokens):
            word = token.text
            is_odd = word.isalpha() and len(word) >= _SHORTEST and place not in is_thing
            if not is_odd or word in self._known or word in english:
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
        """Find the one known word that is near; of two as near, neither."""
        most = 2 if len(word) >= _LONG else 1
        choices = self._by_letter.get(word[0], [])
        near = process.extract(word, choices, scorer=OSA.distance, score_cutoff=most, limit=2)
        if not near or (len(near) > 1 and near[0][1] == near[1][1]):
            return None
        return near[0][0]


@cache
def english_words() -> frozenset[str]:
    """List the words that the encoder's tokenizer knows whole; without it, none."""
    try:
        described = json.loads(read_tokenizer(find_folder()))
    except EncoderUnavailable:
        return frozenset()
    return frozenset(described["model"]["vocab"])
