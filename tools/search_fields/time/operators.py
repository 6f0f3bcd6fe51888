"""The words that a piece of the calendar hangs on: since, before, between, from, in."""

import re

from tools.search_fields.denial.denials import denial_before, denied_around
from tools.search_fields.time.dates.points import Point
from tools.search_fields.words.papers import ANY_PAPERS, PAPERS
from tools.search_fields.words.pieces import any_of

_REACH = 45
"""Characters before a point that may hold the word it hangs on."""
SHOWN = (
    "(?:(?:that |which )?came out|published|written|released|appearing|appeared|printed|made"
    "|(?<!drop )(?<!burn )(?<!time )out|ever|dating|dated)"
)
"""Says outright that the time is that of the papers."""
_NONE = (
    rf"(?:nothing|none|(?:no|not)(?: any)? (?:more )?{ANY_PAPERS})"
    "(?: (?:that is|that are|published))?"
)
_WITH = "(?:in|on|at|from|of|during) (?:and|or)"
_AND_WITH = "(?:and|or) (?:in|on|at|from|of|during|including)"
"""`In or after 2019`: the year itself is one of them."""
_WORDS = (
    (
        "since",
        (
            "not (?:from )?before",
            "(?:no|not) (?:earlier|older) than",
            f"{_NONE} (?:from )?(?:before|prior to)",
            f"{_NONE} (?:earlier|older) than",
            f"{_WITH} (?:after|since|later than)",
            f"(?:after|since) {_AND_WITH}",
            "at the (?:very )?earliest(?: in| from| by)?",
            "(?:no|not) sooner than",
        ),
    ),
    (
        "until",
        (
            "not after",
            "(?:no|not) (?:later|newer|more recent) than",
            f"{_NONE} (?:from )?after",
            f"{_NONE} (?:later|newer|more recent) than",
            f"{_WITH} (?:before|until|till|prior to|earlier than)",
            f"(?:before|until|prior to) {_AND_WITH}",
        ),
    ),
    (
        "since",
        (
            "since",
            "sinse|sence|snice",
            "as of",
            "(?:starting|beginning|start)(?: in| from| with| at)?",
            "(?:(?:going|reaching) back (?:as far as|to)|(?:(?:going|reaching) )?as far back as)",
        ),
    ),
    ("since", ("(?:year ?)?(?:>=|≥|=>)", r"year_from\s*[:=]?")),
    (
        "after",
        (
            "after",
            "(?<!the )following",
            "later than",
            "newer than",
            "more recent than",
            "younger than",
            "(?:that |which )?postdat(?:es?|ed|ing)",
            "post-?",
        ),
    ),
    ("after", ("(?:year ?)?>",)),
    (
        "before",
        (
            "(?:from )?befor(?:e|(?= ))",
            "earlier than",
            "older than",
            "prior to",
            "preceding",
            "(?:that |which )?(?:pre|ante)dat(?:es?|ed|ing)",
            "pre-?",
        ),
    ),
    ("before", ("(?:year ?)?<(?!=)",)),
    ("until", ("up (?:un)?till?", "until", "till", "up ?to(?: and including)?", "through", "thru")),
    ("until", ("(?:published|available|written|released) by", "at the latest(?: in| by)?")),
    ("until", ("(?:year ?)?(?:<=|≤)", r"year_to\s*[:=]?")),
    ("around", ("(?:from |in )?(?:around|circa|approximately|roughly)", r"c\.")),
    ("between", ("(?:in )?between", "betwen", "btw", "b/w")),
    ("from", ("from", "frm|fron")),
    ("in", ("(?:in|during|within|throughout|for)(?: early| late)?", "published(?: on)?", "dated")),
    ("in", ("(?:only|just)", "(?:limit|restrict|confine)(?:ed)?(?: (?:it|them|this|that))? to")),
    ("in", ("(?:published )?over", r"(?:years?|yr|date)\s*[:=]")),
    ("in", (r"(?:with )?(?:a )?pub(?:lication)?\.? (?:year|date)(?: is| of| in|:)?",)),
)
"""The words a year hangs on; the first that fits counts, so `not before` stands above `before`."""
_ROUGHLY = "(?:about|around|approximately|roughly|circa)"
_OPERATORS = tuple(
    (
        name,
        re.compile(
            rf"(?:^|(?<=[^\w-]))(?:{SHOWN} )?{any_of(*words)}\s*"
            rf"(?:{_ROUGHLY} )?(?:(?:the )?years? )?(?:the )?$"
        ),
    )
    for name, words in _WORDS
)
_BY = re.compile(r"(?:^|(?<=[^\w-]))(?:(by)|at|near|towards?) $")
"""Words that only the start or the end of something hangs on."""
_BEYOND = re.compile(
    r"\s*(?:$|[,.;:!?)])"
    r"|\s+(?:and|or|nor|but|please|to|until|from|since|on|about|by|in|is|are|papers?|ones?)\b"
)
_BUT_RATHER = re.compile(r"\bnot [^,.;:!?]{1,30},? but(?: rather)? $")
_OF = re.compile(rf"(?:{PAPERS}|literature|research|work) of (?:the )?$")


def operator_of(text: str, point: Point) -> tuple[str | None, int]:
    """Find the word a point hangs on, if any, and where the expression begins."""
    offset = max(0, point.start - _REACH)
    before = text[offset : point.start]
    for name, pattern in _OPERATORS:
        match = pattern.search(before)
        if match:
            return name, offset + match.start()
    if point.kind in ("edge", "edges") and (match := _BY.search(before)):
        return "until" if match[1] else "in", offset + match.start()
    match = _OF.search(before)
    if match:
        return "in", offset + match.end() - 3
    named = re.search(r"\b(?:the )?years? $", before)
    start = offset + named.start() if named else point.start
    return "in" if _is_denied(text, start, point.end) else None, start


def _is_denied(text: str, start: int, end: int) -> bool:
    """Tell whether a time hangs on a denial: `except 2020`, `not 2020 but 2021`."""
    if denied_around(text, start, end) is not None or _BUT_RATHER.search(text, 0, start):
        return True
    return _BEYOND.match(text, end) is not None and denial_before(text, start) is not None
