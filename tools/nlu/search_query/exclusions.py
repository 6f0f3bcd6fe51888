"""Apply exclusions: fields, kinds of papers and topics that a text leaves out of its search."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from datetime import date, timedelta

from tools.nlu.search_query.field_matches import LIFTS, DateBounds, FieldMatch
from tools.nlu.search_query.lexicon import KINDS, OWN_KIND, PAPERS
from tools.nlu.search_query.negation import (
    Negation,
    denial_before,
    denied_around,
    goes_on,
    is_of_papers,
)
from tools.nlu.search_query.negation_scope import LEAVE_OUT, OMIT, OMITTED, OMITTING, REFUSES, SAVE

_OPEN_ENDED = frozenset({"since", "after", "before", "until"})
_VALUELESS = frozenset({"limit", "open_access_only", "sort_by", "min_citations"})
_APART = re.compile(r"[,.;:!?]|\b(?:and|but|not|none|no|except)\b")
"""Between two fields these begin another denial."""
_CLOSED = frozenset({"denied", "paywalled_denied"})
"""What is not open access: the one field besides time whose complement can be searched."""


def without_denied(
    text: str, bounds: Sequence[DateBounds], found: Sequence[FieldMatch]
) -> tuple[list[DateBounds], list[FieldMatch]]:
    """Turn what is denied into its complement where that is exact, else into a reason."""
    said: list[DateBounds | FieldMatch] = [*bounds, *found]
    said.sort(key=lambda one: one.span)
    denials = _denials(text, said)
    times: list[DateBounds] = []
    others: list[FieldMatch] = []
    for place, (one, denial) in enumerate(zip(said, denials, strict=True)):
        is_one_of_several = _is_joined(text, said, denials, place) or _is_joined(
            text, said, denials, place + 1
        )
        if isinstance(one, DateBounds):
            times.append(_time(one, denial, is_alone=not is_one_of_several) if denial else one)
        else:
            others.append(_other(one, denial) if denial else one)
    return times, others


def _denials(text: str, said: list[DateBounds | FieldMatch]) -> list[Negation | None]:
    """Say what the words make of each field; a denial behind one becomes part of its span."""
    denials: list[Negation | None] = []
    for place, one in enumerate(said):
        start, end = one.span
        denial = denial_before(text, start)
        around = denied_around(text, start, end)
        if around is not None and denial is None:
            denial = Negation(around[0], "denied")
            said[place] = replace(one, span=around)
        if denial is None and _is_listed(text, said, denials, place):
            denial = Negation(start, "denied")
        denials.append(denial)
    return denials


def _is_listed(
    text: str,
    said: Sequence[DateBounds | FieldMatch],
    denials: Sequence[Negation | None],
    place: int,
) -> bool:
    """Tell whether the denial of the field before holds for this one: `nor in Nature`."""
    if place == 0 or not _is_denied(said[place - 1], denials[place - 1]):
        return False
    before, denial = said[place - 1], denials[place - 1]
    gap = (before.span[1], said[place].span[0])
    start = denial.start if denial else before.span[0]
    is_same_thing = start == before.span[0] and denial is not None
    is_same_thing = is_same_thing or is_of_papers(text, start, before.span[1])
    return goes_on(text, *gap) or (is_same_thing and not text[slice(*gap)].strip())


def _is_joined(
    text: str,
    said: Sequence[DateBounds | FieldMatch],
    denials: Sequence[Negation | None],
    place: int,
) -> bool:
    """Tell whether a field and the one before it say together what is denied."""
    if not 0 < place < len(said) or denials[place] is None:
        return False
    if not _is_denied(said[place - 1], denials[place - 1]):
        return False
    gap = (said[place - 1].span[1], said[place].span[0])
    return _APART.search(text, *gap) is None and not goes_on(text, *gap)


def _is_denied(one: DateBounds | FieldMatch, denial: Negation | None) -> bool:
    return one.rule.endswith("_denied") or (denial is not None and denial.kind == "denied")


def _time(one: DateBounds, denial: Negation, *, is_alone: bool) -> DateBounds:
    span = (denial.start, one.span[1])
    if denial.kind == "meant" or one.rule in LIFTS:
        return replace(one, span=span)
    if denial.kind == "waived":
        return DateBounds.none("any_time" if one.is_weak else f"{one.rule}_waived", span)
    left = complement_of(one, span) if is_alone and denial.is_certain else None
    return left or DateBounds.none(f"{one.rule}_except", span)


def complement_of(one: DateBounds, span: tuple[int, int]) -> DateBounds | None:
    """Give the time that an open stretch leaves; None: what is left has a gap, or is not known."""
    if one.rule not in _OPEN_ENDED or one.is_wider:
        return None
    day = timedelta(days=1)
    rule = f"not_{one.rule}"
    if one.last is None and one.first is not None and one.first > date.min:
        return replace(one, rule=rule, span=span, first=None, last=one.first - day)
    if one.first is None and one.last is not None and one.last < date.max:
        return replace(one, rule=rule, span=span, first=one.last + day, last=None)
    return None


def _other(one: FieldMatch, denial: Negation) -> FieldMatch:
    span = (denial.start, one.span[1])
    is_access = one.field == "open_access_only"
    if not one.is_taken:
        is_free = is_access and one.rule in _CLOSED and denial.kind == "denied"
        meant = replace(one, value=True, rule="wanted", span=span, is_taken=True)
        return meant if is_free else one
    if denial.kind == "meant":
        return replace(one, span=span)
    if is_access and (denial.kind == "waived" or one.value is False):
        return replace(one, value=False, span=span)
    value = None if one.field in _VALUELESS else one.value
    return replace(one, value=value, rule=f"{one.rule}_denied", span=span, is_taken=False)


_ENDS_IN_KIND = re.compile(rf"(?<![\w'-]){OWN_KIND}$")


def with_kind_left_out(
    text: str, bounds: Sequence[DateBounds], left_out: Sequence[FieldMatch]
) -> list[DateBounds]:
    """Let a time right behind a kind that is left out go with it."""
    begins = {
        one.span[1]: one.span[0]
        for one in left_out
        if _ENDS_IN_KIND.search(text, one.span[0], one.span[1])
    }
    return [_of_kind(text, one, begins) for one in bounds]


def _of_kind(text: str, one: DateBounds, begins: dict[int, int]) -> DateBounds:
    end = len(text[: one.span[0]].rstrip())
    if end not in begins or one.last is None or one.is_weak:
        return one
    return DateBounds.none(f"{one.rule}_except", (begins[end], one.span[1]))


_LEAVES_OUT = (
    rf"(?:but not|(?:and )?not (?:about|on)|{SAVE}|barring"
    r"|(?<!\bon )(?<!\bof )(?<!\bto )(?<!\bfor )(?<!\babout )"
    rf"(?:but )?{OMITTING}"
    rf"|(?:(?<=^)|(?<=[,;(.] )|(?<=\bbut )|(?<=\band )|(?<=please )){LEAVE_OUT}"
    r"|(?<=[,;] )(?:ignoring|disregarding))"
)
"""`excluding` says so anywhere but as the topic, `papers on excluding minorities`; the bare verbs
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


def excluded_in(text: str) -> Iterator[FieldMatch]:
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
                yield FieldMatch("query", None, "topic_denied", span, is_taken=False)
