"""A decision in one sentence: "In the context of …, facing …, we decided for …, to achieve …".

Source: Zdun et al., "Sustainable Architectural Design Decisions", IEEE Software 30(6), 2013.
"""

import re
from dataclasses import dataclass

_PART = r"(?P<{name}>[^;]+?)"
_Y = re.compile(
    r"\bin the context of\s+" + _PART.format(name="context")
    + r"(?:[,;]?\s+(?:and\s+)?facing\s+" + _PART.format(name="concern") + ")?"
    + r"[,;]?\s+(?:we|i|the team)\s+(?:have\s+)?(?:decided|chose|opted|agreed)\s+(?:for|to|on)?\s*"
    + _PART.format(name="decision")
    + r"(?:[,;]?\s+(?:and|but)\s+"
    + r"(?:neglected|rejected|discarded|(?:decided\s+)?against|not(?:\s+for)?)\s+"
    + _PART.format(name="neglected") + ")?"
    + r"(?:[,;]?\s+(?:in order\s+)?to\s+(?:achieve|reach|get|ensure)\s+"
    + _PART.format(name="goal") + ")?"
    + r"(?:[,;]?\s+accepting\s+(?:the\s+)?(?:downsides?\s+)?(?:that\s+)?"
    + _PART.format(name="cost") + ")?"
    + r"(?:[,;]?\s+because\s+" + _PART.format(name="reason") + r")?\s*(?:\.(?=\s|$)|\n\s*\n|\Z)",
    re.IGNORECASE | re.DOTALL,
)  # fmt: skip
_READ_CHARACTERS = 4_000
_OR = re.compile(r",\s*(?:and|or)?\s*|\s+(?:and|or)\s+")


@dataclass(frozen=True)
class Chosen:
    """What was decided, and what the same words say of why and instead of what."""

    decision: str
    rationale: str = ""
    context: str = ""
    alternatives: tuple[str, ...] = ()
    cons: tuple[str, ...] = ()


def y_statement(text: str) -> Chosen | None:
    """Read a Y-statement; None: the text is none."""
    found = _Y.search(text[:_READ_CHARACTERS])
    if found is None:
        return None
    said = {name: " ".join((part or "").split()) for name, part in found.groupdict().items()}
    return Chosen(
        decision=said["decision"],
        rationale=said["reason"] or (f"to achieve {said['goal']}" if said["goal"] else ""),
        context=", facing ".join(filter(None, (said["context"], said["concern"]))),
        alternatives=tuple(filter(None, _OR.split(said["neglected"]))),
        cons=tuple(filter(None, (said["cost"],))),
    )
