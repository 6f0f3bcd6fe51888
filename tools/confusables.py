"""Characters that look like others, by Unicode's own table. Source: UTS 39, revision 17.0."""

import unicodedata
from collections.abc import Iterator, Mapping
from functools import cache
from pathlib import Path

TABLE = Path(__file__).with_name("confusables.txt")
"""In the form of Unicode's confusables.txt, so that a newer one can take its place."""


def skeleton(text: str) -> str:
    """Write a text as the prototypes of its characters: two texts that look alike have one.

    Source: UTS 39 §4, internalSkeleton without the step for bidirectional text.
    """
    if text.isascii() and not any(character in prototypes() for character in text):
        return text
    decomposed = unicodedata.normalize("NFD", text)
    mapped = "".join(prototypes().get(character, character) for character in decomposed)
    return unicodedata.normalize("NFD", mapped)


@cache
def ascii_look(character: str) -> str | None:
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
    for look in (prototypes().get(base), unicodedata.normalize("NFKD", base)):
        plain = "".join(one for one in look or "" if not unicodedata.combining(one))
        if plain and plain.isascii() and not plain.isspace():
            return plain
    return None


@cache
def prototypes() -> Mapping[str, str]:
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
