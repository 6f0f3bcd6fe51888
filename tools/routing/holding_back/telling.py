"""Does a text only tell: how things are, what is not so, or what would be good?"""

import re

from tools.routing.reading import Reading
from tools.routing.words.phrases import word_set

_NAMES = frozenset({"statement", "unknown_word", "mark", "polite", "please"})
"""Signs of a text that is no sentence, as `fuel filters`: it may well ask."""
_TELLS = word_set(
    "was were had did got made went came gave took ran broke left started failed worked seemed "
    "looked felt became brought already it's that's he's she's there's"
)
"""Behind these something is told, whatever the verb: `the gangway motor got very hot`."""
_FACT = re.compile(
    r"(?:(?:nobody|no one|noone|none|nothing)(?! (?:should|must|may|shall|wants? you|would))"
    r"|(?!you\b|please\b|don't\b|do not\b|dont\b|never\b|not\b|no\b|let)(?:[\w'-]+ ){1,8}?"
    r"(?:isn't|aren't|wasn't|weren't|hasn't|haven't|hadn't|doesn't|didn't|won't|can't|cannot"
    r"|couldn't|(?:is|are|was|were|has|have|had|does|did|will|can) (?:not|never)"
    r"|(?:shouldn't|should not|mustn't|must not) have"
    r"|(?:shouldn't|should not) be(?! \w+(?:ed|en)\b)"
    r"|(?:we|i) (?:don't|do not))) "
)
"""`nobody has looked at it`, `the fridge isn't cold`: what is not so, where `it must not be closed`
forbids a doing."""
_WISH = re.compile(
    r"(?:(?:so|but|and|well|maybe|perhaps) )*(?:(?:it|that) (?:would|might) be (?!not)(?:[\w'-]+ )?"
    r"(?:nice|good|great|easier|better|helpful|useful|wise|handy|best|lovely|sensible|interesting)"
    r" (?:if|to|for)(?! not)\b|if only\b|i wish\b)"
)
"""Supposed, and wanted: `it would be easier if Ben could see it`."""


def tells_fact(reading: Reading) -> bool:
    """Tell `nobody has looked at it since May` from a doing that is denied."""
    return reading.act.reason == "denied" and _FACT.match(_words(reading)) is not None


def wishes(reading: Reading) -> bool:
    """Tell a wish from what is only supposed."""
    return reading.act.mood == "hypothetical" and _WISH.match(_words(reading)) is not None


def only_tells(reading: Reading) -> bool:
    """Tell a sentence that asks for nothing from a request, a question and a mere name."""
    act = reading.act
    if act.mood in ("command", "request", "question"):
        return False
    words = reading.normal.words
    return act.reason not in _NAMES or not _TELLS.isdisjoint(words[:-1])


def lists_past(reading: Reading) -> bool:
    """Tell `closed work orders that are not mine`: several things that something was done to."""
    verb = next((one for one in reading.verbs if one.first == 0 and one.form == "past"), None)
    if verb is None or reading.act.mood != "statement":
        return False
    words = reading.normal.words
    named = (one for one in reading.things.all if one.first == verb.end)
    return any(words[one.end - 1].endswith("s") for one in named)


def _words(reading: Reading) -> str:
    return " ".join(reading.normal.words)
