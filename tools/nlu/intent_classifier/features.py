"""Weighted features of a text: words, word pairs and character n-grams."""

import math
import re
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

Floats = npt.NDArray[np.float32]
Places = npt.NDArray[np.int64]

_DIGIT = re.compile(r"\d")
_PIECE_LENGTHS = (3, 4)
_MANY_TEXTS = 1_000
_MAX_WORDS = 120
"""Words of one text that are looked at: more say nothing new about what is asked."""
_REMEMBERED = 16_384
"""Words whose pieces are kept: as many as people use, some 20 MB."""


class Row(NamedTuple):
    """A sparse row of length 1."""

    places: Places
    values: Floats


@dataclass(frozen=True)
class Rows:
    """Sparse rows: row i holds `places[starts[i]:starts[i + 1]]` with `values`, of length 1."""

    places: Places
    values: Floats
    starts: Places

    def __len__(self) -> int:
        return len(self.starts) - 1

    def row(self, place: int) -> Row:
        """Take one row."""
        part = slice(int(self.starts[place]), int(self.starts[place + 1]))
        return Row(self.places[part], self.values[part])

    def pick(self, rows: Places) -> "Rows":
        """Take some rows, in the order given."""
        lengths = self.starts[rows + 1] - self.starts[rows]
        ends = np.cumsum(lengths)
        inner = np.arange(int(lengths.sum())) - np.repeat(ends - lengths, lengths)
        taken = np.repeat(self.starts[rows], lengths) + inner
        starts = np.concatenate([np.zeros(1, np.int64), ends])
        return Rows(self.places[taken], self.values[taken], starts)


@dataclass(frozen=True)
class Vocabulary:
    """The features seen in the examples, each with how much it tells."""

    places: dict[str, int]
    weights: Floats
    """(features,) inverse document frequency."""

    @classmethod
    def of(cls, texts: Sequence[Sequence[str]]) -> "FittedVocabulary":
        """Collect the features of many texts, and turn the texts into rows.

        A feature that stands in a single text is left out when there are many texts.
        """
        found = [set(_features(words)) for words in texts]
        counts = Counter(feature for features in found for feature in features)
        least = 2 if len(texts) > _MANY_TEXTS else 1
        kept = sorted(feature for feature, count in counts.items() if count >= least)
        total = len(texts)
        weights = [math.log((1 + total) / (1 + counts[feature])) + 1 for feature in kept]
        vocabulary = cls(
            {feature: place for place, feature in enumerate(kept)}, np.array(weights, np.float32)
        )
        return FittedVocabulary(vocabulary, vocabulary._rows(map(vocabulary._places_in, texts)))

    def row(self, words: Sequence[str]) -> Row:
        """Turn one text into a row: the same bits as among many, at a third of the price."""
        where = np.array(sorted(self._places_in(words)), np.int64)
        values: Floats = self.weights[where]
        (length,) = np.sqrt(np.bincount(np.zeros_like(where), values * values, 1))
        return Row(where, values / length.astype(np.float32))

    def _rows(self, texts: Iterable[set[int]]) -> Rows:
        places: list[int] = []
        starts = [0]
        for found in texts:
            places.extend(sorted(found))
            starts.append(len(places))
        where, ends = np.array(places, np.int64), np.array(starts, np.int64)
        values: Floats = self.weights[where]
        row = np.repeat(np.arange(len(ends) - 1), ends[1:] - ends[:-1])
        lengths = np.sqrt(np.bincount(row, values * values, len(ends) - 1))
        return Rows(where, values / lengths.astype(np.float32)[row], ends)

    def _places_in(self, words: Sequence[str]) -> set[int]:
        shapes = [_shape(word) for word in words[:_MAX_WORDS]]
        places = self.places
        found = {places[feature] for feature in _sequences(shapes) if feature in places}
        return found.union(*map(self._places_of_pieces, shapes))

    @cached_property
    def _places_of_pieces(self) -> Callable[[str], tuple[int, ...]]:
        """Places of the pieces of a word, kept by word: most features of a text are pieces."""
        places = self.places
        return lru_cache(_REMEMBERED)(
            lambda word: tuple(places[piece] for piece in _pieces(word) if piece in places)
        )

    def known(self, words: Sequence[str]) -> float:
        """Tell which share of the words has been seen, 0 to 1; a text without words is 0."""
        shapes = [_shape(word) for word in words[:_MAX_WORDS]]
        return sum(shape in self.places for shape in shapes) / len(shapes) if shapes else 0.0


@dataclass(frozen=True)
class FittedVocabulary:
    """A vocabulary with the rows of the texts it was made from."""

    vocabulary: Vocabulary
    rows: Rows


def _features(words: Sequence[str]) -> list[str]:
    shapes = [_shape(word) for word in words[:_MAX_WORDS]]
    found = _sequences(shapes)
    for shape in shapes:
        found += _pieces(shape)
    return found


def _sequences(shapes: Sequence[str]) -> list[str]:
    """List the words, what stands side by side, and what stands one word apart."""
    found = list(shapes)
    previous = "<"
    for shape in [*shapes, ">"]:
        found.append(f"{previous} {shape}")
        previous = shape
    found += [f"{shape} _ {later}" for shape, later in zip(shapes, shapes[2:], strict=False)]
    return found


@lru_cache(_REMEMBERED)
def _pieces(word: str) -> tuple[str, ...]:
    if word.startswith("@"):
        return ()
    marked = f"^{word[:40]}$"
    return tuple(
        f"#{marked[place : place + length]}"
        for length in _PIECE_LENGTHS
        for place in range(len(marked) - length + 1)
    )


def _shape(word: str) -> str:
    """See numbers by their shape: WO-1042 and WO-1043 ask for the same."""
    return _DIGIT.sub("0", word) if not word.isalpha() else word
