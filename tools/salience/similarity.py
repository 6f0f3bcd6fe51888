"""How alike two short texts are, by their words."""

from rapidfuzz.fuzz import token_set_ratio

COMPARED_CHARACTERS = 400


def similarity(one: str, other: str) -> float:
    """Compare two texts, 0 to 1, in any order of words; only their beginnings are read."""
    return (
        token_set_ratio(one[:COMPARED_CHARACTERS].lower(), other[:COMPARED_CHARACTERS].lower())
        / 100
    )
