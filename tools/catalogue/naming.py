"""Say which name was probably meant."""

import difflib
from collections.abc import Iterable


def nearest(name: str, known: Iterable[str]) -> str:
    """Name the one that is near, or else all that are known."""
    names = list(known)
    near = difflib.get_close_matches(name, names, 1, 0.6)
    return f"did you mean {near[0]}?" if near else f"known: {', '.join(names) or 'none'}"
