"""Words that turn what follows into its opposite: not by Smith, none in Nature, nothing from."""

import re

from tools.search_fields.words import PAPERS, any_of

_REACH = 60
"""Characters before a field that may hold what denies it."""
_NOT = any_of(
    r"\b(?<!why )not", r"\bnone", r"\bnothing", r"\bno", r"\bnever", r"\bwithout", "n't",
    r"\bexcept(?: for)?", r"\bexclud(?:e|es|ing)", r"\b(?:other|rather) than", r"\bleave out",
    r"\banything but", r"\bavoid", r"\bskip", r"\bomit", r"\bignore",
)  # fmt: skip
_BETWEEN = any_of(
    PAPERS, "any(?:thing)?", "those", "the", "ones?", "work", "only", "just", "necessarily",
    "that (?:is|are|was|were)", "been", "be", "written", "authored", "published", "appeared",
    "from", "of",
)  # fmt: skip
_DENIES = re.compile(rf"(?:\b(?:but|and) )?(?:(?:is|are|was|were))?{_NOT}(?: {_BETWEEN}){{0,4}} $")


def denied_from(text: str, start: int) -> int | None:
    """Give where the denial of what starts here begins; None: it is not denied."""
    offset = max(0, start - _REACH)
    match = _DENIES.search(text[offset:start])
    return offset + match.start() if match else None
