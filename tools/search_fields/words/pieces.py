"""Pieces of regular expressions that any rule may be made of.

Every repetition is bounded or reads each word in one way only: a text of nothing but `more` is
read as fast as any other.
"""


def any_of(*alternatives: str) -> str:
    """Join alternatives into one piece."""
    return f"(?:{'|'.join(alternatives)})"


def at_once(piece: str, *, group: str) -> str:
    """Make a piece atomic: it matches in its first way or not at all.

    Args:
        group: a name that no other part of the pattern has.

    That is what `(?>...)` and `(?:...)*+` say, which Python before 3.11.5 reads wrongly where
    a piece can be read in several ways (gh-106052). A lookahead never tries a second way either.
    """
    return f"(?=(?P<{group}>{piece}))(?P={group})"


END = r"(?=\s*(?:[,.](?!\d)|[;:!?)]|$))"
"""Nothing more is said of it, nor does a number go on."""

UNITS = any_of(
    "m", "km", "cm", "mm", "nm", "um", "kg", "g", "mg", "s", "ms", "hz", "khz", "mhz", "ghz", "v",
    "kv", "w", "kw", "mw", "k", "c", "f", "kb", "mb", "gb", "tb", "bc", "bce", "ev", "kev", "mev",
    "gev", "psi", "bar", "usd", "eur",
)  # fmt: skip
"""Behind a number they make it a measure, and neither a year nor a count."""
