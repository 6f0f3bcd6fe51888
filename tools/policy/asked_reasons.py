"""Does a question ask why something was done, which the journal knows and no action tells?"""

import re
from collections.abc import Iterable

from state.action import Action
from tools.routing.words.verb_forms import inflected

_ASKS_WHY = re.compile(
    r"^\s*(?:so |and |remind me |tell me )*(?:why (?:did|do|are|were|was|is|have|had|aren't|didn't)"
    r"|what (?:did we|was|have we|had we) (?:decide|decided)|what was (?:the )?decision)\b",
    re.IGNORECASE,
)
_PASSIVE = re.compile(
    r"^\s*(?:so |and |remind me |tell me )*why (?:was|were|wasn't|weren't|has|have|hasn't|haven't)"
    r"\b(?P<rest>.*)",
    re.IGNORECASE | re.DOTALL,
)
_WORD = re.compile(r"[^\W\d_]+")


def asks_why(text: str) -> bool:
    """Tell whether a text asks for a reason or a decision at all."""
    return _ASKS_WHY.match(text) is not None


def asks_why_done(text: str, actions: Iterable[Action]) -> bool:
    """Tell whether it asks why something was done that an action can do: "why was it closed?"."""
    found = _PASSIVE.match(text.replace("’", "'"))
    if found is None:
        return False
    said = {word.lower() for word in _WORD.findall(found["rest"])}
    return any(
        past in said
        for action in actions
        if action.effect != "read"
        for word in action.words
        for past, (_base, form) in inflected(word).items()
        if form == "past"
    )
