"""Filters that a follow-up takes back: drop the year limit, any venue."""

import re

from tools.search_fields.denial.words import UNDO
from tools.search_fields.passage import Found
from tools.search_fields.words.pieces import any_of

TIME = ("year_from", "year_to", "date_from", "date_to")
"""The fields that hold the time of a search."""
_FILTERS: dict[str, tuple[str, ...]] = {
    r"years?|dates?|time|recency|recent": TIME,
    r"open[- ]access|oa|access": ("open_access_only",),
    r"authors?": ("authors",),
    r"venues?|journals?|conferences?": ("venue",),
    r"citations?": ("min_citations",),
    r"(?:fields?|disciplines?)(?: of study)?": ("fields_of_study",),
    r"limit": ("limit",),
    r"filters?|limits|restrictions?|constraints?": (
        *TIME, "open_access_only", "authors", "venue", "fields_of_study", "min_citations",
    ),
}  # fmt: skip
_KIND = "(?:limits?|filters?|restrictions?|constraints?|ranges?|requirements?|condition)"
_WHICH = any_of(*_FILTERS)
_DROP = re.compile(
    rf"\b{UNDO}(?: about)? (?:(?:the|that|this|those|these|any|all|all the|my) )?"
    rf"({_WHICH}(?: (?:and|or) (?:the )?{_WHICH}){{0,3}})(?:[- ]only)?(?: {_KIND})?"
    r"(?=\s*(?:[,.;:!?]|$|please|and|but|again|now|instead|too|as well))"
)
_ANY = re.compile(
    r"\b(?:(?:by|from|in|at) any (author|venue|journal|conference)s?"
    r"|any (field|discipline)s?(?: of study)?)\b"
    r"|(?:^|[,;.])(?:\W*(?:and|ok|okay|now|but|from|so)\b){0,2}\W*any (author|venue|journal"
    r"|conference)s?(?: (?:is|are|would be))?(?: (?:fine|ok|okay|good|will do|works))?"
    r"(?=\W*(?:$|please|now|again|too))"
)


def dropped_in(text: str) -> tuple[list[Found], list[str]]:
    """Find the filters that are taken back, and the fields they set."""
    found: list[Found] = []
    fields: list[str] = []
    for match in (*_DROP.finditer(text), *_ANY.finditer(text)):
        kinds = [
            kind for kind in _FILTERS if re.search(rf"\b(?:{kind})\b", match[match.lastindex or 0])
        ]
        named = [name for kind in kinds for name in _FILTERS[kind]]
        fields += named
        field = "filters" if len(kinds) != 1 or len(named) > len(TIME) else named[0]
        field = "years" if tuple(named) == TIME else field
        found.append(Found(field, None, "dropped", match.span(), is_taken=False))
    return found, fields


def names_filters(text: str) -> bool:
    """Tell whether filters are taken back by that name, which is that of nothing but a search's.

    `Remove the limit` may be of a card, and `delete the journal` of a book.
    """
    matches = _DROP.finditer(" ".join(text.casefold().split()))
    return any(re.search(r"\bfilters?\b", match[0]) for match in matches)
