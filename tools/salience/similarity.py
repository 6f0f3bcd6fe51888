"""How alike two short texts are, by their words."""

from rapidfuzz.fuzz import token_set_ratio

COMPARED_CHARACTERS = 400
UNRELATED = 0.5
"""What two sentences about different things still share in letters; it counts as nothing."""


def similarity(one: str, other: str) -> float:
    """Compare two texts, 0 to 1, in any order of words; only their beginnings are read."""
    shared = token_set_ratio(one[:COMPARED_CHARACTERS].lower(), other[:COMPARED_CHARACTERS].lower())
    return max(0.0, (shared / 100 - UNRELATED) / (1 - UNRELATED))
