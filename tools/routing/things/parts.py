"""Parts of names that mean one thing, where such a thing has to be meant: `few-shot learners`."""

from collections.abc import Iterator, Sequence, Set

from tools.routing.things.entities import POSSESSIVE, Mention
from tools.routing.things.names import NamesOfKind
from tools.routing.words.normalise import Normal
from tools.routing.words.phrases import singular
from tools.routing.words.signs import FUNCTION_WORDS
from tools.routing.words.spelling import english_words

_LONGEST, _LEAST_LETTERS = 6, 4
_CONFIDENCE = 0.8


def parts_of_names(
    normal: Normal, free: Set[int], named: Sequence[Mention], names: NamesOfKind
) -> Iterator[Mention]:
    """Find runs of words that stand together in the name of one thing and of no other.

    Two words at least, or one that is no English or is written as a name (`16x16`, `Brown`).
    Whoever searches for graph attention means no paper of that title: ask only where the thing is
    required.

    Args:
        free: words that may name it.
        named: what is named already; a part of it names nothing else.
    """
    words = [token.text.removesuffix(POSSESSIVE) for token in normal.tokens]
    proper = {place for place in range(1, len(words)) if _is_capital(normal, place)}
    first = 0
    while first < len(words):
        found = _at(words, first, free, named, names, proper)
        if found is not None:
            yield found
        first = found.end if found is not None else first + 1


def _at(
    words: Sequence[str],
    first: int,
    free: Set[int],
    named: Sequence[Mention],
    names: NamesOfKind,
    proper: Set[int],
) -> Mention | None:
    if words[first] in FUNCTION_WORDS or words[first] not in names.by_word:
        return None
    for end in range(min(len(words), first + _LONGEST), first, -1):
        part = words[first:end]
        is_free = set(range(first, end)) <= free and part[-1] not in FUNCTION_WORDS
        if not is_free or not _says_enough(part, is_proper=first in proper):
            continue
        if any(one.is_known and one.first <= first and end <= one.end for one in named):
            continue
        found = names.holding(part)
        if len(found) == 1:
            return Mention(names.kind, found.pop(), _CONFIDENCE, first, end)
    return None


def _says_enough(part: Sequence[str], *, is_proper: bool) -> bool:
    if sum(word not in FUNCTION_WORDS for word in part) > 1:
        return True
    is_short = len(part[0]) < _LEAST_LETTERS or part[0].isdigit()
    is_english = not english_words().isdisjoint((part[0], singular(part[0])))
    return len(part) == 1 and not is_short and (is_proper or not is_english)


def _is_capital(normal: Normal, place: int) -> bool:
    token = normal.tokens[place]
    written = normal.written(token.start, token.end)
    before = normal.text[normal.tokens[place - 1].end : token.start]
    is_first = any(stop in before for stop in ".!?:;")
    return written[:1].isupper() and not written.isupper() and not is_first
