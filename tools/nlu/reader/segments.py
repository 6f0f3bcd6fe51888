"""Cut a message into its requests: before each further verb that asks, and between sentences."""

import re
from itertools import pairwise

from tools.nlu.lexicon.cue_phrases import PARTICLES
from tools.nlu.lexicon.normalization import Normal, word_set
from tools.nlu.reader.reading import Reading

_JOINTS = word_set("and then plus also afterwards or but und dann")
"""Between two verbs these part two requests."""
_FILLERS = word_set("please now just the a bitte")
_STOP = re.compile(r"[.;!?\n,]")
_HARD = re.compile(r"[.;!?\n]")
_BINDS = word_set("to if zu a an the")
"""Right before a verb these make it a part of what is before: `ask Ben to call`."""
_AHEAD = frozenset("tcp")
"""Tags of what may stand before a verb and belong to it."""
_ADDS = word_set("not even nor")
"""What these open goes on with the request before it: `not even alarms`."""
_LEAST = 2
"""Words of a sentence that may be a request of its own."""


def requests_in(normal: Normal, reading: Reading) -> tuple[range, ...]:
    """Give the words of each request; one range: the text asks once."""
    words, verbs, starts = normal.words, list(reading.spans("v")), [0]
    for before, verb in pairwise(verbs):
        # `a half` and `to call` are no order of their own.
        if not _BINDS.isdisjoint(words[max(before.end, verb.first - 1) : verb.first + 1]):
            continue
        joint = next((at for at in range(verb.first, before.end, -1) if _parts(normal, at)), None)
        if joint is None and not _parts(normal, before.end):
            continue
        first = before.end if joint is None else joint
        while first < verb.first and words[first] in _JOINTS | _FILLERS:
            first += 1
        if words[first] in _ADDS:
            continue
        # `the porch light on`, `is the back door locked`: the thing comes before the verb.
        own = any(tag == "o" for tag in reading.tags[first : verb.first])
        is_first = any(tag == "o" for tag in reading.tags[starts[-1] : first])
        is_part = set(words[verb.first : verb.end]) <= PARTICLES
        has_part = not PARTICLES.isdisjoint(words[starts[-1] : first])
        is_sentence = _parts(normal, first, _HARD)
        # `and at six turn it off`: what narrows the next request stands before its verb.
        is_ahead = joint is not None and set(reading.tags[first : verb.first]) <= _AHEAD
        if (
            first == verb.first
            or is_sentence
            or is_ahead
            or (own and is_first and (has_part or not is_part))
        ):
            starts.append(first)
    return tuple(_without_joint(words, *ends) for ends in pairwise([*starts, len(words)]))


def _without_joint(words: list[str], first: int, end: int) -> range:
    while end - 1 > first and words[end - 1] in _JOINTS | _FILLERS:
        end -= 1
    return range(first, end)


def _parts(normal: Normal, at: int, mark: re.Pattern[str] | None = None) -> bool:
    """Tell whether a mark, by default of any sort or a joint word, stands before a word."""
    gap = normal.text[normal.tokens[at - 1].end : normal.tokens[at].start]
    is_joint = mark is None and normal.words[at - 1] in _JOINTS
    return is_joint or (mark or _STOP).search(gap) is not None


def sentences_in(normal: Normal) -> tuple[range, ...]:
    """Give the words of each sentence that may be a request of its own."""
    tokens, cuts = normal.tokens, [0]
    for place in range(1, len(tokens)):
        gap = normal.text[tokens[place - 1].end : tokens[place].start]
        if _HARD.search(gap) and place - cuts[-1] >= _LEAST and len(tokens) - place >= _LEAST:
            cuts.append(place)
    return tuple(map(range, cuts, [*cuts[1:], len(tokens)])) if tokens else ()


def text_of(normal: Normal, words: range) -> str:
    """Write the words of a range as the person wrote them."""
    tokens = normal.tokens
    return normal.written(tokens[words.start].start, tokens[words.stop - 1].end)
