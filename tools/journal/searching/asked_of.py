"""Whose decisions are asked for: "what did dora decide?", "chosen by Ann Lee", "Bo's decisions"."""

import re
from collections.abc import Iterator
from typing import NamedTuple

from tools.journal.searching.terms import STOP_WORDS

_NAME = r"[^\W\d_][\w.-]*"
_NAMES = rf"{_NAME}(?:,? (?:and )?{_NAME}){{0,5}}"
_DECIDE = r"decide|choose|agree|settle|pick|propose|adopt|reject|approve"
_DONE = r"decided|chosen?|agreed|settled|picked|proposed|adopted|rejected|approved|made|taken"
_HOW = r"(?: \w+ly| ever| just)"
_WAYS = tuple(
    re.compile(way, re.IGNORECASE)
    for way in (
        rf"(?<!\bwhy )\b(?:did|has|have|had) (?P<who>{_NAMES}?){_HOW}? (?:{_DECIDE}|{_DONE})\b",
        rf"\b(?:{_DONE}|decisions?) by (?P<who>{_NAMES})",
        rf"(?<![\w@-])(?P<who>{_NAME}(?: {_NAME})?)['’]s? decisions?\b",
    )
)
_BETWEEN = re.compile(r",? and |, ")


class Whose(NamedTuple):
    """Who may be meant, and where in the question they stand."""

    names: tuple[str, ...]
    start: int
    end: int


def may_be_people(text: str) -> Iterator[Whose]:
    """List who may be meant, the longest reading of each first; the records tell whether they are.

    A common word is nobody: "what did we decide" asks for everybody's. And "why did Ann choose …?"
    may be answered by what somebody else says of Ann.
    """
    for way in _WAYS:
        for found in way.finditer(text):
            words = [*re.finditer(r"\S+", found["who"])]
            for start in range(len(words)):
                for end in range(len(words), start, -1):
                    first, last = words[start].start(), words[end - 1].end()
                    said = found["who"][first:last].rstrip(",.-")
                    names = tuple(_BETWEEN.split(said))
                    if not any(STOP_WORDS & set(one.lower().split()) for one in names):
                        at = found.start("who")
                        yield Whose(names, at + first, at + first + len(said))
