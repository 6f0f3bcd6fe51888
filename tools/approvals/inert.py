"""Somebody's text made inert: nothing in it hides, turns around, ends a line or looks like ours."""

import hashlib
import json
import unicodedata
from collections.abc import Iterator
from itertools import islice
from typing import Any

import regex

from tools.confusables import ascii_look, skeleton
from tools.visible import visible

_MARKS = regex.compile(r"(?<=\p{M}{2})\p{M}+")
"""Marks piled on one letter beyond what any script needs."""
_WORD = regex.compile(r"[\p{L}\p{M}\p{N}]+")
_PIECE = regex.compile(r"[\p{L}\p{M}]+|[^\p{L}\p{M}]")
_EXACT = regex.compile(r"\p{N}|[@#=%&]|[\p{L}\p{N}][./\\:_+][\p{L}\p{N}]")
"""What an id, an address, a host, a path or a number has, and a word of prose has not."""
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
_MOST_LOOKS = 8


def inert(text: str) -> str:
    """Write as a code point (U+202E, say) what a screen hides or turns around; line ends too."""
    shown = visible(text)
    return shown if shown.isascii() else _MARKS.sub(_written_out, shown)


def inert_value(value: Any, *, is_exact: bool = False) -> str:  # one JSON value of an argument
    """Write a value whole, so that two different ones never look alike.

    Texts stand in quotes. Behind the quotes, where no text can put it, stands what the text could
    be mistaken for; and its length and hash when a character of it was written out.

    Args:
        is_exact: it is an id, a recipient or a number, and no prose: every character counts.
    """
    if isinstance(value, str):
        return _quoted(value, is_exact=is_exact)
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, (list, tuple)):
        return "[" + ", ".join(inert_value(item, is_exact=is_exact) for item in value) + "]"
    if isinstance(value, dict):
        parts = (
            f"{_quoted(str(name), is_exact=True)}: {inert_value(part, is_exact=is_exact)}"
            for name, part in value.items()
        )
        return "{" + ", ".join(parts) + "}"
    return "nothing" if value is None else json.dumps(value)


def flagged(text: str, *, is_exact: bool = False) -> str:
    """Write a text inert, and behind it what it could be mistaken for."""
    return inert(text) + _warning(text, is_exact=is_exact)


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


def _quoted(text: str, *, is_exact: bool) -> str:
    shown = inert(text)
    marked = f" ({len(text)} characters, sha256 {_hash(text)})" if shown != text else ""
    quoted = '"' + shown.replace("\\", "\\\\").replace('"', '\\"') + '"'
    return quoted + marked + _warning(text, is_exact=is_exact)


def _warning(text: str, *, is_exact: bool) -> str:
    """Say which scripts a text mixes or is in, which characters are not ASCII, and its look.

    In an id, an address or a number every such character is named. In prose those are that look
    like ASCII; a word that is plainly of another script names that script instead, once a text.
    """
    if text.isascii():
        return ""
    scripts: dict[str, None] = {}
    named: dict[str, None] = {}
    looks: dict[str, None] = {}
    for word in text.split():
        if word.isascii():
            continue
        every = is_exact or _EXACT.search(_with_plain_signs(word)) is not None
        for piece in _PIECE.findall(word):
            script = None if every else _plain_script(piece)
            if script is None:
                named |= dict.fromkeys(_beyond_ascii(piece, every=every, is_exact=is_exact))
            else:
                scripts[script] = None
        if any(map(ascii_look, word)) and (look := _look(word)) is not None:
            looks[look] = None
    told = (
        ("mixes scripts: ", "; ".join(mixed_scripts(text))),
        ("in ", " and ".join(scripts)),
        ("not ASCII: ", ", ".join(map(_name, named))),
        ("looks like ", _some(looks)),
    )
    written = "; ".join(label + words for label, words in told if words)
    return f" ({written})" if written else ""


def _beyond_ascii(piece: str, *, every: bool, is_exact: bool) -> Iterator[str]:
    """List the characters to be named; what is hidden was written out where it stands."""
    for one in piece:
        if one.isascii() or visible(one) != one:
            continue
        # A sentence in Chinese has no spaces: beside its numbers it stays prose.
        is_wide = unicodedata.east_asian_width(one) == "W" and not is_exact
        if ascii_look(one) or (every and not is_wide) or unicodedata.category(one)[0] == "N":
            yield one


def _plain_script(piece: str) -> str | None:
    """Name the script that all letters of a word are of, when it shows; None: it could be ASCII."""
    letters = [one for one in piece if not unicodedata.combining(one)]
    if not letters or all(map(ascii_look, letters)):
        return None
    for name, script in _SCRIPTS.items():
        if name != "Latin" and all(map(script.match, letters)):
            return name
    return None


def _with_plain_signs(word: str) -> str:
    return "".join(one if one.isalpha() else ascii_look(one) or one for one in word)


def _look(word: str) -> str | None:
    """Write the word of ASCII that it cannot be told from by the eye; None: it can."""
    plain = unicodedata.normalize("NFKC", inert(word))  # full-width letters and the like
    look = "".join(one if one.isascii() else skeleton(one) for one in plain)
    return look if look.isascii() else None


def _some(looks: dict[str, None]) -> str:
    more = f" and {len(looks) - _MOST_LOOKS} more" if len(looks) > _MOST_LOOKS else ""
    return ", ".join(map(json.dumps, islice(looks, _MOST_LOOKS))) + more


def _name(character: str) -> str:
    """Write a character with its code point; alone what would join or turn its surroundings."""
    point = f"U+{ord(character):04X}"
    joins = unicodedata.combining(character) or unicodedata.category(character)[0] == "M"
    turns = unicodedata.bidirectional(character) in ("R", "AL", "AN")
    return point if joins or turns else f"{character} {point}"


def _hash(text: str) -> str:
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()[:16]


def _written_out(found: regex.Match[str]) -> str:
    return "".join(f"U+{ord(mark):04X}" for mark in found.group())
