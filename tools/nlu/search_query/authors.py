"""Find the authors whose papers are wanted; countries, institutions and months are no authors."""

import re
from collections.abc import Iterator, Sequence

from tools.nlu.lexicon.closed_classes import WEEKDAYS
from tools.nlu.search_query.field_matches import FieldMatch, Passage
from tools.nlu.search_query.lexicon import MONTHS, NEVER_IN_NAMES, NEVER_NAMES, PAPERS, any_of
from tools.nlu.search_query.negation import denied_from

_COUNTRIES = (
    "africa", "america", "antarctica", "asia", "australia", "austria", "argentina", "bangladesh",
    "belgium", "brazil", "britain", "bulgaria", "canada", "chile", "china", "colombia", "croatia",
    "cuba", "cyprus", "czechia", "denmark", "egypt", "england", "estonia", "ethiopia", "europe",
    "finland", "france", "germany", "ghana", "greece", "greenland", "hungary", "iceland", "india",
    "indonesia", "iran", "iraq", "ireland", "israel", "italy", "japan", "kenya", "korea", "latvia",
    "lithuania", "luxembourg", "malaysia", "mexico", "morocco", "nepal", "netherlands", "nigeria",
    "norway", "oceania", "pakistan", "peru", "philippines", "poland", "portugal", "romania",
    "russia", "scandinavia", "scotland", "serbia", "singapore", "slovakia", "slovenia", "spain",
    "sweden", "switzerland", "taiwan", "tanzania", "thailand", "tunisia", "turkey", "uganda",
    "ukraine", "vietnam", "wales", "california", "texas", "florida", "hawaii", "alaska",
)  # fmt: skip
_INSTITUTIONS = (
    "google", "deepmind", "openai", "anthropic", "microsoft", "meta", "facebook", "apple",
    "amazon", "nvidia", "intel", "huawei", "tencent", "baidu", "alibaba", "stanford", "harvard",
    "yale", "princeton", "oxford", "cambridge", "berkeley", "caltech", "cornell", "columbia",
    "university", "institute", "college", "academy", "congress", "parliament", "scopus", "pubmed",
    "wikipedia", "scholar", "crossref", "openalex", "london", "paris", "berlin", "tokyo",
    "beijing", "zurich", "vienna", "boston", "chicago", "toronto", "nature", "science", "cell",
    "elsevier", "springer", "wiley", "reddit", "twitter", "youtube", "mars", "earth", "space",
)  # fmt: skip
_TIMES = ("christmas", "easter", "spring", "summer", "autumn", "fall", "winter", "ramadan")
_NO_PERSONS = frozenset(
    (*_COUNTRIES, *_INSTITUTIONS, *_TIMES, *WEEKDAYS, *(name for month in MONTHS for name in month))
)


def may_be_person(name: str) -> bool:
    """Tell whether a name may be a person's: no place, no institution, no acronym."""
    is_acronym = len(name) > 1 and name.isupper()
    is_owner = name.endswith(("'s", "’s"))  # of a lab
    return not is_acronym and not is_owner and _NO_PERSONS.isdisjoint(name.lower().split())


_PART = r"(?!(?:and|but|by)\b)[^\W\d_](?:[^\W\d_]|['.-](?=[^\W\d_]))*\.?"
_PARTICLES = frozenset(
    {"van", "von", "der", "den", "de", "da", "di", "del", "della", "du", "la", "ten", "ter", "bin"}
)
"""Before a capital these belong to a name, small as they are: `O'Neill and van der Berg`."""
_NAME = rf"{_PART}(?: {_PART}){{0,3}}"
_NAMES = rf"({_NAME}(?:(?:,? and|,| &) {_NAME}){{0,4}})"
_WROTE = "(?:(?:co-?)?authored|written|penned) by"
_AUTHORED = re.compile(rf"\b(?:{_WROTE}|authors?\s*[:=])\s*{_NAMES}")
_AUTHOR = re.compile(rf"\bauthors? {_NAMES}")
_PAPERS_BY = re.compile(rf"\b{PAPERS} (?:published )?by {_NAMES}")
_BY = re.compile(rf"\bby {_NAMES}")
_OF = re.compile(rf"\b{PAPERS} (?:of|from) ({_NAME})")
_WORK = any_of(PAPERS, "anything", "something", "work", "everything")
_FROM = re.compile(
    rf"(?:\b{_WORK} |^(?:(?:only|just|and|but|now|those|ones)\W+){{0,3}}|, ?)from {_NAMES}"
    r"(?=\s*(?:[,.;:!?)]|$)|\s+(?:on|about|or|since|between|before|after|in|please)\b)"
)
"""Behind papers, or all that is said; `venom from Conus` may name anything."""
_DID = any_of("written", "published", "authored", "write", "publish", "author", "said", "say")
_HAS = re.compile(
    r"\b(?:what(?: else)?|which papers|how much|anything)?\s*(?:has|have|had|did|does|do) "
    rf"{_NAMES} (?:(?:ever|also|recently|already|all|actually) )?{_DID}"
    r"(?: (?:anything|much|papers?|something|any papers?))?(?= (?:on|about|in|since|with)\b|\W*$)"
)
_WROTE_IT = re.compile(
    rf"(?:(?<!on )(?<!about )(?<!of )\bwhat|"
    rf"\b(?:{PAPERS} (?:that|which)|{PAPERS}|that|which)) {_NAMES} "
    r"(?:has |have )?(?:(?:co-?)?authored|wrote|written|published)(?= (?:on|about|in|since)\b|\W*$)"
)
_OWNED = re.compile(rf"\b({_NAME})'s? (?=(?:[a-z-]+ ){{0,2}}{PAPERS}\b)")
_ET_AL = re.compile(rf"\b(?:(?:{_WROTE}|by) )?((?:[^\W\d_]\. ?){{0,3}}{_PART}),? et al\.?")
_INITIALS = re.compile(r"(?:[^\W\d_]\.[ -]?){1,3}")
_OR = re.compile(r",? (?:and/or|or) (?:(?:by|from) )?")
_LISTED = re.compile(_NAMES)
_RULES = (
    ("et_al", _ET_AL, False, 1),
    ("authored", _AUTHORED, False, 1),
    ("author", _AUTHOR, True, 1),
    ("papers_by", _PAPERS_BY, False, 1),
    ("papers_of", _OF, True, 2),
    ("whose", _OWNED, True, 1),
    ("by", _BY, True, 1),
    ("from", _FROM, True, 1),
    ("has_written", _HAS, True, 1),
    ("wrote", _WROTE_IT, True, 1),
)
"""By rule its pattern, whether a name needs a capital, and of how many words it is at least."""
IN_ANY_CASE = frozenset(
    rule for rule, _pattern, needs_capital, _least in _RULES if not needs_capital
)
"""Rules that read a name however it is written, so that what follows it can count on it."""
_VERBS_BEHIND = frozenset({"has_written", "wrote"})


def authors_in(passage: Passage) -> Iterator[FieldMatch]:
    """Find authors; where only a capital letter tells a name from a word, one is needed."""
    seen: list[tuple[int, int]] = []
    for rule, pattern, needs_capital, least in _RULES:
        for match in pattern.finditer(passage.text):
            if any(match.start() < end and start < match.end() for start, end in seen):
                continue
            names, end = _names(passage, match.span(1), needs_capital=needs_capital)
            if not names or any(len(name.split()) < least for name in names):
                continue
            if not _is_of_persons(rule, names, is_whole=end == match.end(1)):
                continue
            for found in _found(passage, match, rule, names, end):
                seen.append(found.span)
                yield found


def _is_of_persons(rule: str, names: tuple[str, ...], *, is_whole: bool) -> bool:
    """Tell whether names behind `from`, or before `wrote`, may be those of people."""
    if rule in _VERBS_BEHIND and not is_whole:
        return False
    return rule not in _VERBS_BEHIND | {"from"} or all(map(may_be_person, names))


def _found(
    passage: Passage, match: re.Match[str], rule: str, names: tuple[str, ...], end: int
) -> Iterator[FieldMatch]:
    """Give the authors, and those that are said as another choice: `by Hinton or LeCun`."""
    start = _without_papers(match, match.start() if rule != "whose" else match.start(1))
    needs_capital = rule not in ("papers_by", "authored")
    others = _others(passage, end, needs_capital=needs_capital)
    span = (start, max(end, match.end()) if rule in {"whose", "et_al"} | _VERBS_BEHIND else end)
    denied = denied_from(passage.text, start)
    if denied is not None:
        last = others[1] if others else span[1]
        yield FieldMatch("authors", names, f"{rule}_denied", (denied, last), is_taken=False)
        return
    comma = passage.text.find(",", match.start(1), end)
    if others and comma > 0:  # of `Hinton, LeCun or Bengio` the first
        names, span, others = names[:1], (start, comma), (comma, others[1])
    yield FieldMatch("authors", names, rule, span)
    if others:
        yield FieldMatch("authors", None, "or_another", others, is_taken=False)


def _others(passage: Passage, end: int, *, needs_capital: bool) -> tuple[int, int] | None:
    """Find where further names stand behind an `or`."""
    joint = _OR.match(passage.text, end)
    listed = _LISTED.match(passage.text, joint.end()) if joint else None
    if joint is None or listed is None:
        return None
    names, last = _names(passage, listed.span(), needs_capital=needs_capital)
    return (joint.start(), last) if names else None


def _without_papers(match: re.Match[str], start: int) -> int:
    """Leave `papers` to the topic's own rules."""
    by = re.search(
        rf"\b(?:{_WROTE}|(?:published )?by|of|from)\b",
        match[0][: match.start(1) - match.start()],
    )
    return start + by.start() if by else start


def _names(
    passage: Passage, span: tuple[int, int], *, needs_capital: bool
) -> tuple[tuple[str, ...], int]:
    """Read names up to the first word that cannot be part of one; gives where they end."""
    names: list[str] = []
    current: list[tuple[int, int]] = []
    end = span[0]
    for match in re.finditer(rf"and\b|{_PART}|,|&", passage.text[span[0] : span[1]]):
        place = (span[0] + match.start(), span[0] + match.end())
        word = match[0]
        if word in ("and", ",", "&"):
            if not current and names and word == "and":
                continue
            if not current:
                break
            names.append(passage.written((current[0][0], current[-1][1])))
            current = []
            continue
        written = passage.written(place)
        behind = passage.written((place[1], span[1])).split(maxsplit=2)
        is_particle = word in _PARTICLES and any(one[:1].isupper() for one in behind[:2])
        if is_particle:
            current.append(place)
            end = place[1]
            continue
        is_name = word not in NEVER_IN_NAMES and word not in NEVER_NAMES
        if not is_name or (needs_capital and not written[:1].isupper()):
            break
        if names and not current and not written[:1].isupper():
            break
        current.append(place)
        end = place[1]
    if current:
        names.append(passage.written((current[0][0], current[-1][1])))
    return _with_initials(names), end


def _with_initials(names: Sequence[str]) -> tuple[str, ...]:
    """Put initials before the name that they stand behind: `LeCun, Y.`; alone they name nobody."""
    whole: list[str] = []
    for name in names:
        if not _INITIALS.fullmatch(name):
            whole.append(name.removesuffix(".") if len(name) > 3 else name)
        elif not whole:
            return ()
        else:
            whole[-1] = f"{name} {whole[-1]}"
    return tuple(whole)
