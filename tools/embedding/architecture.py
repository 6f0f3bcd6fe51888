"""What all-MiniLM-L6-v2 is made of, where its adapted rests begin, and what its graphs are asked.

Source: BERT (Devlin et al., 2018) as `sentence-transformers/all-MiniLM-L6-v2` configures it.
"""

from collections.abc import Mapping

LAYERS, HEADS, WIDTH = 6, 12, 384
_WIDE = 4 * WIDTH
LINEAR: Mapping[str, tuple[int, int]] = {
    "attention.self.query": (WIDTH, WIDTH),
    "attention.self.key": (WIDTH, WIDTH),
    "attention.self.value": (WIDTH, WIDTH),
    "attention.output.dense": (WIDTH, WIDTH),
    "intermediate.dense": (WIDTH, _WIDE),
    "output.dense": (_WIDE, WIDTH),
}
"""What is linear in each layer, with its inputs and outputs: an adapter may add to it."""
MIDDLE_LAYER = 3
"""Where an adapted network leaves the published one."""

TOKENS, MIDDLE = "tokens", "middle"
VECTORS, ADAPTED = "vectors", "adapted"
"""Means over the tokens of a text, each of length 1: of the last layer, and of the last adapted."""
