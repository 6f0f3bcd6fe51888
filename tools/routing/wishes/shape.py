"""The shape of a text: how it is said, with little of what it is about."""

import re
from collections.abc import Sequence
from functools import lru_cache

from tools.routing.words.phrases import word_set
from tools.routing.words.signs import FUNCTION_WORDS

_PIECE = re.compile(r"[a-z']+|\d+|[?.!,:;\"]")
_WORD = re.compile(r"[a-z']+")
_MARKS = frozenset("?.!,:;" + '"')
_GRAMMAR = (
    FUNCTION_WORDS
    | _MARKS
    | word_set("yes nope no none nobody nothing never ok okay thanks sorry oops because before")
    | word_set(
        "after already yesterday today tomorrow tonight later soon again longer else instead"
    )
)
_LONGEST_SHAPE, _LONGEST_WORDS = 3, 2
_MOST_PIECES = 160
"""Of a text that is longer, the beginning."""
_EDGE = "|"


def shapes_of(text: str) -> Sequence[str]:
    """Give each run of up to three places, every word that is none of the grammar's by its form.

    Args:
        text: in its normal form, see normalise.py.
    """
    forms = [_form(piece) for piece in _PIECE.findall(text)[:_MOST_PIECES]]
    return _runs([_EDGE, *forms, _EDGE], _LONGEST_SHAPE, "")


def wordings_of(text: str) -> Sequence[str]:
    """Give each word and each pair, to find those that several domains share."""
    return _runs(_WORD.findall(text)[:_MOST_PIECES], _LONGEST_WORDS, "=")


def _runs(pieces: Sequence[str], longest: int, mark: str) -> Sequence[str]:
    runs = [mark + piece for piece in pieces]
    for length in range(2, longest + 1):
        parts = zip(*(pieces[first:] for first in range(length)), strict=False)
        runs += [mark + " ".join(run) for run in parts]
    return runs


@lru_cache(4_096)
def _form(piece: str) -> str:
    if piece in _GRAMMAR:
        return piece
    if piece[0].isdigit():
        return "0"
    if piece.endswith("ing"):
        return "~ing"
    return "~ed" if piece.endswith("ed") else "~"
