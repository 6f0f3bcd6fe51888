"""Two rankings made one: by words and by meaning."""

from collections.abc import Mapping
from typing import Final

LEXICAL_SHARE: Final = 0.5
"""What the words weigh, the meaning the rest. Source: measured, see docs/journal.md."""


def fused(
    lexical: Mapping[int, float], cosines: Mapping[int, float], *, share: float = LEXICAL_SHARE
) -> Mapping[int, float]:
    """Add both scores, each stretched over 0 to 1 within this question's hits; the best is first.

    An empty ranking weighs nothing: without an encoder the words decide alone.
    """
    if not lexical or not cosines:
        return _ordered(_stretched(lexical or cosines))
    words, meaning = _stretched(lexical), _stretched(cosines)
    entries = {*words, *meaning}
    return _ordered(
        {
            entry: share * words.get(entry, 0.0) + (1 - share) * meaning.get(entry, 0.0)
            for entry in entries
        }
    )


def reciprocal(*rankings: Mapping[int, float], k: int = 60) -> Mapping[int, float]:
    """Fuse by rank alone, as is usual; here to be measured against."""
    found: dict[int, float] = {}
    for ranking in rankings:
        for rank, entry in enumerate(_ordered(ranking), 1):
            found[entry] = found.get(entry, 0.0) + 1 / (k + rank)
    return _ordered(found)


def _stretched(scores: Mapping[int, float]) -> dict[int, float]:
    if not scores:
        return {}
    low, high = min(scores.values()), max(scores.values())
    if high == low:
        return dict.fromkeys(scores, 1.0)
    return {entry: (score - low) / (high - low) for entry, score in scores.items()}


def _ordered(scores: Mapping[int, float]) -> dict[int, float]:
    return dict(sorted(scores.items(), key=lambda pair: (-pair[1], pair[0])))
