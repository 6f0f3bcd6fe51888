"""What a search is not to be about: `papers on mice but not rats`, `excluding reviews`."""

import re
from collections.abc import Iterator

from tools.search_fields.denial.words import LEAVE_OUT, OMIT, OMITTED, OMITTING, REFUSES, SAVE
from tools.search_fields.passage import Found
from tools.search_fields.words.papers import KINDS, OWN_KIND, PAPERS

_LEAVES_OUT = (
    rf"(?:but not|(?:and )?not (?:about|on)|{SAVE}|barring"
    r"|(?<!\bon )(?<!\bof )(?<!\bto )(?<!\bfor )(?<!\babout )"
    rf"(?:but )?{OMITTING}"
    rf"|(?:(?<=^)|(?<=[,;(.] )|(?<=\bbut )|(?<=\band )|(?<=please )){LEAVE_OUT}"
    r"|(?<=[,;] )(?:ignoring|disregarding))"
)
"""`Excluding` says so anywhere but as the topic, `papers on excluding minorities`; the bare verbs
where an order may begin: `skip connections` are a topic."""
_FURTHER = (
    r"from|since|before|after|by|in|published|please|pls|thanks|over|during|within|with|between"
    r"|until|till|up to|(?:this|last) (?:year|quarter|month|week)"
)
_WORDS = r"[^\W\d_][\w'-]*(?: [^\W\d_][\w'-]*){0,3}?"
_BEHIND = re.compile(
    rf"\b{_LEAVES_OUT}"
    r" (?!(?:the )?(?:last|past|first|year|month|from|since|before|after|by|in|when|that|if)\b)"
    rf"(?P<what>{_WORDS}(?: (?:and|or)"
    rf" (?!(?:{_FURTHER}|only|not|no|the|sort|show|find|limit)\b){_WORDS})?)"
    rf"(?=\s*(?:$|[,.;:!?)]|\n)| (?:{_FURTHER}|and|but)\b)"
)
_NO_KIND = re.compile(
    rf"(?:,|;|\bbut|, (?:but|and)) (?:no|without)(?: any)? (?:{_WORDS} {PAPERS}|(?:\w+ )?{KINDS})"
    r"(?=\s*(?:$|[,.;:!?)]))"
)
_KINDS = rf"{OWN_KIND}(?:,? (?:or|and|nor) {OWN_KIND}){{0,2}}"
_NO_OWN_KIND = re.compile(
    r"(?:(?:,|;|\bbut|\band|, (?:but|and)|(?<=\()|^)(?: please)? ?(?:no|not)"
    rf"|\b(?:but |and )?(?:without|{OMITTING}|{SAVE}|rather than)"
    r"|\b(?:that|which) (?:(?:are|is) not|(?:are|is)n't)"
    rf"|(?:(?<=[,;.] )|(?<=\bbut )|(?<=\band )|(?<=please )){OMIT}"
    rf"|\b(?:but |and )?(?:i |we )?(?:please )?{REFUSES})(?: any)? {_KINDS}"
    rf"(?=\s*(?:$|[,.;:!?)])| (?:{_FURTHER}|and|but)\b)"
)
"""`Without reviews since 2015`: the papers are since then, whatever their kind."""
_LAST = re.compile(
    rf"[,;(] ?{_WORDS},? (?:(?:is|are|being) )?(?:{OMITTED}|not included)"
    r"(?=\s*(?:$|[,.;:!?)]))"
)
_BUT_ANY = re.compile(
    r"\b(?:(?:published|written|appearing) )?(?:(?:by|in|at|from|of) )?"
    r"(?:(?:any|every|some)(?:one|body|thing|where)"
    r"|authors|people|(?:any|every)(?: (?:journal|venue|conference"
    rf"|author|year)))(?: else)? (?:but(?: for)?|{SAVE}) {_WORDS}"
    r"(?=\s*(?:$|[,.;:!?)])| (?:since|from|before|after|in|on|about|and|please)\b)"
)
_NOT_THIS = re.compile(
    r"(?:[,;(] ?not|\bbut no)"
    r" (?!(?:too|sure|only|just|necessarily|the|that|if|more|less|so|yet|all)\b)"
    r"[^\W\d_][\w'-]*(?: [^\W\d_][\w'-]*)?(?=\s*(?:$|[,.;:!?)]))"
)
_NOT_WRITTEN = re.compile(
    rf"\b(?:that|which) {_WORDS} (?:(?:did|has|have)(?:n't| not)|never)"
    r" (?:writ(?:e|ten)|wrote|(?:co-?)?author(?:ed)?|publish(?:ed)?)\b"
)
_NOT_OF = re.compile(
    rf"\b(?:{_LEAVES_OUT}|not|none of|nothing of)(?: any of)? (?!the )[^\W\d_][\w-]*(?: [\w-]+)?"
    rf"'s? (?:{PAPERS}|work|ones)\b"
)
"""Of the other ways to deny, `without` and `no` are of topics: learning without labels."""


def excluded_in(text: str) -> Iterator[Found]:
    """Find the words of topics that are left out; no provider can leave them out for us."""
    seen: list[tuple[int, int]] = []
    for pattern in (
        _BUT_ANY,
        _NOT_WRITTEN,
        _NOT_OF,
        _BEHIND,
        _NO_KIND,
        _NO_OWN_KIND,
        _LAST,
        _NOT_THIS,
    ):
        for match in pattern.finditer(text):
            span = match.span()
            if not any(span[0] < end and start < span[1] for start, end in seen):
                seen.append(span)
                yield Found("query", None, "topic_denied", span, is_taken=False)
