"""Find the order of the results, the least number of citations and the number of results."""

import re
from collections.abc import Iterator, Sequence

from tools.nlu.lexicon.closed_classes import TENS
from tools.nlu.search_query.field_matches import FieldMatch
from tools.nlu.search_query.fields_of_study import FIELDS
from tools.nlu.search_query.lexicon import (
    AMOUNT,
    DESCRIBED,
    DIGITS,
    END,
    FIND_SOME,
    KINDS,
    PAPERS,
    PLEASE,
    PRAISED,
    SHOW,
    UNITS,
    amount_of,
    any_of,
)

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


def ordering_in(text: str) -> Iterator[FieldMatch]:
    """Find the wanted order and the least number of citations."""
    unknown = [
        FieldMatch(field, None, rule, match.span(), is_taken=False)
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
                yield FieldMatch("sort_by", value, value, match.span())
    for match in _CITED.finditer(text):
        if _is_within(match, spans):
            continue
        number = int((match["number"] or match["plus"]).replace(",", "")) + (
            match["above"] is not None
        )
        yield FieldMatch("min_citations", number, "cited", match.span())


def _apart(text: str) -> Iterator[FieldMatch]:
    """Find an order whose `first` stands behind the papers and what they are on."""
    match = _APART.search(text)
    first = _FIRST.search(text, match.end()) if match else None
    if match is None or first is None:
        return
    for span in (match.span(), first.span()):
        if match["oldest"]:
            yield FieldMatch("sort_by", None, "oldest_first", span, is_taken=False)
        else:
            yield FieldMatch("sort_by", match.lastgroup, f"{match.lastgroup}_apart", span)


def _is_within(match: re.Match[str], spans: Sequence[tuple[int, int]]) -> bool:
    return any(match.start() < end and start < match.end() for start, end in spans)


MOST = 100
"""The most papers a search gives. Source: SearchPolicy.limit."""

_N = f"({AMOUNT})"
_GOES_ON = any_of(
    "on", "about", "for", "from", "in", "since", "by", "that", "which", "with", "published",
    "please", "open[- ]access", "oa", "sorted", "ordered", "only", "instead", "now", "then", "but",
    "of (?:them|these|those)",
)  # fmt: skip
_OF_FIELD = rf"(?= {FIELDS} {PAPERS}\b)"
_TAIL = rf"(?: {DESCRIBED}|{_OF_FIELD}|{END}|(?= {_GOES_ON}\b))"
"""What may follow a number of papers; `top 20 percent` and `top-5 accuracy` are none."""
_AT_MOST = any_of(
    "at most", "no more than", "not more than", r"max(?:imum|\.)?(?: of)?[:=]?", "a maximum of",
    "limit(?:ed)?(?: (?:it|them|this|that|results|the results|the list))?(?: to|:|=)?", "n ?=",
    "cap(?:ped)?(?: it)? at", "only show",
)  # fmt: skip
_ABOUT = any_of(
    "the ", "my ", "just ", "only ", "about ", "around ", "roughly ", "some ", "approximately ",
    "at least ", "(?:not|no) (?:fewer|less) than ", "up to ", "exactly ", "precisely ", "~ ?",
)  # fmt: skip
_GIVE = any_of(
    "make (?:it|that|them)", "change (?:it|that) to",
    rf"(?:{SHOW}|find)(?: me| us)?(?: just| only)?",
)  # fmt: skip
_ASK = any_of(FIND_SOME, "need", "want")
_ON = r"(?= (?:on|about|regarding|concerning) (?!the (?:list|screen|page)\b))"
_FEW_WORDS_ON = (
    rf"(?= (?!{UNITS}\b)(?:[a-z-]+ ){{1,4}}(?:papers|articles|studies|publications|preprints)\b)"
)
"""`10 machine learning papers`."""
_NO_TOPIC = any_of(
    "accuracy", "errors?", "recall", "precision", "percent", "per", "countries", "journals?",
    "universit(?:y|ies)", "companies", "classification", "of", "in", "for", "on", "and", "by",
    "from", "with", "at",
)  # fmt: skip
_FEW_OF_TOPIC = rf"(?= (?!{UNITS}\b)(?:(?!{_NO_TOPIC}\b)[a-z-]+ ){{1,3}}{PAPERS}\b)"
"""`Top-10 coral papers`, but not `top-5 accuracy of vision papers`."""
_OF_KIND = (
    rf"(?= {PRAISED}{KINDS}(?:{END}| (?:on|about|of|for|in|from|since|by|that|which|regarding"
    r"|concerning|comparing|covering|published|please|between|before|after|with)\b))"
)
"""`five systematic reviews of`."""
_SAID_LAST = r"(?:(?:just|only|say|maybe|about|around|like|make it|and|ok|okay)[ ,]+){0,3}"
_SAID_LAST += rf"(?!(?:19|20)\d\d)(?:{AMOUNT} (?:or|to) )?"
_THANKS = any_of(
    PLEASE, "thanks", "thank you", "will do", "would do", "max", "tops", "of them",
    "of those", "in all", "in total",
)  # fmt: skip
_RULES = tuple(
    (name, re.compile(pattern))
    for name, pattern in (
        (
            "range",
            rf"(?:\bbetween )?\b(?!{any_of(*TENS)}-){AMOUNT} ?(?:-|to|or|and) ?{_N} {DESCRIBED}",
        ),
        ("under", rf"\b(?:fewer|less) than {_N} {DESCRIBED}"),
        ("at_most", rf"\b{_AT_MOST} ?(?:the )?(?:top )?{_N}{_TAIL}"),
        ("at_most", rf"\b{_N} at (?:the )?most{END}"),
        ("top", rf"\b(?:the )?(?:top|first|best|leading)[ -](?!one\b){_N}{_TAIL}"),
        ("top", rf"\b(?:the )?top(?={DIGITS}){_N}{_TAIL}"),
        ("top", rf"\b(?:the )?top[- ]?({DIGITS}){_FEW_OF_TOPIC}"),
        ("at_least", rf"(?:^\W*|, |\bpapers )(?:but )?(?:not|no) (?:fewer|less) than {_N}{END}"),
        ("more", rf"\b(?:another|an additional|the next|next) (?!one\b){_N}{_TAIL}"),
        ("more", rf"\b{_N} (?:more|additional|further|others?|extra){_TAIL}"),
        ("count", rf"(?<![.$€£#-])\b{_ABOUT}{{0,3}}{_N}(?: or so)?(?: {DESCRIBED}|{_OF_FIELD})"),
        ("kind", rf"(?<![.$€£#-])\b{_ABOUT}{{0,3}}{_N}(?: or so)?{_OF_KIND}"),
        ("last", rf"(?<!\d)(?:[,;.:]| -) {_SAID_LAST}{_N}(?:,? {_THANKS}){{0,2}}\W*$"),
        ("last", rf"^\W*{_SAID_LAST}{_N}(?:,? {_THANKS}){{1,2}}\W*$"),
        ("last", rf" (?!\d){_N},? {PLEASE}\W*$"),
        (
            "count_of",
            rf"(?:^|\b{_ASK}(?: me| us)? (?:the )?)({DIGITS}){_FEW_WORDS_ON}",
        ),
        (
            "count_on",
            rf"\b{_ASK}(?: me| us)? {_ABOUT}{{0,2}}(?!one\b|(?:19|20)\d\d\b){_N}{_ON}",
        ),
        ("make_it", rf"\b{_GIVE} (?!one\b|(?:19|20)\d\d\b){_N}{END}"),
        ("enough", rf"\b{_N} (?:is|are|will be|would be) (?:enough|fine|plenty)\b"),
        ("enough", rf"\b(?:just|only) (?!(?:19|20)\d\d\b){_N}{END}"),
    )
)
_ORDERED = frozenset({"count_of", "count_on"})
_AS_MANY = re.compile(
    rf"\b(as many)(?= (?:of (?:them|these|those)|{DESCRIBED}|[\w-]+ {PAPERS}\b|as possible))"
    r"[^.;!?]{0,200}?"
    r" (as (?:possible|you (?:can|have)(?: (?:find|get))?|there are))\b"
)
_NOT_BEFORE = re.compile(
    r"\b"
    + any_of(
        "cit(?:ing|es?)", "cited (?:in|by|at least)", "appears? in",
        r"(?<!list )(?<!set )(?<!total )(?<!selection )of", "across", "among", "between",
        "over", "than", "in", "with", "q", "h", "version", "page", "number", "level",
        "phase", "type", "class",
    )
    + " $"
)  # fmt: skip
"""Words behind which a number of papers is part of the topic: a meta-analysis of 20 studies."""
_OURS = "you|u|i|we|can|could|will|would|might|may"
"""With one of these in between it is a wish, or who asks does it."""
_OTHERS_DO = re.compile(rf"\b(?:how|why|when|where|who)(?: (?!(?:{_OURS})\b)[\w'-]+){{0,3}} $")
"""Behind these an order is none: `how students find 3 news articles`."""
_OTHERS_DOING = (
    r"\b(?:how|why|whether)(?! (?:not|about|come|many|much)\b)"
    rf"(?: (?!(?:{_OURS}|us|me|there|then|please|find|show|give)\b)[\w'-]+){{2,4}} "
)
"""Behind these somebody else does it with so many: `how students read 3 articles`."""
_OTHERS_TAKE = re.compile(f"{_OTHERS_DOING}$")
_COUNTED_BY_OTHERS = re.compile(f"{_OTHERS_DOING}{AMOUNT}$")


def limits_in(text: str, taken: Sequence[tuple[int, int]]) -> Iterator[FieldMatch]:
    """Find the wanted number, but in spans that are taken already; the first one said counts."""
    end = 0
    for one in sorted(
        (*_limits(text, taken), *_as_many(text)), key=lambda one: (one.span[0], -one.span[1])
    ):
        if one.span[0] >= end:
            end = one.span[1]
            yield one


def is_counted_by_others(text: str, end: int) -> bool:
    """Tell whether the papers that begin behind `end` are so many that somebody else reads."""
    return _COUNTED_BY_OTHERS.search(text, max(0, end - 80), end) is not None


def _limits(text: str, taken: Sequence[tuple[int, int]]) -> Iterator[FieldMatch]:
    for name, pattern in _RULES:
        for match in pattern.finditer(text):
            first, last = match.span(1)
            is_taken = any(first < end and start < last for start, end in taken)
            if not is_taken and not _is_of_topic(name, text, match.start()):
                span = match.span(1) if name in _ORDERED else match.span()
                yield _limit(name, amount_of(match[1]), span)


def _is_of_topic(name: str, text: str, start: int) -> bool:
    if name in _ORDERED:
        return _OTHERS_DO.search(text, max(0, start - 60), start) is not None
    if name not in ("count", "kind"):
        return False
    if _OTHERS_TAKE.search(text, max(0, start - 60), start) is not None:
        return True
    return _NOT_BEFORE.search(text, max(0, start - 12), start) is not None


def _as_many(text: str) -> Iterator[FieldMatch]:
    """Find `as many papers on bees as possible`, said in two pieces."""
    match = _AS_MANY.search(text)
    if match:
        for span in (match.span(1), match.span(2)):
            yield FieldMatch("limit", MOST, "as_many", span)


def _limit(rule: str, amount: float, span: tuple[int, int]) -> FieldMatch:
    number = int(amount) - (1 if rule == "under" else 0)
    if number < 1:
        return FieldMatch("limit", None, f"{rule}_of_none", span, is_taken=False)
    if number > MOST:
        return FieldMatch("limit", MOST, f"{rule}_above_{MOST}", span)
    return FieldMatch("limit", number, rule, span)
