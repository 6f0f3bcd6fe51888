"""What a search is not to be about: `papers on mice but not rats`, `excluding reviews`."""

import re
from collections.abc import Iterator

from tools.search_fields.passage import Found

_BEHIND = re.compile(
    r"\b(?:but not|(?:and )?not (?:about|on)|(?:but )?exclud(?:e|ing)|except(?:ing)?(?: for)?"
    r"|other than|leav(?:e|ing) out|omit(?:ting)?|skip)"
    r" (?!(?:the )?(?:last|past|first|year|month|from|since|before|after|by|in|when|that|if)\b)"
    r"(?P<what>[^\W\d_][\w'-]*(?: [^\W\d_][\w'-]*){0,3}?)"
    r"(?=\s*(?:$|[,.;:!?)]|\n)| (?:from|since|before|after|by|in|published|please|pls|thanks|and"
    r"|but|over|during|within|with|between)\b)"
)
"""Of the other ways to deny, `without` and `no` are of topics: learning without labels."""


def excluded_in(text: str) -> Iterator[Found]:
    """Find the words of topics that are left out; no provider can leave them out for us."""
    for match in _BEHIND.finditer(text):
        yield Found("query", None, "topic_denied", match.span(), is_taken=False)
