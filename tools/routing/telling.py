"""Does a sentence that denies or supposes tell how things are, or what would be good?"""

import re

from tools.routing.reading import Reading

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


def _words(reading: Reading) -> str:
    return " ".join(token.text for token in reading.normal.tokens)
