"""What every way to say a day comes to: a place in the text, and the day if it can be told."""

from collections.abc import Iterable, Sequence
from datetime import date
from typing import NamedTuple

from tools.routing.words.normalise import Normal


class Said(NamedTuple):
    """A day, said by the words `first` to `end`."""

    value: date | None
    """None: it was said, and which day it is cannot be told."""
    first: int
    end: int
    core: int
    """Where the day itself begins, behind `by`, `due` and the like."""
    is_loose: bool = False
    """It is one only by what is asked for: `on the 19th`, `Friday`, `next month`."""
    is_over: bool = False
    """It is said as one gone by, whether it can be told or not: `last night`."""


def said_at(
    normal: Normal,
    start: int,
    end: int,
    value: date | None,
    *,
    core: int | None = None,
    is_loose: bool = False,
    is_over: bool = False,
) -> Said:
    """Give what is said by the characters `start` to `end`; the day itself begins at `core`."""
    tokens = normal.tokens
    inside = [place for place, one in enumerate(tokens) if one.start < end and start < one.end]
    begins = start if core is None else core
    at = next((place for place in inside if tokens[place].end > begins), inside[0])
    return Said(value, inside[0], inside[-1] + 1, at, is_loose, is_over)


def longest(found: Iterable[Said]) -> Sequence[Said]:
    """Keep, of those that share a word, the one of most words, in the order of the text.

    The shorter one is another day: `tomorrow` is none in `the day after tomorrow`.
    """
    kept: list[Said] = []
    taken: set[int] = set()
    for one in sorted(found, key=lambda one: (one.core - one.end, one.first - one.end, one.first)):
        places = set(range(one.core, one.end))
        if not taken & places:
            kept.append(one)
            taken |= places
    return sorted(kept, key=lambda one: one.first)
