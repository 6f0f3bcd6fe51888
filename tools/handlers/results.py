"""Keep a result bearable: what a foreign service said, and what a function of a pack did."""

import json
from typing import Any

from pydantic import JsonValue, ValidationError

from state.action import ActionResult
from state.noun import clean_json
from tools.egress.answers import readable

MAX_TEXT = 4_000
_HEAD, _TAIL = 3_000, 800
MAX_DATA_BYTES = 64 * 1024
MAX_OWN_TEXT = 32_000
"""Characters of what a pack's own function says: a hundred papers, or a day's log, as a list. It is
kept in several rows, told to every listener and drawn by the console."""


def result_of(text: str, data: JsonValue = None, *, otherwise: str) -> ActionResult:
    """Make a result of what came back; `otherwise` is said when nothing did."""
    shown = shortened(readable(text)).strip() or otherwise
    try:
        return ActionResult(text=shown, data=_data(data))
    except (ValidationError, ValueError, RecursionError):
        return ActionResult(text=shown)  # odd data is left out: what was done is done


def shortened(text: str) -> str:
    """Keep head and tail of a long text and say how long it was."""
    if len(text) <= MAX_TEXT:
        return text
    return f"{text[:_HEAD]}\n… ({len(text)} characters) …\n{text[-_TAIL:]}"


def cut(text: str) -> str:
    """Keep the lines of a pack's own answer that fit, and say how long it was."""
    if len(text) <= MAX_OWN_TEXT:
        return text
    told = f"… (cut here: {len(text):,} characters in all; ask for less of it)"
    kept = text[: MAX_OWN_TEXT - len(told) - 1]
    line = kept.rfind("\n")
    # A last line of more than half of it is text that runs on, and no list.
    return f"{kept[:line] if line > len(kept) // 2 else kept}\n{told}"


def _data(value: JsonValue) -> dict[str, Any]:  # plain JSON
    if value is None:
        return {}
    whole: dict[str, Any] = value if isinstance(value, dict) else {"result": value}
    if len(json.dumps(whole, ensure_ascii=False).encode()) > MAX_DATA_BYTES:
        return {}
    clean_json(whole)
    return whole
