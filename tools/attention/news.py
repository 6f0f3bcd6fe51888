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

_FIGURE = re.compile(r"(?<![\w.])-?\d{1,9}(?:[.,]\d+)*(?P<share>\s?(?:%|percent\b))?")
_ADDS_NOTHING = frozenset(
    ["a", "an", "the", "of", "in", "at", "to", "i", "are", "wa", "and", "ha", "have", "it"]
)
"""Words as keywords are written, that two tellings of the same may differ in."""
_READ_CHARACTERS = 400
_KEPT = 6
"""Wordings of a pattern that are remembered, and figures of one."""
_LEAST = 1e-9

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
    return tuple(float(_plain(found.group())) for found in _figures(text))


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
    number = figure.rstrip("%percnt ").replace(",", ".")
    whole, _, rest = number.partition(".")
    return f"{whole}.{rest.replace('.', '')}" if rest else whole


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
