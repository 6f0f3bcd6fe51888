"""Find what stands in quotation marks."""

import re

from state.action import Action
from tools.routing.slots.texts.set_to import SETS
from tools.routing.words.normalise import Normal
from tools.routing.words.phrases import word_set

QUOTED = re.compile(r"\"([^\"]{1,4000})\"|(?<![\w'])'([^'\n]{1,4000})'(?!\w)")
_TURNS_INTO = word_set("to into by with -> =>")
"""Between two quotations: the second one is what the first one becomes."""


def quotation(action: Action, normal: Normal) -> str | None:
    """Give what is quoted first; of `"good" to "bad"` in a change, the second."""
    found = QUOTED.search(normal.text)
    if found is None:
        return None
    following = QUOTED.search(normal.text, found.end())
    between = normal.text[found.end() : following.start()].strip() if following else ""
    if following is not None and action.verb == SETS and between in _TURNS_INTO:
        found = following
    return normal.written(*found.span(1 if found[1] is not None else 2)).strip()


def quotations(normal: Normal) -> list[str]:
    """Give every quotation of a text by itself."""
    groups = (found[1] or found[2] for found in QUOTED.finditer(normal.text))
    return [text.strip() for text in groups if text.strip()]
