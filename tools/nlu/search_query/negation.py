"""Find the negation or exception around a field: "not by Smith", "none in Nature", "apart from"."""

import re
from dataclasses import dataclass
from typing import Literal

from tools.nlu.search_query.lexicon import KINDS, PAPERS, any_of, at_once
from tools.nlu.search_query.negation_scope import (
    OMITS,
    OMITTED,
    REFUSES,
    RESOLVED,
    SAVE,
    SETS_ASIDE,
    WANTS,
    is_certain,
    reaches,
    reaches_over,
)

_REACH = 90
"""Characters before a field that may hold what denies it."""
_FAR = 140
"""The same, of a denial that holds for papers and all that is said of them."""
_MARK = "\0"
"""Stands where the field begins, so that a rule sees what it begins with."""
_IS = "(?:is|are|was|were|has|have|had|does|do|did|should|must|need|could|would)"
_NOT = any_of(
    r"(?<!why )(?<!or )not", "(?<!there )(?<!on )(?<!about )(?:none|nothing)", "never",
    "(?<!or )neither", "nor", "without", "nowhere", "lacking", "sans", "no longer",
    rf"rejected(?= {_MARK}?(?:from|by|at|in)\b(?! (?:\d|the |last )))",
    rf"(?<!there )no(?! {_MARK}?(?:from|since|in|at|by|before|after|until|between"
    r"|published|over|during|within|to)\b)",
    rf"(?<!i ha)(?<!we ha)(?:{_IS}n't)(?! (?:you|we|there)\b)",
)  # fmt: skip
"""`No since 2020` answers no, and then asks."""
_SOME = (
    rf"(?= {_MARK}?(?:those|these|the|any|anything|all|everything|papers|ones|\d"
    "|(?:pre|post)-))"
)
_SAVE = r"(?<=[a-z] )(?<!and )(?<!then )(?<!please )(?<!to )(?<!you )save(?= (?:those|the ones) )"
_EXCEPT = any_of(
    SAVE, "rather than", "(?:instead|outside|exclusive) of", "outside", "as opposed to",
    "already (?:have|has|had|read|seen|saw|know|own|got)", "elsewhere than",
    f"besides{_SOME}", f"bar(?:ring)?{_SOME}", f"minus{_SOME}",
    "but for", "unless", _SAVE, OMITS,
)  # fmt: skip
_BUT = "but"
_WAIVES = any_of(
    "only", "just", "necessarily", "exclusively", "merely", "solely", "simply", "always",
    "(?:limited|restricted|confined) to", "(?:have|has|need|needs) to",
    "need(?:ed)?(?= (?:to )?be)", "(?:required|obliged) to",
    "(?:care|mind)(?: (?:if|whether|about))?", "insist on",
)  # fmt: skip
_BETWEEN = any_of(
    PAPERS, KINDS, "any(?:thing|one|body|where)?", "everything", "every(?: one)?", "all", "those",
    "these", "them", "the", "an?", "ones?", "works?", "research", "literature", "stuff", "results?",
    "hits", "items?", "matches", "entries", "whatever", "that(?:'s|'re)?", "which", "who",
    "they(?:'re)?", "it(?:'s)?",
    "there", "is", "are", "was", "were", "be", "been", "being", "gets?", "got", "has", "have",
    "had", "do", "does", "did", "written", "authored", "penned", "published", "released", "printed",
    "presented", "appear(?:s|ed|ing)?", "dat(?:e|es|ed|ing)", "com(?:e|es|ing)", "came",
    "stem(?:s|ming)?", "made", "done", "out", "wants", "wanted", "to see", "me", "us",
    "search", "look", "go(?: (?:any )?(?:back|further|beyond|past))?", "interest(?:ed)?",
    "needs", "needed", "from", "of", "in", "as", "with", "for", "yet", "ever", "even", "actually",
    "really", "at all", "whatsoever", "more", "further", "other", "good", "please", "back", WANTS,
)  # fmt: skip
_LINK = at_once(any_of(_NOT, _EXCEPT, _BUT, _WAIVES, _BETWEEN) + r"(?![\w'-])", group="link")
_CHAIN = re.compile(rf"(?<![\w'-])(?:{_LINK}\s+){{1,12}}{_MARK}")
"""All that stands between the first word that denies a field and the field itself."""
_DENYING = re.compile(
    rf"(?<![\w'-])(?:(?P<not>{_NOT})|(?P<but>{_BUT})(?!(?: and)? not\b| for\b)"
    rf"|(?P<except>{_EXCEPT}))(?![\w'-])"
)
_LEAD = re.compile(
    r"(?<![\w'-])(?:(?:but|and|just|though|i|we|i'm|i've|we're|please|do|is|are|was|were|has|have"
    "|had|that|which|i'd|we'd|would|rather|really|want|need|prefer|like|to|as|because"
    rf"|{RESOLVED}|going|told|asked|already|once) ){{0,8}}$"
)
_WAIVED = re.compile(
    rf"(?:\bnot|n't|\bno) (?:{_BETWEEN} ){{0,2}}?{_WAIVES}(?![\w'-])|\bneed(?:n't| not) be\b"
    r"|\bno need\b"
)
_OF_ALL = re.compile(
    r"\b(?:(?:any|every|no|some)(?:one|body|thing|where)|any(?: other)? [a-z]+|every [a-z]+|all"
    r"|nothing|none|nowhere|(?:no|any|all|every)[^.,;:!?]{1,60})(?: else)? $"
)
"""Behind these `but` makes an exception; else it joins: `but from 2020`."""
_SHORT_ALL = re.compile(
    r"\b(?:(?:any|every)(?:one|body|thing|where)|(?:any|every|all)(?: other)? (?:years?|time|decade"
    r"|date|journal|venue|conference|author)|all|nothing|none|nowhere|no one|nobody)(?: else)? $"
)
_THOSE = re.compile(r"but (?:for )?(?:those|the|these|papers|anything)\b")
_PAPERS_ON = re.compile(
    r"(?:^|(?<=[^\w-]))(?<!are there )(?<!is there )(?<!there are )(?<!there is )(?<!found )"
    rf"(?<!have )(?<!why )(?:(?:no|not|{REFUSES}|without|{OMITS})"
    rf"(?: any)?(?: more)?(?: the)? {PAPERS}"
    r"|(?:nothing|none)(?= (?:on|about|by|in|at|from)\b)) "
    r"(?:(?!(?:but|only|just|find|show|search)\b)[^\s,.;:!?]+\s+){1,14}$"
)
"""`No papers on coral from 2015`: what is denied stands before the topic, too."""
_MAY_DENY = re.compile(
    rf"\b(?:no(?:t|ne|thing|where|r)?|never|neither|without|but|lacking|sans|rejected)\b|n't|\b{_EXCEPT}\b"
)
_NOMINAL = re.compile(
    rf"\b(?:nothing|none|no(?= {PAPERS}| ones)|any(?:thing)?|everything|those|ones|{PAPERS})\b"
)
_LIST = any_of("or", "nor", "and/or")
_NEXT = re.compile(
    rf",? (?:{_LIST}|and (?=(?:those|these|the ones|ones|anything|any)\b)) ?(?:{_BETWEEN} ){{0,4}}"
)
_BEHIND = re.compile(
    rf"(?:'s)?(?: {PAPERS}| ones| works?)?,? (?:(?:is|are|being|to be|should be|must be) )?"
    rf"(?:{OMITTED}|aside|not (?:included|wanted|needed|welcome|allowed|please)"
    "|do(?:es)?(?:n't| not) interest (?:me|us))(?![\\w-])"
)
_OUT = re.compile(rf"(?: {PAPERS}| ones| works?)? (?:out|aside|off)(?=\s*(?:$|[,.;:!?)]))")
_TAKEN = re.compile(
    rf"(?<![\w'-])(?:(?:but|and|please) ){{0,3}}{SETS_ASIDE}"
    " (?:(?:the|any|all|those|ones|papers) ){0,3}$"
)
"""`Leave the ones from 2020 out`: the field stands between the verb and its particle."""


@dataclass(frozen=True)
class Negation:
    """What the words before a field make of it, and where they begin."""

    start: int
    kind: Literal["denied", "waived", "meant"]
    """Waived: the field is not required. Meant: it is denied twice, which asks for it."""
    is_certain: bool = True
    """Not where what is denied may be the topic's own: `strikes without results since 2015`."""


def denial_before(text: str, start: int) -> Negation | None:
    """Find what denies a field that begins at `start`; None: nothing does."""
    if text.endswith("non-", 0, start):
        return Negation(start - 4, "denied")
    if _MAY_DENY.search(text) is None:
        return None
    offset = max(0, start - _REACH)
    seen = f"{text[offset:start]}{_MARK}{text[start : start + _REACH]}"
    chain = _CHAIN.search(seen)
    heads = _heads(text, seen, offset, chain, start) if chain else []
    if chain is None or not heads:
        return Negation(start, "denied") if _is_far(text, start) else None
    first = offset + heads[0].start()
    lead = _LEAD.search(text, offset, first)
    begins = lead.start() if lead else first
    waived = _WAIVED.search(text, offset + chain.start(), start + len("exclusively "))
    if waived and waived.start() < start:
        return Negation(min(begins, waived.start()), "waived")
    is_twice = len(heads) % 2 == 0 or (heads[0]["not"] is None and _is_far(text, first))
    are_certain = all(
        is_certain(text, offset + one.start(), offset + one.end(), start) for one in heads
    )
    return Negation(begins, "meant" if is_twice else "denied", are_certain)


def denied_from(text: str, start: int) -> int | None:
    """Give where the denial of what starts here begins; None: it is not denied."""
    denial = denial_before(text, start)
    return denial.start if denial and denial.kind != "meant" else None


def denied_around(text: str, start: int, end: int) -> tuple[int, int] | None:
    """Give all of `2020 excluded`, or `leave 2020 out`; None: neither is said of the field."""
    match = _BEHIND.match(text, end)
    if match is not None:
        return start, match.end()
    match = _OUT.match(text, end)
    taken = _TAKEN.search(text, max(0, start - _REACH), start) if match else None
    return (taken.start(), match.end()) if match and taken else None


def is_of_papers(text: str, start: int, end: int) -> bool:
    """Tell whether the words of a denial say that papers are denied: `nothing by Hinton`."""
    return _NOMINAL.search(text, start, end) is not None


def goes_on(text: str, end: int, start: int) -> bool:
    """Tell whether a denial that ends at `end` also holds for a field that begins at `start`."""
    return _NEXT.fullmatch(text, end, start) is not None


def _is_far(text: str, start: int) -> bool:
    match = _PAPERS_ON.search(text, max(0, start - _FAR), start)
    return match is not None and reaches_over(text, *match.span())


def _heads(
    text: str, seen: str, offset: int, chain: re.Match[str], start: int
) -> list[re.Match[str]]:
    found = [one for one in _DENYING.finditer(seen) if chain.start() <= one.start() < chain.end()]
    return [one for one in found if _holds(text, one, offset, start)]


def _holds(text: str, head: re.Match[str], offset: int, start: int) -> bool:
    begin, end = offset + head.start(), offset + head.end()
    if head["but"]:
        return _is_exception(text, begin)
    return reaches(text, begin, end, start)


def _is_exception(text: str, but: int) -> bool:
    before = _OF_ALL if _THOSE.match(text, but) else _SHORT_ALL
    return before.search(text, max(0, but - _REACH), but) is not None
