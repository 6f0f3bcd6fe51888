"""Which of several values is the old one: `from 3 to 7`, `7 instead of 3`, `not 3 but 7`."""

import re
from collections.abc import Collection, Sequence

from tools.routing.words.normalise import Normal

Place = tuple[int, int]
"""The words `first` to `end` of a value."""
_OLD_BEFORE = re.compile(
    r"\b(?:instead of|rather than|in place of|not|no longer|isn't|wasn't)"
    r"(?: (?:on|by|at|the|due|for))*$"
)
_WAS = re.compile(
    r"\b(?:was|were|used to be|had been"
    r"|(?:is|are)(?: (?:still|now|currently))? (?:due|set|down|planned))"
    r"(?: (?:to be|only|still|set|due|planned|on|for|at|down))*$"
)
_NEW = re.compile(
    r"\b(?:make|set|put|move|change|should be|is now|now|to|but|becomes?|it's|it is)\b"
)
_BETWEEN = re.compile(r"(?: ?[\w'%]+){0,3},? (?:over |on )?(?:to|until|till) (?:the )?")


def without_old(normal: Normal, places: Sequence[Place]) -> Collection[Place]:
    """Leave out what is said to be the value until now, where the new one is said as well."""
    new = [one for at, one in enumerate(places) if not _is_old(normal, one, places[at + 1 :])]
    return new or places


def is_range(normal: Normal, one: Place, following: Sequence[Place]) -> bool:
    """Tell whether a value begins `from one to another`."""
    if not following:
        return False
    tokens = normal.tokens
    before = normal.text[: tokens[one[0]].start]
    between = normal.text[tokens[one[1] - 1].end : tokens[following[0][0]].start]
    is_from = re.search(r"\bfrom (?:the )?$", before) is not None
    is_arrow = re.fullmatch(r"\s*(?:-+>|=>|→)\s*", between) is not None
    return is_arrow or (is_from and _BETWEEN.fullmatch(between) is not None)


def _is_old(normal: Normal, one: Place, following: Sequence[Place]) -> bool:
    before = normal.text[: normal.tokens[one[0]].start].rstrip()
    if _OLD_BEFORE.search(before) or is_range(normal, one, following):
        return True
    if not following or not _WAS.search(before):
        return False
    start, stop = normal.tokens[one[1] - 1].end, normal.tokens[following[0][0]].start
    return _NEW.search(normal.text[start:stop]) is not None
