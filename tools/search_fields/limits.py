"""How many papers are wanted: top 5, ten papers, at most 20, a dozen, 5 more."""

import re
from collections.abc import Iterator, Sequence

from tools.search_fields.amounts import AMOUNT, amount_of
from tools.search_fields.passage import Found
from tools.search_fields.words import DESCRIBED, END

MOST = 100
"""The most papers a search gives. Source: SearchPolicy.limit."""

_TENS = "twenty|thirty|forty|fifty|sixty|seventy|eighty|ninety"
_N = f"({AMOUNT})"
_TAIL = (
    rf"(?:(?: {DESCRIBED})|(?={DESCRIBED})|{END}|(?= (?:on|about|for|from|in|since|by|that"
    rf"|which|with|"
    r"published|please|open[- ]access|oa|sorted|ordered|only|instead|now|then|of (?:them|these"
    r"|those))\b))"
)
_RULES = tuple(
    (name, re.compile(pattern))
    for name, pattern in (
        ("range", rf"(?:\bbetween )?\b(?!(?:{_TENS})-){AMOUNT} ?(?:-|to|or|and) ?{_N} {DESCRIBED}"),
        ("under", rf"\b(?:fewer|less) than {_N} {DESCRIBED}"),
        ("at_most", (rf"\b(?:at most|no more than|not more than|max(?:imum)?(?: of)?[:=]?"
        rf"|a maximum of|limit(?:ed)?"
         r"(?: (?:it|them|this|that|results|the results|the list))?(?: to|:|=)?|n ?="
         r"|cap(?:ped)?(?: it)? at|only show)"
         rf" ?(?:the )?(?:top )?{_N}(?! ?(?:%|percent|per cent|years?|months?)){_TAIL}")),
        ("top", rf"\b(?:the )?(?:top|first|best|leading)[ -](?!one\b){_N}{_TAIL}"),
        ("more", rf"\b(?:another|an additional|the next|next) {_N}{_TAIL}"),
        ("more", rf"\b{_N} (?:more|additional|further|others?|extra){_TAIL}"),
        ("count", (rf"(?<![.$€£#-])\b(?:the |my |just |only |about |around |roughly |some "
        rf"|approximately |at least |up to |~ ?)*"
         rf"{_N}(?: or so)? {DESCRIBED}")),
        ("make_it", (rf"\b(?:make (?:it|that|them)|change (?:it|that) to|(?:give|show|get|find|list"
        rf"|fetch|bring)(?: me| us)?"
         rf"(?: just| only)?) {_N}{END}")),
        ("enough", rf"\b{_N} (?:is|are|will be|would be) (?:enough|fine|plenty)\b"),
        ("enough", rf"\b(?:just|only) {_N}{END}"),
    )
)  # fmt: skip
_NOT_BEFORE = re.compile(
    r"\b(?:cit(?:ing|es?)|cited (?:in|by|at least)|appears? in"
    r"|(?<!list )(?<!set )(?<!total )(?<!selection )\bof|across|among|"
    r"between|over|than|in|with|q|h|version|level|phase|type|class|than) $"
)


def limits_in(text: str, taken: Sequence[tuple[int, int]]) -> Iterator[Found]:
    """Find the wanted number, but in spans that are taken already; the first one said counts."""
    found = sorted(_limits(text, taken), key=lambda one: (one.span[0], -one.span[1]))
    end = -1
    for number, one in enumerate(found):
        if number and one.span[0] < end:
            continue
        end = one.span[1]
        yield one


def _limits(text: str, taken: Sequence[tuple[int, int]]) -> Iterator[Found]:
    for name, pattern in _RULES:
        for match in pattern.finditer(text):
            place = match.span(1)
            if any(place[0] < end and start < place[1] for start, end in taken):
                continue
            if name == "count" and _NOT_BEFORE.search(
                text[max(0, match.start() - 12) : match.start()]
            ):
                continue
            yield _limit(name, amount_of(match[1]), match.span())


def _limit(rule: str, amount: float, span: tuple[int, int]) -> Found:
    number = int(amount) - (1 if rule == "under" else 0)
    if number < 1:
        return Found("limit", None, f"{rule}_of_none", span, is_taken=False)
    if number > MOST:
        return Found("limit", MOST, f"{rule}_above_{MOST}", span)
    return Found("limit", number, rule, span)
