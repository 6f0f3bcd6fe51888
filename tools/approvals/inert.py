"""Somebody's text made inert: nothing in it hides, turns around, ends a line or looks like ours."""

import hashlib
import json
from typing import Any

import regex

from tools.visible import visible

LONGEST_SHOWN = 300
_HEAD, _TAIL = 200, 60
_MARKS = regex.compile(r"(?<=\p{M}{2})\p{M}+")
"""Marks piled on one letter beyond what any script needs."""
_WORD = regex.compile(r"[\p{L}\p{M}\p{N}]+")
_SCRIPTS = {
    name: regex.compile(rf"\p{{Script={name}}}")
    for name in (
        *("Latin", "Cyrillic", "Greek", "Armenian", "Cherokee", "Coptic", "Georgian", "Hebrew"),
        *("Arabic", "Devanagari", "Thai", "Lisu", "Han", "Hiragana", "Katakana", "Hangul"),
        "Bopomofo",
    )
}
_TOGETHER = (
    frozenset({"Latin", "Han", "Hiragana", "Katakana"}),
    frozenset({"Latin", "Han", "Bopomofo"}),
    frozenset({"Latin", "Han", "Hangul"}),
)
"""Scripts that people do write together. Source: UTS 39 §5.2, highly restrictive."""
_UNITS = frozenset("ΩΔΣΠΦΨΛΘΓΞμπσφψλθδξβ")
"""Greek letters that stand beside Latin ones in units and formulas, and look like none of them."""
_STYLED = regex.compile(
    r"[\U0001D400-\U0001D7FF\uFF21-\uFF3A\uFF41-\uFF5A\u24B6-\u24E9\u2100-\u214F]"
)
_SIGNS_OF_UNITS = frozenset("℃℉℗№℡™Ω℥")


def inert(text: str) -> str:
    """Write as a code point (U+202E, say) what a screen hides or turns around; line ends too."""
    shown = visible(text)
    return shown if shown.isascii() else _MARKS.sub(_written_out, shown)


def inert_value(value: Any) -> str:  # one JSON value of an argument
    """Write a value so that two different ones never look alike.

    Texts stand in quotes; what is shortened or had something written out carries its length and
    hash behind the quotes, where no text can put them.
    """
    if isinstance(value, str):
        return _quoted(value)
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, (list, tuple)):
        return _shortened("[" + ", ".join(inert_value(item) for item in value) + "]", value)
    if isinstance(value, dict):
        parts = (f"{_quoted(str(name))}: {inert_value(part)}" for name, part in value.items())
        return _shortened("{" + ", ".join(parts) + "}", value)
    return "nothing" if value is None else json.dumps(value)


def flagged(text: str) -> str:
    """Write a text inert, and say behind it when a word of it mixes scripts."""
    return inert(text) + _warning(text)


def mixed_scripts(text: str) -> tuple[str, ...]:
    """Name the scripts of every word that mixes those which nobody writes together.

    Source: UTS 39, mixed-script detection; Greek letters of units are left alone.
    """
    if text.isascii():
        return ()
    found = []
    for word in _WORD.findall(text):
        letters = "".join(letter for letter in word if letter not in _UNITS)
        scripts = {name for name, script in _SCRIPTS.items() if script.search(letters)}
        if len(scripts) > 1 and not any(scripts <= together for together in _TOGETHER):
            found.append(" and ".join(name for name in _SCRIPTS if name in scripts))
        if any(letter not in _SIGNS_OF_UNITS for letter in _STYLED.findall(word)):
            found.append("styled letters")
    return tuple(dict.fromkeys(found))


def _quoted(text: str) -> str:
    shown = inert(text)
    cut = shown
    if len(shown) > LONGEST_SHOWN:
        cut = f"{shown[:_HEAD]} … {shown[-_TAIL:]}"
    marked = f"({len(text)} characters, sha256 {_hash(text)})" if cut != text else ""
    quoted = '"' + cut.replace("\\", "\\\\").replace('"', '\\"') + '"'
    return " ".join(filter(None, (quoted, marked))) + _warning(text)


def _shortened(shown: str, value: Any) -> str:  # one JSON value
    if len(shown) <= 3 * LONGEST_SHOWN:
        return shown
    whole = json.dumps(value, sort_keys=True)
    return (
        f"{shown[: 2 * _HEAD]} … {shown[-_TAIL:]} ({len(value)} in all, "
        f"{len(whole)} characters, sha256 {_hash(whole)})"
    )


def _warning(text: str) -> str:
    scripts = mixed_scripts(text)
    return f" (mixes scripts: {'; '.join(scripts)})" if scripts else ""


def _hash(text: str) -> str:
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()[:16]


def _written_out(found: regex.Match[str]) -> str:
    return "".join(f"U+{ord(mark):04X}" for mark in found.group())
