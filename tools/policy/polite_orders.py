"""What a request in the form of a question asks to take back: `call it off` of `can you …?`."""

import re

from tools.policy.calling_off import CALLING_OFF, CALLS_OFF, PARTED, STARTLED, WHAT_WAITS
from tools.routing.words.normalise import normalise
from tools.routing.words.verb_forms import bases

_FRAME = re.compile(
    rf"(?:(?:no(?=[,.!])|{STARTLED}|hey|and|but|so|ok|okay|right)[\s,.!;:-]+)*"
    r"(?:(?:(?:do|would) you )?mind(?= [a-z]+ing\b)|(?:is there )?any (?:way|chance) (?:that )?"
    r"(?:you|we) (?:could|can)|(?:can|could|would) (?:you|we))"
    r"(?: (?:please|just|kindly|maybe))* "
)
"""Other requests ask nothing, and behind `I want to …?` the mark asks something else; `can I` and
`will you` ask what may be or will be done."""
_OFF = re.compile(
    rf"(?:call(?:ing)?|tak(?:e|ing)) {PARTED} (?:off|back)\b"
    rf"|(?:{CALLS_OFF}|{CALLING_OFF}|scrap(?:ping)?|drop(?:ping)?|forget(?:ting)?) {WHAT_WAITS}\b"
    r"|abort(?:ing)?\b"
    r"|not [a-z]+ (?:it|that|this)\b"
)
"""What is only ever said of what waits. `Can you cancel it` and `approve it` may be of what was
just shown."""
_GERUND = re.compile(r"[a-z]+ing\b")


def plain_orders(text: str) -> tuple[str, ...]:
    """Give what a question asks to take back, in a word form each; any other text as it is.

    `Can you still call it off?` is asked about, and no request.
    """
    normal = normalise(text)
    said = normal.text.strip()
    frame = _FRAME.match(said)
    if frame is None or normal.is_disguised:
        return (text,)
    order = said[frame.end() :].removesuffix("?").strip()
    if _OFF.match(order) is None:
        return (text,)
    gerund = _GERUND.match(order)
    if gerund is None:
        return (order,)
    return tuple(f"{base}{order[gerund.end() :]}" for base in bases(gerund[0]))
