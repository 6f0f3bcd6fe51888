"""Which numbers say how many of something there are, and are no thing's: `1000 oil filters`."""

from collections.abc import Sequence, Set

from tools.routing.things.names import Names
from tools.routing.words.normalise import Normal
from tools.routing.words.phrases import singular, word_set
from tools.routing.words.request_frames import REQUEST
from tools.routing.words.signs import LEAD

SAYS_NUMBER = word_set("number no nr num")
_BETWEEN = word_set("of the those these our my more extra additional further new spare other")
"""Between a number and what it counts."""


def is_said_as_number(normal: Normal, place: int) -> bool:
    """Tell `number 1000`, `no. 1000` and `#1000`."""
    before = normal.tokens[place - 1].text if place else ""
    sign = normal.text[: normal.tokens[place].start].rstrip()[-1:]
    return before in SAYS_NUMBER or sign == "#"


def counts_things(
    normal: Normal,
    span: range,
    words: Sequence[str],
    names: Names,
    verb_words: Set[str],
    nouns: Set[tuple[str, ...]],
) -> bool:
    """Tell `1000 oil filters` from `1000`, `work order 1000` and `1000, oil filters`.

    In `order 1000 filters` the order is a verb, though a kind of thing may be called so too.

    Args:
        span: the words that would name the thing.
        nouns: what kinds of things are called: `show 1042 parts` may be of 1042.
    """
    last = span.stop - 1
    is_bare = len(span) == 1 and not is_said_as_number(normal, last)
    is_of_verb = len(span) == 2 and words[span.start] in verb_words and _opens(words[: span.start])
    is_free = words[last].isdigit() and (is_bare or is_of_verb)
    return is_free and _counts(normal, words, last, names, nouns)


def _opens(before: Sequence[str]) -> bool:
    """Tell whether nothing but what leads to an order stands before it."""
    led = " ".join(before)
    for lead in (LEAD, REQUEST):
        found = lead.match(led)
        led = led[found.end() :] if found else led
    return not led


def _counts(
    normal: Normal, words: Sequence[str], place: int, names: Names, nouns: Set[tuple[str, ...]]
) -> bool:
    """Tell whether things of a name that is said in the plural stand right behind a number."""
    place += 1
    while words[place : place + 1] and words[place] in _BETWEEN and stands_right_at(normal, place):
        place += 1
    if place >= len(words) or not stands_right_at(normal, place):
        return False
    found = names.at(words, place)
    end = found.end if found is not None else place + 1
    if not _is_plural(words[end - 1]) or tuple(words[place:end]) in nouns:
        return False
    if found is None:
        return words[place] in names.with_head
    one = (*words[place : end - 1], singular(words[end - 1]))
    return any(names.of(kind).is_name(thing, one) for kind, thing in found.payloads)


def stands_right_at(normal: Normal, place: int) -> bool:
    """Tell whether nothing but a space parts a word from the one before it."""
    return normal.text[normal.tokens[place - 1].end : normal.tokens[place].start] == " "


def _is_plural(word: str) -> bool:
    return singular(word) != word
