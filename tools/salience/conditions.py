"""Conditions of packs: met when all their words stand in a text, plural or not."""

import re

WORD = re.compile(r"[^\W_]+")


def meets(condition: str, said: frozenset[str]) -> bool:
    """Tell whether every word of a condition is among `said`; one without a word is never met."""
    words = words_of(condition)
    return bool(words) and words <= said


def words_of(text: str) -> frozenset[str]:
    """List the words of a text as conditions compare them."""
    return frozenset(word.removesuffix("s") for word in WORD.findall(text.lower()))
