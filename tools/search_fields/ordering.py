"""In which order papers are wanted, and how often cited they have to be."""

import re
from collections.abc import Iterator

from tools.search_fields.passage import Found
from tools.search_fields.words import any_of

_BY = (
    "(?:sort(?:ed)?|order(?:ed)?|rank(?:ed)?|arranged?)"
    "(?: (?:it|them|these|those|results|the results))? by"
)
_CITATIONS = re.compile(
    r"\b"
    + any_of(
        rf"{_BY} (?:the )?(?:number of )?(?:citations?(?: counts?)?|impact)",
        "(?:the )?(?:most|best|highest|highly|top|much|heavily)[- ]cited(?: (?:ones )?first)?",
        "by citations?(?: counts?)?",
    )
    + r"\b"
)
_NEWEST = re.compile(
    r"\b"
    + any_of(
        rf"{_BY} (?:publication )?(?:date|year|recency|newest|latest)(?: first)?",
        "(?:the )?(?:newest|latest|most recent)(?: ones)? (?:first|to oldest)",
        "(?:in )?(?:reverse )?chronological order",
        "by date",
    )
    + r"\b"
)
_LEAST = "at least|a minimum of|minimum(?: of)?|min\\.?"
_CITED = re.compile(
    r"\b(?:(?:with|that have|having|has|have|cited) )?"
    rf"(?:(?:{_LEAST})|(?P<above>more than|over)) (?P<number>\d{{1,6}})\+? (?:citations?|times)\b"
    r"|\b(?:with )?(?P<plus>\d{1,6})\+ citations\b"
)


def ordering_in(text: str) -> Iterator[Found]:
    """Find the wanted order and the least number of citations."""
    for value, pattern in (("citations", _CITATIONS), ("date", _NEWEST)):
        for match in pattern.finditer(text):
            yield Found("sort_by", value, value, match.span())
    for match in _CITED.finditer(text):
        number = int(match["number"] or match["plus"]) + (match["above"] is not None)
        yield Found("min_citations", number, "cited", match.span())
