"""The start, the middle and the end of a piece of the calendar, as words before it say."""

import re
from dataclasses import dataclass

from tools.search_fields.time.dates.stretches import Stretch

_REACH = 60
"""Characters before a piece that may hold them."""
_START = "(?:start|beginning)"
_BOTH = f"{_START} (?:to|and|until|till|through) (?:the )?end"
_EDGE = re.compile(
    rf"(?<![\w-])(?:the )?(?:very )?(?:(?P<both>{_BOTH})|(?P<start>{_START})|(?P<end>end)"
    r"|middle|course) of (?:the )?(?:year )?$"
)


@dataclass(frozen=True)
class Edge:
    """A day of a piece, or all of it where more than a day was said."""

    start: int
    """Where its words begin in the text."""
    stretch: Stretch
    is_both: bool
    """From the start to the end."""


def edge_before(text: str, end: int, whole: Stretch) -> Edge | None:
    """Find what is said of a piece that begins at `end` of the text; None: nothing is."""
    match = _EDGE.search(text, max(0, end - _REACH), end)
    if match is None:
        return None
    day = whole.first if match["start"] else whole.last if match["end"] else None
    stretch = Stretch(day, day) if day else whole
    return Edge(match.start(), stretch, is_both=match["both"] is not None)
