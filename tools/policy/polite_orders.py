"""What a request in the form of a question asks to have done: `call it off` of `can you …?`."""

import re

from tools.routing.words.normalise import normalise
from tools.routing.words.request_frames import REQUEST
from tools.routing.words.verbs import bases

_BEFORE = re.compile(
    r"(?:(?:no(?=[,.!])|oh|oops|sorry|wait|hold on|actually|ah|hm+|damn|please|just|hey|and|but|so"
    r"|ok|okay|right)[\s,.!;:-]+)*"
)
_FRAME = re.compile(
    rf"(?=(?:can|could|would|will|may|might|is|any|do|mind)\b)(?:{REQUEST.pattern}"
    r"|(?:can|could|may) (?:we|i)(?: please| just)* )"
)
"""Other requests ask nothing, and behind `I want to …?` the mark asks something else."""
_GERUND = re.compile(r"[a-z]+ing\b")


def plain_orders(text: str) -> tuple[str, ...]:
    """Give what a question asks to have done, in a word form each; any other text as it is.

    `Can you still call it off?` is asked about, and no request.
    """
    normal = normalise(text)
    said = normal.text.strip()
    before = _BEFORE.match(said)
    frame = _FRAME.match(said, before.end() if before else 0)
    if frame is None or normal.is_disguised:
        return (text,)
    order = said[frame.end() :].removesuffix("?").strip()
    gerund = _GERUND.match(order)
    if gerund is None:
        return (order,)
    return tuple(f"{base}{order[gerund.end() :]}" for base in bases(gerund[0]))
