"""What papers are wanted for, which is not what they are about: for my essay on pollination."""

import re
from dataclasses import dataclass

from tools.search_fields.words.pieces import any_of

_WHOSE = any_of(
    "my", "our", "his", "her", "their", "this", "a friend's",
    "an? (?:school|university|uni|college|class|course|master'?s|bachelor'?s|phd|doctoral|grant)",
)  # fmt: skip
_WORK = any_of(
    "thesis", "essay", "dissertation", "paper", "class", "course", "talk", "presentation",
    "review", "literature review", "seminar", "assignment", "report", "homework", "proposal",
    "lecture", "article", "book", "chapter", "blog", "blog post", "phd", "project", "poster",
    "manuscript", "coursework", "term paper", "journal club", "study", "grant", "exam",
)  # fmt: skip
_PURPOSE = re.compile(
    rf"\b(?:for|in) {_WHOSE}(?: (?!on\b|about\b)[\w'-]+){{0,2}}?(?: {_WORK}){{1,2}}\b"
    r"(?: (?:on|about|regarding) (?P<about>[^,.;:!?\n]*?"
    r"(?=[,.;:!?\n]|$|\s(?:i|we|please|can|could|find|need|papers)\b|\s{4})))?[ ,:;-]*"
)


@dataclass(frozen=True)
class Purpose:
    """A purpose in a text: all of it, and its lead without what it says the work is about."""

    span: tuple[int, int]
    lead: tuple[int, int]


def purposes_in(text: str) -> list[Purpose]:
    """Find what papers are wanted for; its subject is the topic only if no other one is said."""
    return [
        Purpose(match.span(), (match.start(), match.start("about")))
        if match["about"]
        else Purpose(match.span(), match.span())
        for match in _PURPOSE.finditer(text)
    ]
