"""What a request in the form of a question asks to take back: `call it off` of `can you …?`."""

import re

from tools.routing.words.normalise import normalise
from tools.routing.words.verbs import bases

_BEFORE = re.compile(
    r"(?:(?:no(?=[,.!])|oh|oops|sorry|wait|hold on|actually|ah|hm+|damn|please|just|hey|and|but|so"
    r"|ok|okay|right)[\s,.!;:-]+)*"
)
_FRAME = re.compile(
    r"(?:(?:(?:do|would) you )?mind(?= [a-z]+ing\b)|(?:is there )?any (?:way|chance) (?:that )?"
    r"(?:you|we) (?:could|can)|(?:can|could|would) (?:you|we))"
    r"(?: (?:please|just|kindly|maybe))* "
)
"""Other requests ask nothing, and behind `I want to …?` the mark asks something else; `can I` and
`will you` ask what may be or will be done."""
_OFF = re.compile(
    r"(?:call(?:ing)?|tak(?:e|ing)) (?:it|that|this|the whole thing) (?:off|back)\b"
    r"|(?:abort|undo|withdraw|retract|revoke|rescind|scrap|drop|forget|call off|take back)"
    r"(?:ing)? (?:it|that|this|(?:my|this|that) (?:request|question))\b|abort(?:ing)?\b"
    r"|not [a-z]+ (?:it|that|this)\b"
)
"""What is only ever said of what waits. `Can you cancel it` and `approve it` may be of what was
just shown."""
_NOT_OFF = re.compile(
    r"\b(?:don't|dont|do not|never|not) (?:please )?(?:abort\b|call (?:[a-z]+ ){1,3}off\b"
    r"|take (?:[a-z]+ ){1,3}back\b|call off\b|take back\b)"
)
_GERUND = re.compile(r"[a-z]+ing\b")


def plain_orders(text: str) -> tuple[str, ...]:
    """Give what a question asks to take back, in a word form each; any other text as it is.

    `Can you still call it off?` is asked about, and no request; `don't call it off` orders nothing.
    """
    normal = normalise(text)
    said = normal.text.strip()
    if _NOT_OFF.search(said):
        return ()
    before = _BEFORE.match(said)
    frame = _FRAME.match(said, before.end() if before else 0)
    if frame is None or normal.is_disguised:
        return (text,)
    order = said[frame.end() :].removesuffix("?").strip()
    if _OFF.match(order) is None:
        return (text,)
    gerund = _GERUND.match(order)
    if gerund is None:
        return (order,)
    return tuple(f"{base}{order[gerund.end() :]}" for base in bases(gerund[0]))
