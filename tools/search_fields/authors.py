"""Whose papers are wanted: by Hinton, papers of Yoshua Bengio, Doudna's papers."""

import re
from collections.abc import Iterator

from tools.search_fields.negation import denied_from
from tools.search_fields.passage import Found, Passage
from tools.search_fields.plain_words import NEVER_IN_NAMES, NEVER_NAMES
from tools.search_fields.words import PAPERS

_PART = r"(?!and\b)[^\W\d_](?:[^\W\d_]|['.-](?=[^\W\d_]))*\.?"
_PARTICLES = frozenset(
    {"van", "von", "der", "den", "de", "da", "di", "del", "della", "du", "la", "ten", "ter", "bin"}
)
"""Before a capital these belong to a name, small as they are: `O'Neill and van der Berg`."""
_NAME = rf"{_PART}(?: {_PART}){{0,3}}"
_NAMES = rf"({_NAME}(?:(?:,? and|,| &) {_NAME}){{0,4}})"
_WROTE = "(?:(?:co-?)?authored|written|penned) by"
_AUTHORED = re.compile(rf"\b(?:{_WROTE}|authors?\s*[:=])\s*{_NAMES}")
_PAPERS_BY = re.compile(rf"\b{PAPERS} (?:published )?by {_NAMES}")
_BY = re.compile(rf"\bby {_NAMES}")
_OF = re.compile(rf"\b{PAPERS} (?:of|from) ({_NAME})")
_OWNED = re.compile(rf"\b({_NAME})'s? (?=(?:[a-z-]+ ){{0,2}}{PAPERS}\b)")
_ET_AL = re.compile(rf"\b(?:(?:{_WROTE}|by) )?((?:[^\W\d_]\. ?){{0,3}}{_PART}),? et al\.?")


def authors_in(passage: Passage) -> Iterator[Found]:
    """Find authors; where only a capital letter tells a name from a word, one is needed."""
    seen: list[tuple[int, int]] = []
    for rule, pattern, needs_capital, least in (
        ("et_al", _ET_AL, False, 1),
        ("authored", _AUTHORED, False, 1),
        ("papers_by", _PAPERS_BY, False, 1),
        ("papers_of", _OF, True, 2),
        ("whose", _OWNED, True, 1),
        ("by", _BY, True, 1),
    ):
        for match in pattern.finditer(passage.text):
            if any(match.start() < end and start < match.end() for start, end in seen):
                continue
            names, end = _names(passage, match.span(1), needs_capital=needs_capital)
            if not names or any(len(name.split()) < least for name in names):
                continue
            start = match.start() if rule != "whose" else match.start(1)
            span = (
                _without_papers(match, start),
                max(end, match.end() if rule in ("whose", "et_al") else end),
            )
            seen.append(span)
            denied = denied_from(passage.text, span[0])
            if denied is None:
                yield Found("authors", names, rule, span)
            else:
                yield Found("authors", names, f"{rule}_denied", (denied, span[1]), is_taken=False)


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
    return tuple(name.removesuffix(".") if len(name) > 3 else name for name in names), end
