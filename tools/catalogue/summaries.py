"""Render an action for a person's eyes: a template filled by code, nothing in it can hide."""

import hashlib
import re
import string
from collections.abc import Mapping
from typing import Any

from state.action import Action
from tools.secrecy import covered
from tools.visible import visible

MAX_SHOWN = 300
_HEAD, _TAIL = 200, 60
_NUMBERS = ("integer", "number")
_LEADS = (
    r"(?:to|for|from|on|at|in|of|by|with|due|x|until|till|before|after|since|as|than|per|via|into"
    r"|onto|about|between|except|without)"
)
_DANGLING = re.compile(rf"(?:\s*[:;,(]|\s+{_LEADS})*\s*$")
"""What leads up to a value and says nothing without it."""
_UNIT = re.compile(
    r"\s*(?:%|percent|degrees|seconds|minutes|euros?|dollars?|pounds|francs)(?!\w)(?:\s+of(?!\w))?"
)
"""What a number is counted in, behind it: `{amount} euros of order {order}`."""


def render_summary(action: Action, arguments: Mapping[str, Any]) -> str:  # by slot type
    """Fill an action's template; an absent optional slot leaves nothing behind.

    The words that only lead to its value go with it, and behind a number the unit.
    """
    shown, is_behind_number = "", False
    for written, name, _, _ in string.Formatter().parse(action.summary):
        unit = _UNIT.match(written) if is_behind_number else None
        literal = written[unit.end() :] if unit is not None else written
        value = arguments.get(name) if name is not None else None
        if name is not None and value is not None and _is_secret(action, name):
            value = covered(value)
        if name is None or value is not None:
            shown += literal + _shown(value)
        else:
            shown += _DANGLING.sub("", literal)
        slot = action.slots.get(name or "")
        is_behind_number = value is None and slot is not None and slot.type in _NUMBERS
    return shown.strip()


def _is_secret(action: Action, name: str) -> bool:
    slot = action.slots.get(name)
    return slot is not None and slot.secret


def _shown(value: Any) -> str:  # one JSON value of an argument
    if value is None:
        return ""
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, (list, tuple)):
        return _shortened(", ".join(visible(str(item)) for item in value))
    return _shortened(visible(str(value)))


def _shortened(text: str) -> str:
    """Show a long text by head, tail, length and hash, so that no two look alike."""
    if len(text) <= MAX_SHOWN:
        return text
    digest = hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()[:12]
    return f"{text[:_HEAD]} … {text[-_TAIL:]} ({len(text)} characters, sha256 {digest})"
