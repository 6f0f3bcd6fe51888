"""A kind of papers that is left out for a time: `no theses from 2020`.

Who does not want the theses of a year wants the rest of it, and of every other: a time that has an
end is no field. One without is the search's, as searches begin so: `without reviews since 2015`.
"""

import re
from collections.abc import Sequence

from tools.search_fields.passage import Found
from tools.search_fields.time.bounds import Bounds
from tools.search_fields.words.papers import OWN_KIND

_ENDS_IN_KIND = re.compile(rf"(?<![\w'-]){OWN_KIND}$")


def with_kind_left_out(
    text: str, bounds: Sequence[Bounds], left_out: Sequence[Found]
) -> list[Bounds]:
    """Let a time right behind a kind that is left out go with it."""
    begins = {
        one.span[1]: one.span[0]
        for one in left_out
        if _ENDS_IN_KIND.search(text, one.span[0], one.span[1])
    }
    return [_of_kind(text, one, begins) for one in bounds]


def _of_kind(text: str, one: Bounds, begins: dict[int, int]) -> Bounds:
    end = len(text[: one.span[0]].rstrip())
    if end not in begins or one.last is None or one.is_weak:
        return one
    return Bounds.none(f"{one.rule}_except", (begins[end], one.span[1]))
