"""The text as the rules see it: in its normal form, with what is quoted out of their sight.

An end that only asks to hear of it (`and let me know when you're done`) is left out.
"""

import re
from dataclasses import dataclass

from tools.routing.words.normalise import Normal, normalise
from tools.routing.words.reporting_back import without_report

MOST_READ = 1_000
"""Characters that are read; what is longer is a document, and no request for one."""

HIDDEN = "\ue000"
"""Stands for a character that no rule may read; it is no letter, no digit and no space."""

_QUOTED = re.compile(r'"([^"\n]{1,300})"|(?<![\w])\'(?!\d0s)([^\'\n]{2,300})\'(?!\w)')


@dataclass(frozen=True)
class Passage:
    """A text with its quotations set apart."""

    normal: Normal
    text: str
    """The normal text, what is quoted in it hidden; places are the same."""
    quoted: tuple[tuple[int, int], ...]
    """Where the insides of the quotations stand in the normal text."""

    @classmethod
    def of(cls, text: str) -> "Passage":
        """Prepare a text."""
        normal, _report = without_report(normalise(text[:MOST_READ]))
        quoted = tuple(
            match.span(1 if match[1] is not None else 2) for match in _QUOTED.finditer(normal.text)
        )
        seen = normal.text
        for first, end in quoted:
            seen = seen[:first] + HIDDEN * (end - first) + seen[end:]
        return cls(normal, seen, quoted)

    def written(self, span: tuple[int, int]) -> str:
        """Give a piece as the person wrote it, without space around it."""
        return self.normal.written(*span).strip()


@dataclass(frozen=True)
class Found:
    """A piece of the text that says something of one field, and the rule that read it."""

    field: str
    value: object
    rule: str
    span: tuple[int, int]
    """In the normal text."""
    is_taken: bool = True
    """False: said, but no value can be taken from it."""
