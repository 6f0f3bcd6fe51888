"""Measure what an event says that was not said before: other words, or a figure that moved.

Source: executive.md §1.8 (the jump of a value).
"""

import re
from collections.abc import Iterator, Mapping
from hashlib import blake2b

from state.event import Event
from state.session import Familiarity, Session
from tools.attention.judge import SAME_MATTER
from tools.platform.text_comparison import keywords_of, words_in_common

_FIGURE = re.compile(
    r"(?<![\w.:/-])(?P<figure>-?(?:\d{1,3}(?:,\d{3})+|\d{1,4})(?:[.,]\d{1,2})?)(?![\d:/]|[.,-]\d)"
    r"(?P<share>\s?(?:%|percent\b))?"
)
"""A reading; clock times, dates, versions and running numbers move without news."""
_ADDS_NOTHING = frozenset(
    ["a", "an", "the", "of", "in", "at", "to", "i", "are", "wa", "and", "ha", "have", "it"]
)
"""Words as keywords are written, that two tellings of the same may differ in."""
_READ_CHARACTERS = 400
_KEPT = 6
"""Wordings of a pattern that are remembered, and figures of one."""
_LEAST = 1e-9
_ENDS_FROM = 0.6
"""Share of the fewer words that the end of a matter has in common with what it ends."""

_WORD = re.compile(
    r"(?P<id>(?<![\w.])[^\W\d_]{1,6}[-/.]?\d{1,6}(?![^\W\d_]|[-/.:]?\d))"  # P-101, B2
    r"|(?P<word>[^\W\d_]+)(?:[ \t]+(?:#[ \t]*)?(?P<number>\d{1,3})(?![\w%°]|[.,:/-]\d))?"
)
_UNIT = re.compile(
    r"[ \t]*(?:°|%|(?:(?:centi|kilo|milli)?met\w+|[cmk]?m|feet|ft|miles?|knots?|kn|bars?|volts?"
    r"|v|amps?|a|rpm|percent|degrees?|litres?|liters?|l|h|s|seconds?|minutes?|min|hours?|days?"
    r"|times|blocks?|people|points?|hp)\b)",
    re.IGNORECASE,
)
_MEASURED = frozenset(
    {
        *("at", "of", "to", "is", "was", "by", "from", "about", "around", "over", "under", "for"),
        *("above", "below", "than", "in", "now", "only", "still", "after", "every", "last", "near"),
        *("level", "temperature", "pressure", "speed", "depth", "height", "voltage", "current"),
        *("load", "rate", "count", "health", "distance", "value", "reading", "score", "humidity"),
        *("event", "message", "msg", "attempt", "try", "sample", "cycle", "tick", "seq", "line"),
    }
)
"""What stands before a figure that is a measure or a running number, and names no thing."""

Wordings = Mapping[str, tuple[float, ...]]
"""Digest of the words → their figures when they were last seen, newest last."""


def news_in(text: str, known: Wordings) -> float:
    """Tell how much of a text is news, 0 to 1: 1 for words that are not known.

    With known words it is the largest share that a figure moved by; of a percentage also the share
    that what is left of a hundred moved by.
    """
    before = known.get(wording_of(text))
    if before is None:
        return 1.0
    return moved(text, before)


def moved(text: str, before: tuple[float, ...]) -> float:
    """Tell the largest share, 0 to 1, that a figure of a text moved by; 0 without the like."""
    now = figures_of(text)
    if len(now) != len(before):
        return 0.0
    shares = [found["share"] is not None for found in _figures(text)]
    return max(map(_jump, now, before, shares), default=0.0)


def figures_of(text: str) -> tuple[float, ...]:
    """List the figures of a text in their order; the first few of a long one."""
    return tuple(float(_plain(found["figure"])) for found in _figures(text))


def wording_of(text: str) -> str:
    """Name the words of a text, whatever their order and figures, by a digest."""
    words = sorted(content_words(text))
    return blake2b(" ".join(words).encode(), digest_size=6).hexdigest()


def content_words(text: str) -> frozenset[str]:
    """List the words of a text that another telling of the same would hold too."""
    said = keywords_of(text[:_READ_CHARACTERS])
    return frozenset(word for word in said - _ADDS_NOTHING if word and not word[0].isdigit())


def with_wording(known: Wordings, text: str) -> dict[str, tuple[float, ...]]:
    """Return the wordings after a text was seen."""
    name = wording_of(text)
    kept = {other: figures for other, figures in known.items() if other != name}
    return {**dict(list(kept.items())[1 - _KEPT :]), name: figures_of(text)}


def _figures(text: str) -> Iterator[re.Match[str]]:
    for count, found in enumerate(_FIGURE.finditer(text[:_READ_CHARACTERS])):
        if count < _KEPT:
            yield found


def _plain(figure: str) -> str:
    number = re.sub(r",(?=\d{3}(?!\d))", "", figure)
    return number.replace(",", ".")


def _jump(now: float, before: float, is_share: bool) -> float:
    jump = _relative(now, before)
    if is_share and 0 <= now <= 100 and 0 <= before <= 100:
        jump = max(jump, _relative(100 - now, 100 - before))
    return jump


def _relative(now: float, before: float) -> float:
    largest = max(abs(now), abs(before))
    return min(1.0, abs(now - before) / largest) if largest > _LEAST else 0.0


def said_before(event: Event, session: Session) -> str:
    """Give what its sender said last of the same matter; empty: nothing, or the very same."""
    newest = last_of_matter(event, session)
    return "" if newest is None or newest.last == event.text else newest.last


def is_well_again(event: Event, session: Session, since: float) -> bool:
    """Tell whether its sender said after `since`, seconds since 1970, that the matter is over."""
    last = last_of_matter(event, session)
    is_later = last is not None and last.is_over and last.at > since
    return is_later and last is not None and ends_matter(last.last, event.text)


def ends_matter(ending: str, text: str) -> bool:
    """Tell whether the end of something may be that of a text: what they name is the same."""
    ours, theirs = content_words(ending), content_words(text)
    fewest = min(len(ours), len(theirs))
    is_alike = fewest > 0 and len(ours & theirs) / fewest >= _ENDS_FROM
    return is_alike and named_in(ending) == named_in(text)


def named_in(text: str) -> frozenset[str]:
    """List the ids and numbers that name things in a text: 2 of `pump 2`, and P-101."""
    return frozenset(word for word in said_words(text.lower()) if any(map(str.isdigit, word)))


def last_of_matter(event: Event, session: Session) -> Familiarity | None:
    """Find what its sender's last word on the same matter was a part of."""
    begins = f"{event.source}|{event.kind}|"
    lately = [
        known
        for pattern, known in session.familiar.items()
        if pattern.startswith(begins) and known.last and known.last_by == (event.sender or "")
        and words_in_common(event.text, known.last) >= SAME_MATTER
    ]  # fmt: skip
    return max(lately, key=lambda known: known.at, default=None)


def said_words(text: str) -> Iterator[str]:
    """Give the words of a text in small letters, and the numbers that name a thing."""
    before = ""
    for found in _WORD.finditer(text):
        said = found["id"] or found["word"]
        yield said
        is_floor = (before, said) == ("on", "level")
        is_name = found["number"] and (is_floor or said not in _MEASURED)
        if is_name and not _UNIT.match(text, found.end()):
            yield found["number"].lstrip("0")
        before = said
