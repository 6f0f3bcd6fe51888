"""Two rankings made one: by words and by meaning."""

import re
from collections.abc import Mapping
from typing import Final

LEXICAL_SHARE: Final = 0.5
"""What the words weigh, the meaning the rest. Source: measured, see docs/journal.md."""
TITLE_WEIGHT: Final = 0.2
"""What a title counts that is the question's own words, beside 1 of the two. Source: the same."""
STEM: Final = 5
"""Letters that two forms of a word have in common: "migrated", "migration"."""
_K = 60
"""Source: Cormack, Clarke and Büttcher, Reciprocal rank fusion (SIGIR 2009)."""
_WORD = re.compile(r"[^\W_]+")


def fused(lexical: Mapping[int, float], cosines: Mapping[int, float]) -> Mapping[int, float]:
    """Add both scores, each stretched over 0 to 1 within this question's hits; the best is first.

    An empty ranking weighs nothing: without an encoder the words decide alone.
    """
    if not lexical or not cosines:
        return _ordered(_stretched(lexical or cosines))
    words, meaning = _stretched(lexical), _stretched(cosines)
    entries, share = {*words, *meaning}, LEXICAL_SHARE
    return _ordered(
        {
            entry: share * words.get(entry, 0.0) + (1 - share) * meaning.get(entry, 0.0)
            for entry in entries
        }
    )


def with_titles(
    scores: Mapping[int, float], titles: Mapping[int, str], terms: tuple[str, ...]
) -> Mapping[int, float]:
    """Order what has a title anew: one that says what is asked, and little else, counts more.

    Words deep in a long text weigh as much to BM25 as they do to nobody who asks for a decision.
    """
    asked = stems(" ".join(terms))

    def share(title: str) -> float:
        own = stems(title)
        return len(asked & own) / len(asked | own) if own else 0.0

    return _ordered(
        {
            entry: (scores[entry] + TITLE_WEIGHT * share(title)) / (1 + TITLE_WEIGHT)
            for entry, title in titles.items()
        }
    )


def stems(text: str) -> frozenset[str]:
    """Cut the words of a text so that forms of one word are mostly one."""
    return frozenset(word[:STEM] for word in _WORD.findall(text.lower()))


def reciprocal(*rankings: Mapping[int, float]) -> Mapping[int, float]:
    """Fuse by rank alone, as is usual; here to be measured against."""
    found: dict[int, float] = {}
    for ranking in rankings:
        for rank, entry in enumerate(_ordered(ranking), 1):
            found[entry] = found.get(entry, 0.0) + 1 / (_K + rank)
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
