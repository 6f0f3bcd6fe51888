"""Find what ends a text and is none of its words: thanks, haste, provisos and a signature."""

import re
from bisect import bisect_left

from tools.routing.words.normalise import Normal
from tools.routing.words.provisos import PROVISO

_CLOSING = (
    r"(?:(?:with )?(?:best|kind|kindest|warm|warmest|many|friendly)?[ ]?(?:regards|wishes|thanks)"
    r"|best|thank you|thx|cheers|yours(?: (?:truly|sincerely|faithfully))?|sincerely|br|rgds|mfg"
    r"|sent from [^\n]{1,40}|get outlook [^\n]{1,40})"
)
_SIGNED = re.compile(
    rf"\n[ \t]*(?:-- ?(?=\n)|_{{3,}}|{_CLOSING}(?: (?:a lot|so much|again|in advance))?[ \t]*"
    r"(?:[,.!-]+[ \t]*(?:[\w'.-]+(?: [\w'.-]+){0,2})?)?[ \t]*(?=\n|$))"
)
"""The line that begins a signature; what stands behind it is of it too."""
_BLANK_LINE = re.compile(r"\n[ \t]*\n\s*")
_MOST_SIGNED = 5
"""Lines of a signature."""
_FIRST = r"[A-Z][\w'.-]*"
_NAME = re.compile(rf"{_FIRST}(?: (?:(?:van|de|der|den|von|da|di|la|el) )*{_FIRST}){{1,2}}")
_LAST_LINE = re.compile(rf"\n[ \t]*(?P<dash>- ?)?{_FIRST}(?: {_FIRST}){{0,2}}[ \t]*$")
_GREETING = re.compile(
    r"\s*(?:hi|hello|hey|dear|ahoy|good (?:morning|afternoon|evening|day))\b[^\n]{0,40}\n",
    re.IGNORECASE,
)
"""Who begins like this signs at the end."""
_TELLS = re.compile(
    r"\b(?:is|was|are|were|has|have|had|the|not|needs?|to|ok|done|new)\b", re.IGNORECASE
)
_DONE = re.compile(r"(?:ed|ing)\b")
"""These tell how something is, where only names and functions stand in a signature."""
_THANKS = (
    r"(?:many |kind )?(?:thanks|thank you)"
    r"(?: (?:you|a (?:lot|million|bunch|ton)|so much|very much|again|in advance))*"
    r"|thx|(?:cheers|ta)(?: mate)?|(?:pretty )?please|pls|bye|over and out"
    r"|much (?:appreciated|obliged)|(?:will|would|can|could) you|mate|boss|folks|guys"
)
_HASTE = (
    r"(?:there's |there is )?no (?:rush|hurry)|take your time|hurry(?: up)?|quick|at once"
    r"|right (?:away|now)|chop chop|pronto|for (?:heaven's|god's|goodness'?|pete's) sake"
)
_BY_THE_WAY = r"by the way|btw|fyi|just so you know|before i forget|that's (?:all|it)|full stop"
_ASIDE = re.compile(rf"(?<!\S)(?:{_THANKS}|{_HASTE}|{_BY_THE_WAY}|{PROVISO})$")
_MARKS = " \t\n,.;!?()-"


def without_signature(normal: Normal, start: int, end: int) -> int:
    """Say where a piece of the normal text ends before the signature that may close it.

    Args:
        start: where it begins, with the white space before it.
    """
    signed = _SIGNED.search(normal.text, start, end)
    if signed is not None:
        return signed.start()
    first, last = normal.span(start, end)
    line = _LAST_LINE.search(normal.original, first, last)
    if line and not _DONE.search(line[0]) and (line["dash"] or _GREETING.match(normal.original)):
        return bisect_left(normal.origin or range(end + 1), line.start(), start, end)
    blanks = list(_BLANK_LINE.finditer(normal.original, first, last))
    if not blanks or not _signs(normal.original[blanks[-1].end() : last].strip().split("\n")):
        return end
    return bisect_left(normal.origin or range(end + 1), blanks[-1].start(), start, end)


def _signs(lines: list[str]) -> bool:
    """Tell whether the last lines are a name, and what its owner is."""
    tells = any(map(_TELLS.search, lines)) or _DONE.search(lines[0])
    is_named = _NAME.fullmatch(lines[0].rstrip(" ,.")) is not None
    return is_named and not tells and len(lines) <= _MOST_SIGNED


def is_aside(text: str) -> bool:
    """Tell whether all of a text is thanks, haste or a proviso."""
    return _ASIDE.fullmatch(text.strip(_MARKS).lower()) is not None


def without_asides(normal: Normal, start: int, end: int) -> int:
    """Say where a piece ends before thanks and provisos: `seal replaced, weather permitting`."""
    text = normal.text[start:end]
    while True:
        said = text.rstrip(_MARKS)
        aside = _ASIDE.search(said)
        before = said[: aside.start()].rstrip(" \t") if aside else ""
        if aside is None or (before and before[-1] not in _MARKS):
            return start + len(said)
        text = before
