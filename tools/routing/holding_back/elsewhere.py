"""Is it to be done elsewhere, `close WO-1042 in my head`, or some time, `close it some day`?"""

from collections.abc import Callable, Iterator, Sequence, Set

from tools.routing.words.phrases import word_set
from tools.routing.words.signs import DETERMINERS

_POINTS = word_set("it that this them these those")
_HERE = word_set(
    "system app application software computer program tool database list register records books "
    "meantime"
)
"""What is done in these is done here, and what is done meanwhile is done."""

_SOME = word_set("some one another any")
_TIMES = word_set("day days time point stage year evening night morning afternoon week month")


def some_time_in(words: Sequence[str], span: range, taken: Set[int]) -> Iterator[int]:
    """Find what leaves open when: `close WO-1042 some day`, `at some point`, `one of these days`.

    Args:
        taken: the words of the order's values.
    """
    for place in range(span.start + 2, span.stop):
        if words[place] not in _TIMES:
            continue
        before = range(place - 1, max(span.start, place - 3) - 1, -1)
        some = next((at for at in before if words[at] in _SOME), None)
        if some is not None and taken.isdisjoint(range(some, place + 1)):
            yield place


def elsewhere_in(
    words: Sequence[str], span: range, taken: Set[int], says: Callable[[str], bool]
) -> Iterator[int]:
    """Find the places of an order that it names right behind an id, which needs no describing.

    In `close the job in the galley` the place says which job is meant.

    Args:
        taken: the words of its values.
        says: tells whether an example says words of the action.
    """
    for place in range(span.start + 1, span.stop - 2):
        before = words[place - 1]
        at = place - 1
        if before.endswith(("ed", "ing")) and at > span.start:  # `have it closed in`
            at -= 1
        is_id = at in taken and any(map(str.isdigit, words[at]))
        if words[place] != "in" or not (is_id or words[at] in _POINTS):
            continue
        noun = next((at for at in range(place + 1, span.stop) if words[at] not in DETERMINERS), -1)
        is_owned = noun > place + 1
        is_known = noun in taken or words[noun] in _HERE or says(f"in {words[noun]}")
        if is_owned and not is_known:
            yield noun
