"""In which order papers are wanted, and how often cited they have to be."""

import re
from collections.abc import Iterator

from tools.search_fields.passage import Found

_BY = (
    r"(?:sort(?:ed)?|order(?:ed)?|rank(?:ed)?|arranged?)(?: (?:it|them|these|those|results"
    r"|the results))? by"
)
_RULES = tuple(
    (field, value, re.compile(pattern))
    for field, value, pattern in (
        ("sort_by", "citations", (rf"\b(?:{_BY} (?:the )?(?:number of )?(?:citations?(?: counts?)?"
        rf"|impact)"
         r"|(?:the )?(?:most|best|highest|highly|top|much"
         r"|heavily)[- ]cited(?: (?:ones )?first)?|by citations?(?: counts?)?)\b")),
        ("sort_by", "date", (rf"\b(?:{_BY} (?:publication )?(?:date|year|recency|newest"
        rf"|latest)(?: first)?"
         r"|(?:the )?(?:newest|latest|most recent)(?: ones)? (?:first|to oldest)"
         r"|(?:in )?(?:reverse )?chronological order|by date)\b")),
    )
)  # fmt: skip
_CITED = re.compile(
    r"\b(?:(?:with|that have|having|has|have) (?:(at least|a minimum of|min(?:imum)?)"
    r"|(more than|over)) (\d{1,6})\+? citations?"
    r"|()()(?:at least|a minimum of|minimum(?: of)?|min\.?) (\d{1,6}) citations"
    r"|cited (?:(at least)|(more than|over)) (\d{1,6}) times|()()(\d{1,6})\+ citations)\b"
)


def ordering_in(text: str) -> Iterator[Found]:
    """Find the wanted order and the least number of citations."""
    for field, value, pattern in _RULES:
        for match in pattern.finditer(text):
            yield Found(field, value, value, match.span())
    for match in _CITED.finditer(text):
        number = int(match[3] or match[6] or match[9] or match[12])
        is_above = bool(match[2] or match[8])
        yield Found("min_citations", number + is_above, "cited", match.span())
