"""Recognise questions about what happened: how often, whether before, when last."""

import re
from typing import NamedTuple

from tools.nlu.lexicon.normalization import Normal, word_set
from tools.nlu.reader.reading import Reading

_OFTEN = re.compile(r"\bhow (?:often|many times|frequently)\b")
_BEFORE = re.compile(
    r"^(?:so |and |but )?(?:has|have|had|did|was|were|is|are)\b.*\b(?:before|ever|already|again"
    r"|in the past|earlier)$|^(?:is|was) (?:this|that|it) the first time\b"
)
_LAST = re.compile(
    r"\bwhen (?:did|was|has|have|were)\b.*\blast\b|\bwhen (?:was|is) the last time\b"
    r"|\bhow long (?:ago|is it since|since)\b.*\b(?:last|did|was)\b"
)
_POINTS = word_set("this that it these those")
_ONESELF = word_set("i me my we us our you your")
_NO_THING = word_set(
    "how often many times frequently has have had did was were is are do does before ever already"
    " again in the past earlier when last time a an of long ago since today yesterday so far and"
    " this that it to be been happen happens happened occur occurs occurred first"
)
_GO_OFF = re.compile(r"\b(?:go|goes|went|gone|going) off\b")
"""Of an alarm it means that it sounds, not that it is switched off."""


class PastQuestion(NamedTuple):
    """A question about what happened in a session."""

    things: str
    """The words for what it happened to; empty: to the last event, which `this` points at."""
    words: str
    """The question, as a state of the thing is read from it."""


def past_question(normal: Normal, reading: Reading | None) -> PastQuestion | None:
    """Recognise such a question; None: it asks for something else, or about who speaks."""
    said = " ".join(normal.text.lower().split()).rstrip("?!. ")
    if not any(pattern.search(said) for pattern in (_OFTEN, _BEFORE, _LAST)):
        return None
    words = normal.words
    if not _ONESELF.isdisjoint(words):
        return None
    tags = reading.tags if reading is not None else ("o",) * len(words)
    named = zip(words, tags, strict=True)
    things = [word for word, tag in named if tag in "oa" and word not in _NO_THING]
    points = not _POINTS.isdisjoint(words)
    if not things and not points:
        return None
    return PastQuestion(" ".join(things), _GO_OFF.sub("", said))
