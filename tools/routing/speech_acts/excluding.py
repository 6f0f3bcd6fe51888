"""What is left out of all: `everyone but Lena`, `every order other than PO-1997`."""

from collections.abc import Sequence

from tools.routing.speech_acts.ordering import Verbs, begins_order
from tools.routing.words.phrases import word_set
from tools.routing.words.signs import DETERMINERS, FUNCTION_WORDS

NOTHING = word_set("nothing nobody none")
EXCEPTING = word_set("but except else other apart save")
"""Behind nothing these leave something: `nothing but the urgent ones`."""
_ALL = word_set(
    "all every everything everyone everybody any anything anyone anybody each whole entire"
)
_ALL_REACH = 6
"""Words between all and what is left out of it."""
_LEAVING = word_set("but save besides bar excluding barring minus")
_LEAVING_BY_TWO = frozenset(
    {("other", "than"), ("else", "than"), ("apart", "from"), ("aside", "from"), ("save", "for")}
)

LEAVING = _LEAVING | {first for first, _second in _LEAVING_BY_TWO}
"""The words one of which begins whatever `leaves_out` finds."""


def leaves_out(words: Sequence[str], place: int, end: int, verbs: Verbs) -> bool:
    """Tell whether what stands behind a word is left out of what stands before it."""
    if words[place] not in LEAVING:
        return False
    before = words[max(0, place - _ALL_REACH) : place]
    if not NOTHING.isdisjoint(before) or place + 1 >= end:
        return False
    if tuple(words[place : place + 2]) in _LEAVING_BY_TWO:
        return place + 2 < end
    following = words[place + 1]
    is_named = following in DETERMINERS or following not in FUNCTION_WORDS
    is_of_all = words[place] in _LEAVING and not _ALL.isdisjoint(before)
    # `close all but keep WO-1` goes on with an order
    return is_of_all and is_named and not begins_order(words, place + 1, end, verbs)
