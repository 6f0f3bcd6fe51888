"""What a foreign service says, made harmless: text that shows everything, data of one size."""

import json
from typing import Any

from pydantic import JsonValue, ValidationError

from state.action import ActionResult
from state.errors import BadInput
from state.noun import clean_json
from tools.catalogue.summaries import visible
from tools.strict_json import read_json

MAX_ANSWER_BYTES = 1024 * 1024
MAX_TEXT = 4_000
_HEAD, _TAIL = 3_000, 800
MAX_SAID = 300
"""Characters of a refusal that are repeated."""
MAX_DATA_BYTES = 64 * 1024


def result_of(text: str, data: JsonValue = None, *, otherwise: str) -> ActionResult:
    """Make a result of what came back; `otherwise` is said when nothing did."""
    shown = shortened(readable(text)).strip() or otherwise
    try:
        return ActionResult(text=shown, data=_data(data))
    except (ValidationError, ValueError, RecursionError):
        return ActionResult(text=shown)  # odd data is left out: what was done is done


def readable(text: str) -> str:
    """Write out hidden characters line by line; line ends and tabs stay what they are."""
    lines = text.replace("\r\n", "\n").replace("\t", "    ").split("\n")
    return "\n".join(visible(line) for line in lines)


def shortened(text: str) -> str:
    """Keep head and tail of a long text and say how long it was."""
    if len(text) <= MAX_TEXT:
        return text
    return f"{text[:_HEAD]}\n… ({len(text)} characters) …\n{text[-_TAIL:]}"


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


def _data(value: JsonValue) -> dict[str, Any]:  # plain JSON
    if value is None:
        return {}
    whole: dict[str, Any] = value if isinstance(value, dict) else {"result": value}
    if len(json.dumps(whole, ensure_ascii=False).encode()) > MAX_DATA_BYTES:
        return {}
    clean_json(whole)
    return whole
