"""What a search is not to be about: `papers on mice but not rats`, `excluding reviews`."""

import re
from collections.abc import Iterator

from tools.search_fields.passage import Found

_LEAVES_OUT = (
    r"(?:but not|(?:and )?not (?:about|on)|except(?:ing)?(?: for)?|other than"
    r"|(?<!\bon )(?<!\bof )(?<!\bto )(?<!\bfor )(?<!\babout )"
    r"(?:but )?(?:excluding|leaving out|omitting)"
    r"|(?:(?<=^)|(?<=[,;(.] )|(?<=\bbut )|(?<=\band )|(?<=please ))"
    r"(?:exclude|leave out|omit|skip))"
)
"""`Excluding` says so anywhere but as the topic, `papers on excluding minorities`; the bare verbs
where an order may begin: `skip connections` are a topic."""
_FURTHER = (
    r"from|since|before|after|by|in|published|please|pls|thanks|over|during|within|with|between"
)
_WORDS = r"[^\W\d_][\w'-]*(?: [^\W\d_][\w'-]*){0,3}?"
_BEHIND = re.compile(
    rf"\b{_LEAVES_OUT}"
    r" (?!(?:the )?(?:last|past|first|year|month|from|since|before|after|by|in|when|that|if)\b)"
    rf"(?P<what>{_WORDS}(?: (?:and|or)"
    rf" (?!(?:{_FURTHER}|only|not|no|the|sort|show|find|limit)\b){_WORDS})?)"
    rf"(?=\s*(?:$|[,.;:!?)]|\n)| (?:{_FURTHER}|and|but)\b)"
)
"""Of the other ways to deny, `without` and `no` are of topics: learning without labels."""


def excluded_in(text: str) -> Iterator[Found]:
    """Find the words of topics that are left out; no provider can leave them out for us."""
    for match in _BEHIND.finditer(text):
        yield Found("query", None, "topic_denied", match.span(), is_taken=False)
