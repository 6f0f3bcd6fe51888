"""Ordinal numbers in words, as far as a month has days."""

_UNITS = (
    "first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth", "tenth",
    "eleventh", "twelfth", "thirteenth", "fourteenth", "fifteenth", "sixteenth", "seventeenth",
    "eighteenth", "nineteenth", "twentieth",
)  # fmt: skip
ORDINALS = (
    {word: number for number, word in enumerate(_UNITS, start=1)}
    | {f"twenty {word}": 20 + number for number, word in enumerate(_UNITS[:9], start=1)}
    | {"thirtieth": 30, "thirty first": 31}
)
"""Their numbers by their words, joined by a space."""
