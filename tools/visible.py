"""Text as a screen shows it: nothing in it can hide or turn the reading around."""

import re
import unicodedata

_HIDDEN_CATEGORIES = ("Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp")
_INVISIBLE = frozenset(
    "\u034f\u115f\u1160\u17b4\u17b5\u180b\u180c\u180d\u180f\u2800\u3164\uffa0"
    + "".join(map(chr, range(0xFE00, 0xFE10)))
    + "".join(map(chr, range(0xE0100, 0xE01F0)))
)
"""Characters that draw nothing although Unicode does not call them controls."""
_TURNS = frozenset({"LRE", "RLE", "PDF", "LRO", "RLO", "LRI", "RLI", "FSI", "PDI"})
"""Kinds of characters that turn what stands behind them around; letters of a script do not."""

_NOT_SHOWN_IN_JSON = re.compile("[\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]")
"""What JSON leaves as it is, and a terminal obeys, turns a line around by or cuts it at."""


def inert_json(document: str) -> str:
    """Escape in JSON what a screen would not show; every reader reads the same from it."""
    if document.isascii() and "\x7f" not in document:
        return document
    return _NOT_SHOWN_IN_JSON.sub(lambda found: f"\\u{ord(found[0]):04x}", document)


def visible(text: str) -> str:
    """Write a character that a screen would hide or turn around as its code point, U+202E say."""
    if text.isascii() and text.isprintable():
        return text
    return "".join(
        f"U+{ord(character):04X}" if _is_hidden(character) else character for character in text
    )


def without_hidden(text: str) -> str:
    """Leave out what draws nothing; blanks of any width stay."""
    if text.isascii() and text.isprintable():
        return text
    return "".join(character for character in text if not _draws_nothing(character))


def _is_hidden(character: str) -> bool:
    if _draws_nothing(character):
        return True
    return unicodedata.category(character) == "Zs" and character != " "


def _draws_nothing(character: str) -> bool:
    return unicodedata.category(character) in _HIDDEN_CATEGORIES or character in _INVISIBLE


def without_controls(text: str) -> str:
    """Leave out what would drive a terminal or turn a line around; a model may write anything."""
    if text.isascii() and text.isprintable():
        return text
    return "".join(one for one in text if one in "\n\t" or not _is_control(one))


def with_controls_shown(text: str) -> str:
    """Write what would turn a line around or drive a terminal as its code point; lines stay lines.

    For prose: unlike `visible`, it leaves what scripts and emoji are joined by.
    """
    if text.isascii() and text.isprintable():
        return text
    return "".join(
        f"U+{ord(one):04X}" if one not in "\n\t\r" and _is_control(one) else one for one in text
    )


def _is_control(character: str) -> bool:
    turns = unicodedata.bidirectional(character) in _TURNS
    return turns or unicodedata.category(character) in ("Cc", "Cs")
