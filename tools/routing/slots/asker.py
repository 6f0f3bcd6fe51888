"""Where a text names whoever asks: `to me`, `my tasks`, `which are mine`."""

import re
from collections.abc import Iterator, Sequence, Set
from typing import NamedTuple

from tools.routing.speech_acts.denied_values import denied_from
from tools.routing.things.names import NamesOfKind
from tools.routing.words.normalise import Normal, words_of

_ME = frozenset({"me", "myself"})
_BEFORE_ME = frozenset({"to", "on", "onto", "for"})
_MY = re.compile(
    r"(?<!\S)(?:(?:assigned|given|allotted|allocated|handed|belonging|belong|down|left) to (?=me\b)"
    r"|(?=mine\b)|(?=my (?:(?:open|current|overdue|urgent|late|remaining|unfinished|pending|safety"
    r"|routine|closed|finished|completed|done|new|next|other|logged|last|daily|work) ){0,2}"
    r"(?:tasks?|jobs?|work|orders?|list|plate|dut(?:y|ies)|chores?|to-?dos?|day|rest|sleep|hours?"
    r"|wos?|name|queue|assignments?|backlog)(?![\w'’])))(?P<me>me|mine|my)(?!\S)"
)
"""What limits a read to whoever asks."""
_ALL_BUT = re.compile(
    r"(?<!\S)(?:but|except|bar|without|than|not|excluding|excepting|save|minus|besides"
    r"|(?:apart|aside) from)(?: (?:for|those|of|the|ones?|what|is|are|from))* $"
)


class Asker(NamedTuple):
    """Whoever asks, by the name that the pack has, and the word that says so."""

    name: str
    place: int


def asker_in(
    normal: Normal, names: NamesOfKind, asker: str | None, kept: Set[int], *, limits: bool
) -> Asker | None:
    """Read `to me` as whoever asks, when exactly one thing of that kind is called so.

    Args:
        asker: who says it, by the name that the caller knows.
        kept: the words that count.
        limits: a read is limited by `my tasks`, `assigned to me` and `which are mine`; `list the
            tasks for me` is a courtesy, `my team's` are others', `all but mine` leaves them out.
    """
    words = normal.words
    places = _limits(normal, words) if limits else _told_whom(words)
    place = next((place for place in places if place in kept), None)
    found = names.resolve_all(words_of((asker or "").split("@")[0]))
    return Asker(found.pop(), place) if place is not None and len(found) == 1 else None


def _told_whom(words: Sequence[str]) -> Iterator[int]:
    for place, word in enumerate(words):
        if word in _ME and (words == [word] or words[max(0, place - 1)] in _BEFORE_ME):
            yield place


def _limits(normal: Normal, words: Sequence[str]) -> Iterator[int]:
    text = " ".join(words)
    for found in _MY.finditer(text):
        before = text[: found.start("me")]
        place = before.count(" ")
        if not _ALL_BUT.search(before) and not denied_from(normal.text, normal.tokens[place].start):
            yield place
