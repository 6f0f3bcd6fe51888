"""`Undo that`: the person's own last action is meant, whatever the catalogue holds."""

import re

_ASKS = re.compile(
    r"\s*(?:(?:oh|no|oops|sorry|wait)[\s,!]+)*"
    r"(?:(?:please|(?P<asks>(?:can|could|would|will) you))\s+)*"
    r"(?:undo|revert|reverse|roll back|take back|take (?:it|that|this) back)"
    r"(?:\s+(?:it|that|this|again"
    r"|(?:the|my|your|our)\s+last\s+(?:one|thing|action|change|step)"
    r"|the\s+last|what (?:you|i|we) just did))?"
    r"(?:\s*,?\s*please)?\s*(?(asks)[.!?]*|[.!]*)\s*",
    re.IGNORECASE,
)


def asks_undo(text: str) -> bool:
    """Tell whether a text asks to take the last action back and names nothing else."""
    return len(text) < 100 and _ASKS.fullmatch(text) is not None
