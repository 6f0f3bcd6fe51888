"""Make untrusted text safe to show.

Controls, invisible characters, bidirectional marks and confusables.

Sources: UTS 39 (confusables of revision 17.0, mixed scripts). Characters are replaced by code
points or removed, and look-alikes are named.
"""

import hashlib
import json
import re
import unicodedata
from collections.abc import Iterable, Iterator, Mapping
from functools import cache
from itertools import islice
from pathlib import Path
from typing import Any

import regex

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


def escape_json_controls(document: str) -> str:
    """Escape in JSON what a screen would not show; every reader reads the same from it."""
    if document.isascii() and "\x7f" not in document:
        return document
    return _NOT_SHOWN_IN_JSON.sub(lambda found: f"\\u{ord(found[0]):04x}", document)


def show_hidden(text: str) -> str:
    """Write a character that a screen would hide or turn around as its code point, U+202E say."""
    if text.isascii() and text.isprintable():
        return text
    return "".join(
        f"U+{ord(character):04X}" if _is_hidden(character) else character for character in text
    )


def strip_hidden(text: str) -> str:
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


def strip_controls(text: str) -> str:
    """Leave out what would drive a terminal or turn a line around; a model may write anything."""
    if text.isascii() and text.isprintable():
        return text
    return "".join(one for one in text if one in "\n\t" or not _is_control(one))


def show_controls(text: str) -> str:
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


TABLE = Path(__file__).with_name("confusables.txt")
"""In the form of Unicode's confusables.txt, so that a newer one can take its place."""


def skeleton(text: str) -> str:
    """Write a text as the prototypes of its characters: two texts that look alike have one.

    Source: UTS 39 §4, internalSkeleton without the step for bidirectional text.
    """
    if text.isascii() and not any(character in confusable_prototypes() for character in text):
        return text
    decomposed = unicodedata.normalize("NFD", text)
    mapped = "".join(confusable_prototypes().get(character, character) for character in decomposed)
    return unicodedata.normalize("NFD", mapped)


def looks_of(name: str) -> tuple[str, ...]:
    """Fold a name in each way that may make two alike.

    The case is folded before and behind the look: a capital I passes for an l, and is an i.
    """
    shown = strip_hidden(unicodedata.normalize("NFKC", strip_hidden(name)))
    signs = ("-" if unicodedata.category(sign) == "Pd" else sign for sign in shown)
    plain = "".join("".join(signs).split())  # a hair space is hardly seen
    folded = plain.casefold()
    return folded, _drawn(folded), _drawn(plain)


def _drawn(name: str) -> str:
    # The table draws an m as rn; one sign is left one, or no `?` would stand for it.
    return skeleton(name).casefold().replace("rn", "m")


def passes_for_any(name: str, others: Iterable[str | None]) -> bool:
    """Tell whether a name is, or could be read as, one of `others`; None among them is nobody."""
    looks = looks_of(name)
    return any(
        mine == its
        for other in others
        if other is not None
        for mine, its in zip(looks, looks_of(other), strict=True)
    )


@cache
def ascii_lookalike(character: str) -> str | None:
    """Return the ASCII that a character passes for, marks left aside; None: it passes for none.

    A plain letter with a mark, as é, passes for none: people read its mark. A letter with a stroke
    or a hook of its own, as ø, and a compatibility form, as №, do.
    """
    if character.isascii():
        return None
    decomposed = unicodedata.normalize("NFD", character)
    base = decomposed[0]
    if base.isascii():
        return base if len(decomposed) == 1 else None
    for look in (confusable_prototypes().get(base), unicodedata.normalize("NFKD", base)):
        plain = "".join(one for one in look or "" if not unicodedata.combining(one))
        if plain and plain.isascii() and not plain.isspace():
            return plain
    return None


@cache
def confusable_prototypes() -> Mapping[str, str]:
    """Read the table: 5,519 characters with the one or more that stand for their look."""
    return dict(_lines(TABLE.read_text("utf-8-sig")))


def _lines(table: str) -> Iterator[tuple[str, str]]:
    for line in table.splitlines():
        fields = line.partition("#")[0].split(";")
        if len(fields) == 3:
            character, prototype = (_written(field) for field in fields[:2])
            yield character, prototype


def _written(code_points: str) -> str:
    return "".join(chr(int(one, 16)) for one in code_points.split())


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


def neutralize(text: str) -> str:
    """Write as a code point (U+202E, say) what a screen hides or turns around; line ends too."""
    shown = show_hidden(text)
    return shown if shown.isascii() else _MARKS.sub(_written_out, shown)


def neutralize_value(value: Any, *, is_exact: bool = False) -> str:  # one JSON value of an argument
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
        return "[" + ", ".join(neutralize_value(item, is_exact=is_exact) for item in value) + "]"
    if isinstance(value, dict):
        parts = (
            f"{_quoted(str(name), is_exact=True)}: {neutralize_value(part, is_exact=is_exact)}"
            for name, part in value.items()
        )
        return "{" + ", ".join(parts) + "}"
    return "nothing" if value is None else json.dumps(value)


def neutralize_and_warn(text: str, *, is_exact: bool = False) -> str:
    """Write a text inert, and behind it what it could be mistaken for."""
    return neutralize(text) + _warning(text, is_exact=is_exact)


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
    shown = neutralize(text)
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
        if any(map(ascii_lookalike, word)) and (look := _look(word)) is not None:
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
        if one.isascii() or show_hidden(one) != one:
            continue
        # A sentence in Chinese has no spaces: beside its numbers it stays prose.
        is_wide = unicodedata.east_asian_width(one) == "W" and not is_exact
        if ascii_lookalike(one) or (every and not is_wide) or unicodedata.category(one)[0] == "N":
            yield one


def _plain_script(piece: str) -> str | None:
    """Name the script that all letters of a word are of, when it shows; None: it could be ASCII."""
    letters = [one for one in piece if not unicodedata.combining(one)]
    if not letters or all(map(ascii_lookalike, letters)):
        return None
    for name, script in _SCRIPTS.items():
        if name != "Latin" and all(map(script.match, letters)):
            return name
    return None


def _with_plain_signs(word: str) -> str:
    return "".join(one if one.isalpha() else ascii_lookalike(one) or one for one in word)


def _look(word: str) -> str | None:
    """Write the word of ASCII that it cannot be told from by the eye; None: it can."""
    plain = unicodedata.normalize("NFKC", neutralize(word))  # full-width letters and the like
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
