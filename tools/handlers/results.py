"""Make a result of what a foreign service said: text of a bearable length, data of one size."""

import json
from typing import Any

from pydantic import JsonValue, ValidationError

from state.action import ActionResult
from state.noun import clean_json
from tools.egress.answers import readable

MAX_TEXT = 4_000
_HEAD, _TAIL = 3_000, 800
MAX_DATA_BYTES = 64 * 1024


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


def _data(value: JsonValue) -> dict[str, Any]:  # plain JSON
    if value is None:
        return {}
    whole: dict[str, Any] = value if isinstance(value, dict) else {"result": value}
    if len(json.dumps(whole, ensure_ascii=False).encode()) > MAX_DATA_BYTES:
        return {}
    clean_json(whole)
    return whole
