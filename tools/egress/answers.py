"""What a foreign service says, read and made harmless: every character shows, one line a reason."""

from pydantic import JsonValue

from state.errors import BadInput
from tools.strict_json import read_json
from tools.visible import visible

MAX_ANSWER_BYTES = 1024 * 1024
MAX_SAID = 300
"""Characters of a refusal that are repeated."""


def readable(text: str) -> str:
    """Write out hidden characters line by line; line ends and tabs stay what they are."""
    lines = text.replace("\r\n", "\n").replace("\t", "    ").split("\n")
    return "\n".join(visible(line) for line in lines)


def said(text: str) -> str:
    """Repeat in one line what a service gave as its reason."""
    line = visible(" ".join(text.split()))
    return line if len(line) <= MAX_SAID else f"{line[:MAX_SAID]}…"


def parsed(raw: bytes) -> JsonValue:
    """Read an answer that claims to be JSON; None: it is not."""
    try:
        return read_json(raw)
    except BadInput:
        return None
