"""The shape of a text: how it is said, with little of what it is about."""

import re
from collections.abc import Set
from functools import lru_cache
from itertools import pairwise

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
_MOST_PIECES = 160
"""Of a text that is longer, the beginning."""
_EDGE = "|"

Run = str | tuple[str, ...]
"""A piece of a text, or some that stand side by side."""


def shapes_of(text: str) -> Set[Run]:
    """Give each run of up to three places, every word that is none of the grammar's by its form.

    Args:
        text: in its normal form, see normalise.py.
    """
    forms = [_EDGE, *map(_form, _PIECE.findall(text)[:_MOST_PIECES]), _EDGE]
    return {
        *forms,
        *pairwise(forms),
        *zip(forms, forms[1:], forms[2:], strict=False),
    }


def wordings_of(text: str) -> Set[Run]:
    """Give each word and each pair, to find those that several domains share."""
    words = _WORD.findall(text)[:_MOST_PIECES]
    return {*words, *pairwise(words)}


@lru_cache(4_096)
def _form(piece: str) -> str:
    if piece in _GRAMMAR:
        return piece
    if piece[0].isdigit():
        return "0"
    if piece.endswith("ing"):
        return "~ing"
    return "~ed" if piece.endswith("ed") else "~"
