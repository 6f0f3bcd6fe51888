"""Which names of a source pass for another's: alike to the eye, or but for what nobody sees."""

import unicodedata
from collections.abc import Iterable
from fnmatch import fnmatchcase

from tools.confusables import skeleton
from tools.visible import without_hidden


def looks_like_any(source: str, patterns: Iterable[str]) -> bool:
    """Tell whether a source can be taken for one that patterns name, `*` and `?` for any."""
    looks = _looks(source)
    return any(
        fnmatchcase(look, pattern.replace("[", "[[]"))
        for each in patterns
        for look, pattern in zip(looks, _looks(each), strict=True)
    )


def _looks(name: str) -> tuple[str, ...]:
    """Fold a name in each way that may make two alike.

    The case is folded before and behind the look: a capital I passes for an l, and is an i.
    """
    shown = without_hidden(unicodedata.normalize("NFKC", without_hidden(name)))
    signs = ("-" if unicodedata.category(sign) == "Pd" else sign for sign in shown)
    plain = "".join("".join(signs).split())  # a hair space is hardly seen
    folded = plain.casefold()
    return folded, _drawn(folded), _drawn(plain)


def _drawn(name: str) -> str:
    # The table draws an m as rn; one sign is left one, or no `?` would stand for it.
    return skeleton(name).casefold().replace("rn", "m")
