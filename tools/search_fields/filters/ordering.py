"""In which order papers are wanted, and how often cited they have to be."""

import re
from collections.abc import Iterator, Sequence

from tools.search_fields.passage import Found
from tools.search_fields.words.papers import PAPERS
from tools.search_fields.words.pieces import any_of

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
_OLDEST = re.compile(
    rf"\b(?:{_BY} (?:publication )?(?:date|year),? )?(?:{_BY} )?(?:the )?(?:oldest|earliest)"
    r"(?: ones)? (?:first|to newest)\b"
)
_APART = re.compile(
    r"\b(?:the )?(?:(?P<citations>(?:most|best|highest|highly|top)[- ]cited)"
    r"|(?P<date>newest|latest|most recent)|(?P<oldest>oldest|earliest))"
    rf"(?= (?:[\w-]+ ){{0,4}}{PAPERS}\b[^.;!?]{{0,200}}[^.;!?\w](?<!the )first\s*(?:[.,;!?)]|$))"
)
"""`newest papers on bees first`: the order is said in two pieces."""
_FIRST = re.compile(r"(?<!the )\bfirst(?=\s*(?:[.,;!?)]|$))")
_NUMBER = r"(?:\d{1,3}(?:,\d{3})+|\d{1,6})"
_CITES = "(?:citations?|cites)"
_FEWER = re.compile(
    r"\b(?:(?:with|that have|having|has|have|cited) )?"
    rf"(?:fewer than|less than|under|below|at most|(?:no|not) more than|up to) {_NUMBER}"
    rf" (?:{_CITES}|times)\b"
)
_LEAST = "at least|a minimum of|minimum(?: of)?|min\\.?"
_CITED = re.compile(
    r"\b(?:(?:with|that have|having|has|have|cited) )?"
    rf"(?:(?:{_LEAST})|(?P<above>more than|over)) (?P<number>{_NUMBER})\+? (?:{_CITES}|times)\b"
    rf"|\b(?:with )?(?P<plus>{_NUMBER})\+ {_CITES}\b"
)


def ordering_in(text: str) -> Iterator[Found]:
    """Find the wanted order and the least number of citations."""
    unknown = [
        Found(field, None, rule, match.span(), is_taken=False)
        for field, rule, pattern in (
            ("sort_by", "oldest_first", _OLDEST),
            ("min_citations", "fewer_citations", _FEWER),
        )
        for match in pattern.finditer(text)
    ]
    unknown += _apart(text)
    yield from unknown
    spans = [one.span for one in unknown]
    for value, pattern in (("citations", _CITATIONS), ("date", _NEWEST)):
        for match in pattern.finditer(text):
            if not _is_within(match, spans):
                yield Found("sort_by", value, value, match.span())
    for match in _CITED.finditer(text):
        if _is_within(match, spans):
            continue
        number = int((match["number"] or match["plus"]).replace(",", "")) + (
            match["above"] is not None
        )
        yield Found("min_citations", number, "cited", match.span())


def _apart(text: str) -> Iterator[Found]:
    """Find an order whose `first` stands behind the papers and what they are on."""
    match = _APART.search(text)
    first = _FIRST.search(text, match.end()) if match else None
    if match is None or first is None:
        return
    for span in (match.span(), first.span()):
        if match["oldest"]:
            yield Found("sort_by", None, "oldest_first", span, is_taken=False)
        else:
            yield Found("sort_by", match.lastgroup, f"{match.lastgroup}_apart", span)


def _is_within(match: re.Match[str], spans: Sequence[tuple[int, int]]) -> bool:
    return any(match.start() < end and start < match.end() for start, end in spans)
